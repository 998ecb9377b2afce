import type { CallOptions, CreateOptions, Send } from "./transport/transport.ts";
import type { Board, Open, Permission } from "./types.ts";

/** An API key as the settings list it; the key itself is told once, when it is made. Times are ISO 8601. */
export type ApiKey = {
  readonly id: string;
  readonly name: string;
  /** Its first characters, to tell keys apart. */
  readonly prefix: string;
  /** The one board that it reaches; null for all. */
  readonly boardId: string | null;
  readonly permission: Permission;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  /** Tokens of language models in a calendar month, UTC; null for no bound. */
  readonly budget: number | null;
  /** What it used this month. */
  readonly usage: { readonly month: string; readonly calls: number; readonly inputTokens: number; readonly outputTokens: number };
  /** A member's id, or `operator`. */
  readonly createdBy: string;
  readonly createdAt: string;
};

export type NewApiKey = {
  readonly name: string;
  /** Null or left out: every board. */
  readonly boardId?: string | null;
  /** `write` unless told. */
  readonly permission?: Permission;
  readonly expiresAt?: string | Date | null;
  readonly budget?: number | null;
};

export type WebhookEventName = Open<"tile.ready" | "generation.complete" | "tile.failed" | "tile.updated" | "generation.failed">;

export type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEventName[];
  /** Until when the secret before the last rotation also signs; null where it does not. */
  readonly overlapUntil: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** `secret` is told this once. */
export type WebhookSecret = { readonly webhook: Webhook; readonly secret: string };

export type Delivery = {
  readonly id: string;
  readonly event: Open<WebhookEventName | "test">;
  readonly url: string;
  readonly status: Open<"pending" | "sending" | "succeeded" | "failed">;
  readonly responseStatus: number | null;
  readonly durationMs: number | null;
  readonly error: string | null;
  readonly createdAt: string;
  readonly sentAt: string | null;
};

export type DeliveryDetail = Delivery & {
  /** The exact body; null until it is sent, as the headers are. */
  readonly body: string | null;
  /** Signatures are masked. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** The first 20,000 bytes of the answer, as text. */
  readonly responseStart: string | null;
};

export type AuditEntry = {
  readonly actor: { readonly kind: Open<"operator" | "key" | "member">; readonly id: string; readonly name: string };
  readonly action: string;
  /** The id of what was changed. */
  readonly subject: string;
  readonly at: string;
};

export type ModelStatus = {
  /** Null where answers are extractive. */
  readonly model: { readonly provider: string; readonly name: string } | null;
  readonly embeddings: { readonly kind: Open<"local" | "off" | "openai-compatible">; readonly model: string | null };
};

/** When the whole install is backed up. */
export type BackupSchedule = {
  readonly every: Open<"off" | "day" | "week">;
  /** 0 to 23, UTC. */
  readonly hour: number;
  /** How many of the newest backups stay. */
  readonly keep: number;
  readonly nextAt: string | null;
};

export type Backup = {
  readonly id: string;
  /** The file's name in the backup folder of that node. */
  readonly file: string;
  /** The machine that makes it; null while none has taken it up. */
  readonly node: string | null;
  readonly bytes: number | null;
  /** `removed`: there are enough newer ones, or somebody took the file away. */
  readonly status: Open<"running" | "done" | "failed" | "removed">;
  readonly error: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
};

export type Backups = {
  readonly schedule: BackupSchedule;
  /** At most 100, the newest first. */
  readonly backups: readonly Backup[];
  /** Whether the install holds several businesses: then its operator alone changes the schedule and makes backups. */
  readonly isShared: boolean;
};

/** `deletedAt` is null for a board that is not deleted. */
export type SettledBoard = Board & { readonly deletedAt: string | null };
export type ImportedBoard = { readonly board: Board; readonly zones: number; readonly tiles: number };

/** 50 rows unless `limit` (at most 500) tells otherwise; `cursor` is the `nextCursor` of the page before. */
export type PageOptions = CallOptions & { readonly limit?: number; readonly cursor?: string | null };

type KeyBody = { readonly apiKey: ApiKey };
type WebhookBody = { readonly webhook: Webhook };
type Recorded = { readonly delivery: { readonly id: string } };

const path = (...rest: readonly string[]): string[] => ["api", "settings", ...rest];

