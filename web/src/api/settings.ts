import { type QueryKey, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { BackupSchedule, Delivery, NewApiKey, NewInboundAddress, Open, WebhookEventName } from "@tessera-board/sdk";
import { tessera } from "./client/client.ts";
import { BOARDS_KEY } from "./query-keys.ts";

const API_KEYS_KEY = ["settings", "keys"] as const;
const INBOUND_KEY = ["settings", "inbound"] as const;
const WEBHOOK_KEY = ["settings", "webhook"] as const;
const DELIVERIES_KEY = ["settings", "deliveries"] as const;
const AUDIT_KEY = ["settings", "audit"] as const;
const ALL_BOARDS_KEY = ["settings", "boards"] as const;
const BACKUPS_KEY = ["settings", "backups"] as const;
const MODEL_KEY = ["settings", "model"] as const;

const { settings } = tessera;
const FIRST_PAGE = null as string | null;
const getNextCursor = ({ nextCursor }: { readonly nextCursor: string | null }): string | null => nextCursor;

/** A mutation whose errors its form or dialog shows. Invalidates the changed queries and the audit log. */
export function useSettingsMutation<Input, Output>(run: (input: Input) => Promise<Output>, changed: readonly QueryKey[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => run(input),
    meta: { isQuiet: true },
    onSuccess: () => Promise.all([...changed, AUDIT_KEY].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

export const useApiKeys = () => useQuery({ queryKey: API_KEYS_KEY, queryFn: ({ signal }) => settings.keys.list({ signal }) });
export const useCreateApiKey = () => useSettingsMutation((key: NewApiKey) => settings.keys.create(key), [API_KEYS_KEY]);
export const useUpdateApiKey = () =>
  useSettingsMutation(
    ({ keyId, ...patch }: { readonly keyId: string; readonly name: string; readonly budget: number | null }) =>
      settings.keys.update(keyId, patch),
    [API_KEYS_KEY],
  );
export const useRevokeApiKey = () => useSettingsMutation((keyId: string) => settings.keys.revoke(keyId), [API_KEYS_KEY]);

export const useInboundAddresses = () =>
  useQuery({ queryKey: INBOUND_KEY, queryFn: ({ signal }) => settings.inboundAddresses.list({ signal }) });
export const useCreateInboundAddress = () =>
  useSettingsMutation((address: NewInboundAddress) => settings.inboundAddresses.create(address), [INBOUND_KEY]);
export const useRevokeInboundAddress = () =>
  useSettingsMutation((addressId: string) => settings.inboundAddresses.revoke(addressId), [INBOUND_KEY]);

type WebhookInput = { readonly url: string; readonly events: readonly Open<WebhookEventName>[]; readonly retries: boolean };

/** Null if no webhook is set. Requires the role owner. */
export const useWebhook = () => useQuery({ queryKey: WEBHOOK_KEY, queryFn: ({ signal }) => settings.webhook.get({ signal }) });
export const useSetWebhook = () => useSettingsMutation((webhook: WebhookInput) => settings.webhook.set(webhook), [WEBHOOK_KEY]);
export const useUpdateWebhook = () => useSettingsMutation((webhook: WebhookInput) => settings.webhook.update(webhook), [WEBHOOK_KEY]);
/** Takes the hours during which the previous secret still signs. */
export const useRotateWebhook = () =>
  useSettingsMutation((overlapHours: number) => settings.webhook.rotate({ overlapHours }), [WEBHOOK_KEY]);
export const useRemoveWebhook = () => useSettingsMutation<void, void>(() => settings.webhook.remove(), [WEBHOOK_KEY, DELIVERIES_KEY]);
export const useTestWebhook = () => useSettingsMutation<void, { readonly id: string }>(() => settings.webhook.test(), [DELIVERIES_KEY]);
export const useRedeliver = () => useSettingsMutation((deliveryId: string) => settings.webhook.redeliver(deliveryId), [DELIVERIES_KEY]);

/** Resends the failed events since this time; returns how many. */
export const useRedeliverFailed = () => useSettingsMutation((since: Date) => settings.webhook.redeliverFailed({ since }), [DELIVERIES_KEY]);

/** Polling interval of the delivery log and backups, in milliseconds: while something is in progress, and otherwise. */
const POLL_INTERVAL_MS = { soon: 1_500, later: 10_000 } as const;
const isUnderWay = ({ status }: Delivery): boolean => status !== "succeeded" && status !== "failed";

export const useDeliveries = (isFailedOnly: boolean) =>
  useInfiniteQuery({
    queryKey: [...DELIVERIES_KEY, "pages", isFailedOnly],
    queryFn: ({ pageParam, signal }) =>
      settings.webhook.deliveries({ cursor: pageParam, signal, ...(isFailedOnly ? { status: "failed" } : {}) }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: getNextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some(isUnderWay)) ? POLL_INTERVAL_MS.soon : POLL_INTERVAL_MS.later,
  });

/** A delivery with its request and response; refetched when its status changes. */
export const useDelivery = (deliveryId: string, status: string) =>
  useQuery({
    queryKey: [...DELIVERIES_KEY, "one", deliveryId, status],
    queryFn: ({ signal }) => settings.webhook.delivery(deliveryId, { signal }),
    staleTime: Infinity,
  });

export const useAudit = () =>
  useInfiniteQuery({
    queryKey: AUDIT_KEY,
    queryFn: ({ pageParam, signal }) => settings.audit({ cursor: pageParam, signal }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: getNextCursor,
  });

/** Requires the role owner. Polled while a backup is running. */
export const useBackups = () =>
  useQuery({
    queryKey: BACKUPS_KEY,
    queryFn: ({ signal }) => settings.backups.get({ signal }),
    refetchInterval: ({ state }) => (state.data?.backups[0]?.status === "running" ? POLL_INTERVAL_MS.soon : POLL_INTERVAL_MS.later),
  });
export const useUpdateBackupSchedule = () =>
  useSettingsMutation((patch: Pick<BackupSchedule, "every" | "hour" | "keep">) => settings.backups.schedule(patch), [BACKUPS_KEY]);
export const useCreateBackup = () => useSettingsMutation<void, { readonly id: string }>(() => settings.backups.create(), [BACKUPS_KEY]);

export const useModel = () => useQuery({ queryKey: MODEL_KEY, queryFn: ({ signal }) => settings.model({ signal }), staleTime: 300_000 });

/** All boards, including deleted ones that can be restored. */
export const useAllBoards = () => useQuery({ queryKey: ALL_BOARDS_KEY, queryFn: ({ signal }) => settings.boards({ signal }) });
export const getExportPath = (boardId: string): string => settings.exportPath(boardId);
/** An empty name keeps the one in the file. */
export const useImportBoard = () =>
  useSettingsMutation(
    ({ file, name }: { readonly file: File; readonly name: string }) => settings.importBoard(file, name === "" ? {} : { name }),
    [BOARDS_KEY, ALL_BOARDS_KEY],
  );
