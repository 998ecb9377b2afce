import { useQuery } from "@tanstack/react-query";
import { tessera } from "./client/client.ts";
import { useSettingsMutation } from "./settings.ts";

const SUBSCRIPTIONS_KEY = ["settings", "webhooks"] as const;
/** Their state and last delivery change by themselves. */
const POLL_INTERVAL_MS = 10_000;
const { webhooks } = tessera.settings;

/** The webhooks that keys and owners registered. Requires the role owner. */
export const useSubscriptions = () =>
  useQuery({ queryKey: SUBSCRIPTIONS_KEY, queryFn: ({ signal }) => webhooks.list({ signal }), refetchInterval: POLL_INTERVAL_MS });

export const useUpdateSubscription = () =>
  useSettingsMutation(
    ({ id, status }: { readonly id: string; readonly status: "active" | "paused" }) => webhooks.update(id, { status }),
    [SUBSCRIPTIONS_KEY],
  );

export const useRemoveSubscription = () => useSettingsMutation((id: string) => webhooks.delete(id), [SUBSCRIPTIONS_KEY]);
