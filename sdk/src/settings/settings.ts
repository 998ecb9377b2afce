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
import type { CallOptions, CreateOptions, PageOptions, Send } from "../transport/transport.ts";
import { webhookMethods } from "./webhook.ts";

export type NewApiKey = Omit<BodyOf<"POST /api/settings/keys">, "boardId" | "expiresAt"> & {
  /** Null or absent: every board. */
  readonly boardId?: string | null;
  readonly expiresAt?: string | Date | null;
};

/** For pages that the server itself serves: the session is a cookie. API keys get 403. Requires an admin or owner. */
export function settingsMethods(send: Send) {
  return {
    keys: keyMethods(send),
    webhook: webhookMethods(send),
    backups: backupMethods(send),
    ...businessMethods(send),
  };
}

function keyMethods(send: Send) {
  return {
    /** All keys, including revoked ones, oldest first. */
    list: async (call: CallOptions = {}): Promise<readonly ApiKey[]> => (await send("GET /api/settings/keys", call)).keys,

    /** `key` is returned only once: a repeated call with the same `idempotencyKey` fails with 409. */
    create: async (input: NewApiKey, call: CreateOptions = {}): Promise<{ readonly key: string; readonly apiKey: ApiKey }> => {
      const body = input as BodyOf<"POST /api/settings/keys">;
      const { key, apiKey } = await send("POST /api/settings/keys", { ...call, body });
      return { key, apiKey };
    },

    /** A budget of null removes the limit. */
    update: async (keyId: string, body: BodyOf<"PATCH /api/settings/keys/{keyId}">, call: CallOptions = {}): Promise<ApiKey> =>
      (await send("PATCH /api/settings/keys/{keyId}", { ...call, path: { keyId }, body })).apiKey,

    /** The key stops working immediately and stays in the list. */
    revoke: async (keyId: string, call: CallOptions = {}): Promise<ApiKey> =>
      (await send("DELETE /api/settings/keys/{keyId}", { ...call, path: { keyId } })).apiKey,
  };
}

/** Owners only. */
function backupMethods(send: Send) {
  return {
    get: async (call: CallOptions = {}): Promise<Backups> => {
      const { schedule, backups, isShared } = await send("GET /api/settings/backups", call);
      return { schedule, backups, isShared };
    },

    /** Fields that are left out keep their value. */
    schedule: async (body: BodyOf<"PATCH /api/settings/backups">, call: CallOptions = {}): Promise<BackupSchedule> =>
      (await send("PATCH /api/settings/backups", { ...call, body })).schedule,

    /** Starts a backup in the background; `get` shows the result. */
    create: async (call: CallOptions = {}): Promise<Backup> => (await send("POST /api/settings/backups", call)).backup,
  };
}

function businessMethods(send: Send) {
  async function audit({ limit, cursor, ...call }: PageOptions = {}): Promise<{
    readonly entries: readonly AuditEntry[];
    readonly nextCursor: string | null;
  }> {
    const { entries, nextCursor } = await send("GET /api/settings/audit", { ...call, query: { limit, cursor: cursor ?? undefined } });
    return { entries, nextCursor };
  }

  return {
    /** One page of the changes of settings, newest first. */
    audit,

    /** All changes of settings, newest first, read page by page. */
    iterateAudit: (options: PageOptions = {}): AsyncGenerator<AuditEntry, void, undefined> =>
      paginate(async (cursor) => {
        const { entries, nextCursor } = await audit({ ...options, cursor });
        return { items: entries, nextCursor };
      }, options.cursor),

    model: async (call: CallOptions = {}): Promise<ModelStatus> => {
      const { model, embeddings } = await send("GET /api/settings/model", call);
      return { model, embeddings };
    },

    /** All boards. Deleted ones that can be restored come last. */
    boards: async (call: CallOptions = {}): Promise<readonly SettingsBoard[]> => (await send("GET /api/settings/boards", call)).boards,

    /** The path that the export of a board is downloaded from. */
    exportPath: (boardId: string): string => buildUrl("", "/api/settings/boards/{boardId}/export", { path: { boardId } }),

    /** Creates a board from an exported file. The default `name` is the one in the file. */
    importBoard: async (file: Blob, { name, ...call }: CallOptions & { readonly name?: string } = {}): Promise<ImportedBoard> => {
      const form = { file: new File([file], "board.jsonl") };
      const { board, zones, tiles } = await send("POST /api/settings/boards/import", { ...call, query: { name }, form });
      return { board, zones, tiles };
    },
  };
}
