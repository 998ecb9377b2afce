import { type QueryKey, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { BackupSchedule, Delivery, NewApiKey, WebhookEventName } from "@tessera/sdk";
import { tessera } from "../api/client/client.ts";
import { BOARDS } from "../api/keys.ts";

const KEYS = ["settings", "keys"] as const;
const WEBHOOK = ["settings", "webhook"] as const;
const DELIVERIES = ["settings", "deliveries"] as const;
const AUDIT = ["settings", "audit"] as const;
const EVERY_BOARD = ["settings", "boards"] as const;
const BACKUPS = ["settings", "backups"] as const;
const MODEL = ["settings", "model"] as const;

const { settings } = tessera;
const FIRST_PAGE = null as string | null;
const nextOf = ({ nextCursor }: { readonly nextCursor: string | null }): string | null => nextCursor;

/** A write whose form or dialog shows what is refused; what it changes is read anew, and the audit log with it. */
export function useChange<Input, Output>(run: (input: Input) => Promise<Output>, changed: readonly QueryKey[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => run(input),
    meta: { isQuiet: true },
    onSuccess: () => Promise.all([...changed, AUDIT].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

export const useKeys = () => useQuery({ queryKey: KEYS, queryFn: ({ signal }) => settings.keys.list({ signal }) });
export const useCreateKey = () => useChange((key: NewApiKey) => settings.keys.create(key), [KEYS]);
export const useUpdateKey = () =>
  useChange(
    ({ keyId, ...patch }: { readonly keyId: string; readonly name: string; readonly budget: number | null }) =>
      settings.keys.update(keyId, patch),
    [KEYS],
  );
export const useRevokeKey = () => useChange((keyId: string) => settings.keys.revoke(keyId), [KEYS]);

type WebhookInput = { readonly url: string; readonly events: readonly WebhookEventName[] };

/** Null where none is set; for owners. */
export const useWebhook = () => useQuery({ queryKey: WEBHOOK, queryFn: ({ signal }) => settings.webhook.get({ signal }) });
export const useSetWebhook = () => useChange((webhook: WebhookInput) => settings.webhook.set(webhook), [WEBHOOK]);
export const useUpdateWebhook = () => useChange((webhook: WebhookInput) => settings.webhook.update(webhook), [WEBHOOK]);
/** How long the secret before goes on signing, in hours. */
export const useRotateWebhook = () => useChange((overlapHours: number) => settings.webhook.rotate({ overlapHours }), [WEBHOOK]);
export const useRemoveWebhook = () => useChange<void, void>(() => settings.webhook.remove(), [WEBHOOK, DELIVERIES]);
export const useTestWebhook = () => useChange<void, { readonly id: string }>(() => settings.webhook.test(), [DELIVERIES]);
export const useRedeliver = () => useChange((deliveryId: string) => settings.webhook.redeliver(deliveryId), [DELIVERIES]);

/** How often the delivery log is read anew while the page is looked at, in milliseconds: with something under way, and without. */
const POLL_INTERVAL_MS = { soon: 1_500, later: 10_000 } as const;
const isUnderWay = ({ status }: Delivery): boolean => status === "pending" || status === "sending";

export const useDeliveries = () =>
  useInfiniteQuery({
    queryKey: [...DELIVERIES, "pages"],
    queryFn: ({ pageParam, signal }) => settings.webhook.deliveries({ cursor: pageParam, signal }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextOf,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some(isUnderWay)) ? POLL_INTERVAL_MS.soon : POLL_INTERVAL_MS.later,
  });

/** With what was sent and what came back; read anew when its status changes. */
export const useDelivery = (deliveryId: string, status: string) =>
  useQuery({
    queryKey: [...DELIVERIES, "one", deliveryId, status],
    queryFn: ({ signal }) => settings.webhook.delivery(deliveryId, { signal }),
    staleTime: Infinity,
  });

export const useAudit = () =>
  useInfiniteQuery({
    queryKey: AUDIT,
    queryFn: ({ pageParam, signal }) => settings.audit({ cursor: pageParam, signal }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextOf,
  });

/** For owners. Read anew soon while one is being made. */
export const useBackups = () =>
  useQuery({
    queryKey: BACKUPS,
    queryFn: ({ signal }) => settings.backups.get({ signal }),
    refetchInterval: ({ state }) => (state.data?.backups[0]?.status === "running" ? POLL_INTERVAL_MS.soon : POLL_INTERVAL_MS.later),
  });
export const useChangeBackups = () =>
  useChange((patch: Pick<BackupSchedule, "every" | "hour" | "keep">) => settings.backups.schedule(patch), [BACKUPS]);
export const useMakeBackup = () => useChange<void, { readonly id: string }>(() => settings.backups.make(), [BACKUPS]);

export const useModel = () => useQuery({ queryKey: MODEL, queryFn: ({ signal }) => settings.model({ signal }), staleTime: 300_000 });

/** The boards with those that can still be restored. */
export const useEveryBoard = () => useQuery({ queryKey: EVERY_BOARD, queryFn: ({ signal }) => settings.boards({ signal }) });
export const exportPath = (boardId: string): string => settings.exportPath(boardId);
/** An empty name keeps the one in the file. */
export const useImportBoard = () =>
  useChange(
    ({ file, name }: { readonly file: File; readonly name: string }) => settings.importBoard(file, name === "" ? {} : { name }),
    [BOARDS, EVERY_BOARD],
  );