/** For pages that the service itself serves, where somebody is logged in; a key gets 403. Keys and business: admins and owners. */
export function settingsMethods(send: Send) {
  return {
    keys: {
      /** Revoked ones too, the oldest first. */
      list: async (call: CallOptions = {}): Promise<readonly ApiKey[]> =>
        (await send<{ readonly keys: readonly ApiKey[] }>("GET", path("keys"), call)).keys,

      /** `key` is told this once: a repetition under the same `idempotencyKey` is a 409. */
      create: async (input: NewApiKey, call: CreateOptions = {}): Promise<{ readonly key: string; readonly apiKey: ApiKey }> => {
        const { name, boardId, permission, expiresAt, budget } = input;
        const expiry = expiresAt instanceof Date ? expiresAt.toISOString() : expiresAt;
        const body = { name, board_id: boardId, permission, expires_at: expiry, budget };
        const { key, apiKey } = await send<KeyBody & { readonly key: string }>("POST", path("keys"), { ...call, body });
        return { key, apiKey };
      },

      /** A budget of null takes the bound away. */
      update: async (
        keyId: string,
        { name, budget }: { readonly name?: string; readonly budget?: number | null },
        call: CallOptions = {},
      ): Promise<ApiKey> => (await send<KeyBody>("PATCH", path("keys", keyId), { ...call, body: { name, budget } })).apiKey,

      /** Holds at once; the key stays in the list. */
      revoke: async (keyId: string, call: CallOptions = {}): Promise<ApiKey> =>
        (await send<KeyBody>("DELETE", path("keys", keyId), call)).apiKey,
    },

    webhook: webhookMethods(send),

    /** Owners only. */
    backups: {
      get: async (call: CallOptions = {}): Promise<Backups> => {
        const { schedule, backups, isShared } = await send<Backups>("GET", path("backups"), call);
        return { schedule, backups, isShared };
      },

      /** What is not named stays. */
      schedule: async (
        { every, hour, keep }: Partial<Pick<BackupSchedule, "every" | "hour" | "keep">>,
        call: CallOptions = {},
      ): Promise<BackupSchedule> =>
        (await send<Pick<Backups, "schedule">>("PATCH", path("backups"), { ...call, body: { every, hour, keep } })).schedule,

      /** Has one made now, in the background; `get` tells how it ended. */
      make: async (call: CallOptions = {}): Promise<Backup> =>
        (await send<{ readonly backup: Backup }>("POST", path("backups"), call)).backup,
    },

    /** Changes of settings, the newest first. */
    audit: async ({ limit, cursor, ...call }: PageOptions = {}): Promise<{
      readonly entries: readonly AuditEntry[];
      readonly nextCursor: string | null;
    }> => {
      const { entries, nextCursor } = await send<{ readonly entries: readonly AuditEntry[]; readonly nextCursor: string | null }>(
        "GET",
        path("audit"),
        { ...call, query: { limit, cursor } },
      );
      return { entries, nextCursor };
    },

    model: async (call: CallOptions = {}): Promise<ModelStatus> => {
      const { model, embeddings } = await send<ModelStatus>("GET", path("model"), call);
      return { model, embeddings };
    },

    /** Every board, those that can still be restored last. */
    boards: async (call: CallOptions = {}): Promise<readonly SettledBoard[]> =>
      (await send<{ readonly boards: readonly SettledBoard[] }>("GET", path("boards"), call)).boards,

    /** Where a board's export is downloaded from, below the service's address. */
    exportPath: (boardId: string): string => `/${path("boards", encodeURIComponent(boardId), "export").join("/")}`,

    /** Makes a new board of an exported file, called as it was unless `name` tells otherwise. */
    importBoard: async (file: Blob, { name, ...call }: CallOptions & { readonly name?: string } = {}): Promise<ImportedBoard> => {
      const form = new FormData();
      form.set("file", file, "board.jsonl");
      const { board, zones, tiles } = await send<ImportedBoard>("POST", path("boards", "import"), { ...call, query: { name }, form });
      return { board, zones, tiles };
    },
  };
}

/** Owners only. */
function webhookMethods(send: Send) {
  return {
    /** Null where none is set. */
    get: async (call: CallOptions = {}): Promise<Webhook | null> =>
      (await send<{ readonly webhook: Webhook | null }>("GET", path("webhook"), call)).webhook,

    /** Replaces the one before, with a new secret. */
    set: async (
      { url, events }: { readonly url: string; readonly events?: readonly WebhookEventName[] },
      call: CallOptions = {},
    ): Promise<WebhookSecret> => secretIn(await send<WebhookSecret>("POST", path("webhook"), { ...call, body: { url, events } })),

    /** The secret stays. */
    update: async (
      { url, events }: { readonly url?: string; readonly events?: readonly WebhookEventName[] },
      call: CallOptions = {},
    ): Promise<Webhook> => (await send<WebhookBody>("PATCH", path("webhook"), { ...call, body: { url, events } })).webhook,

    /** A new secret; the one before also signs for `overlapHours` (24 unless told, at most 720). */
    rotate: async ({ overlapHours, ...call }: CallOptions & { readonly overlapHours?: number } = {}): Promise<WebhookSecret> =>
      secretIn(await send<WebhookSecret>("POST", path("webhook", "rotate"), { ...call, body: { overlap_hours: overlapHours } })),

    remove: async (call: CallOptions = {}): Promise<void> => {
      await send("DELETE", path("webhook"), call);
    },

    /** Sends an event `test`; answers its delivery. */
    test: async (call: CallOptions = {}): Promise<{ readonly id: string }> =>
      (await send<Recorded>("POST", path("webhook", "test"), call)).delivery,

    /** The newest first. */
    deliveries: async ({ limit, cursor, ...call }: PageOptions = {}): Promise<{
      readonly deliveries: readonly Delivery[];
      readonly nextCursor: string | null;
    }> => {
      const { deliveries, nextCursor } = await send<{ readonly deliveries: readonly Delivery[]; readonly nextCursor: string | null }>(
        "GET",
        path("webhook", "deliveries"),
        { ...call, query: { limit, cursor } },
      );
      return { deliveries, nextCursor };
    },

    delivery: async (deliveryId: string, call: CallOptions = {}): Promise<DeliveryDetail> =>
      (await send<{ readonly delivery: DeliveryDetail }>("GET", path("webhook", "deliveries", deliveryId), call)).delivery,

    /** Sends the same event once more, as a delivery of its own. */
    redeliver: async (deliveryId: string, call: CallOptions = {}): Promise<{ readonly id: string }> =>
      (await send<Recorded>("POST", path("webhook", "deliveries", deliveryId, "redeliver"), call)).delivery,
  };
}

const secretIn = ({ webhook, secret }: WebhookSecret): WebhookSecret => ({ webhook, secret });
