import type {
  ApiKey,
  AuditEntry,
  Backup,
  Backups,
  BackupSchedule,
  ImportedBoard,
  ModelStatus,
  SettingsBoard,
} from "../generated/schemas.ts";
import { buildUrl } from "../transport/encode.ts";
import type { BodyOf } from "../transport/operation.ts";
import { paginate } from "../transport/paginate.ts";
import { requireFile } from "../transport/options.ts";
import type { CallOptions, CreateOptions, PageOptions, Send } from "../transport/transport.ts";
import { type InboundAddressMethods, inboundAddressMethods } from "./inbound-addresses.ts";
import { type SubscriptionMethods, subscriptionMethods } from "../events/webhooks.ts";
import { type WebhookMethods, webhookMethods } from "./webhook.ts";

export type NewApiKey = Omit<BodyOf<"POST /api/settings/keys">, "boardId" | "expiresAt"> & {
  /** Null or absent: every board. */
  readonly boardId?: string | null;
  readonly expiresAt?: string | Date | null;
};

export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly nextCursor: string | null };

/** API keys. */
export interface KeyMethods {
  /** All keys, including revoked ones, oldest first. */
  list(call?: CallOptions): Promise<readonly ApiKey[]>;

  /** `key` is returned only once: a repeated call with the same `idempotencyKey` fails with 409. */
  create(input: NewApiKey, call?: CreateOptions): Promise<{ readonly key: string; readonly apiKey: ApiKey }>;

  /** A budget of null removes the limit. */
  update(keyId: string, body: BodyOf<"PATCH /api/settings/keys/{keyId}">, call?: CallOptions): Promise<ApiKey>;

  /** The key stops working immediately and stays in the list. */
  revoke(keyId: string, call?: CallOptions): Promise<ApiKey>;
}

/** Backups on a schedule. Owners only. */
export interface BackupMethods {
  /** The schedule and the backups, newest first. */
  get(call?: CallOptions): Promise<Backups>;

  /** Fields that are left out keep their value. */
  schedule(body: BodyOf<"PATCH /api/settings/backups">, call?: CallOptions): Promise<BackupSchedule>;

  /** Starts a backup in the background; `get` shows the result. */
  create(call?: CallOptions): Promise<Backup>;
}

/** For pages that the server itself serves: the session is a cookie. API keys get 403. Most require an admin or owner. */
export interface SettingsMethods {
  /** API keys. */
  readonly keys: KeyMethods;
  /** URLs for senders that can't set a header. For every member. */
  readonly inboundAddresses: InboundAddressMethods;
  /** The webhook and its deliveries. Owners only. */
  readonly webhook: WebhookMethods;
  /** Webhooks that keys and owners registered. Owners only. */
  readonly webhooks: SubscriptionMethods;
  /** Backups on a schedule. Owners only. */
  readonly backups: BackupMethods;

  /** One page of the changes of settings, newest first. */
  audit(options?: PageOptions): Promise<AuditPage>;

  /** All changes of settings, newest first, read page by page. */
  iterateAudit(options?: PageOptions): AsyncGenerator<AuditEntry, void, undefined>;

  /** The configured language model, and what computes sentence vectors. */
  model(call?: CallOptions): Promise<ModelStatus>;

  /** All boards. Deleted ones that can be restored come last. */
  boards(call?: CallOptions): Promise<readonly SettingsBoard[]>;

  /** The path that the export of a board is downloaded from. */
  exportPath(boardId: string): string;

  /** Creates a board from an exported file. The default `name` is the one in the file. */
  importBoard(file: Blob, options?: CallOptions & { readonly name?: string }): Promise<ImportedBoard>;
}

export function settingsMethods(send: Send): SettingsMethods {
  return {
    keys: keyMethods(send),
    inboundAddresses: inboundAddressMethods(send),
    webhook: webhookMethods(send),
    webhooks: subscriptionMethods(send, "/api/settings/webhooks"),
    backups: backupMethods(send),
    ...businessMethods(send),
  };
}

function keyMethods(send: Send): KeyMethods {
  return {
    list: async (call = {}) => (await send("GET /api/settings/keys", call)).keys,

    create: async (input, call = {}) => {
      const body = input as BodyOf<"POST /api/settings/keys">;
      const { key, apiKey } = await send("POST /api/settings/keys", { ...call, body });
      return { key, apiKey };
    },

    update: async (keyId, body, call = {}) => (await send("PATCH /api/settings/keys/{keyId}", { ...call, path: { keyId }, body })).apiKey,

    revoke: async (keyId, call = {}) => (await send("DELETE /api/settings/keys/{keyId}", { ...call, path: { keyId } })).apiKey,
  };
}

function backupMethods(send: Send): BackupMethods {
  return {
    get: async (call = {}) => {
      const { schedule, backups, isShared } = await send("GET /api/settings/backups", call);
      return { schedule, backups, isShared };
    },

    schedule: async (body, call = {}) => (await send("PATCH /api/settings/backups", { ...call, body })).schedule,

    create: async (call = {}) => (await send("POST /api/settings/backups", call)).backup,
  };
}

function businessMethods(send: Send): Omit<SettingsMethods, "keys" | "inboundAddresses" | "webhook" | "backups" | "webhooks"> {
  async function audit({ limit, cursor, ...call }: PageOptions = {}): Promise<AuditPage> {
    const { entries, nextCursor } = await send("GET /api/settings/audit", { ...call, query: { limit, cursor: cursor ?? undefined } });
    return { entries, nextCursor };
  }

  return {
    audit,

    iterateAudit: (options = {}) =>
      paginate(async (cursor) => {
        const { entries, nextCursor } = await audit({ ...options, cursor });
        return { items: entries, nextCursor };
      }, options.cursor),

    model: async (call = {}) => {
      const { model, embeddings } = await send("GET /api/settings/model", call);
      return { model, embeddings };
    },

    boards: async (call = {}) => (await send("GET /api/settings/boards", call)).boards,

    exportPath: (boardId) => buildUrl("", "/api/settings/boards/{boardId}/export", { path: { boardId } }),

    importBoard: async (file, { name, ...call } = {}) => {
      requireFile(file);
      const form = { file: new File([file], "board.jsonl") };
      const { board, zones, tiles } = await send("POST /api/settings/boards/import", { ...call, query: { name }, form });
      return { board, zones, tiles };
    },
  };
}
