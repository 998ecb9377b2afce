import { type TObject, type TProperties, type TSchema, Type } from "typebox";
import { PERMISSIONS } from "#domain/settings/api-key.ts";
import { BACKUP_RHYTHMS, MAX_BACKUPS } from "#domain/settings/backup.ts";
import { DELIVERY_STATUSES, EVENT_TYPES } from "#domain/settings/webhook.ts";
import type { InputLimits } from "./inputs.ts";

/** Tokens a month; far below where whole numbers lose their exactness. */
const MAX_BUDGET = 1_000_000_000_000;
/** Thirty days. */
const MAX_OVERLAP_HOURS = 720;

const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
const budgetOf = (description: string) =>
  Type.Unsafe<number | null>({ type: ["integer", "null"], minimum: 1, maximum: MAX_BUDGET, description });
const address = Type.String({ maxLength: 2_048, "x-too-long": "url is too long.", description: "Where events are posted to." });
const events = Type.Array(Type.Unsafe<string>({ type: "string", enum: [...EVENT_TYPES] }), {
  maxItems: 20,
  description: "The events that are sent.",
});

/** The request schemas of keys, webhook and business; `limits` are counted in Unicode code points. */
export function createSettingsInputs(limits: Pick<InputLimits, "name">) {
  const name = (blank: "missing" | "refused") =>
    Type.String({ maxLength: limits.name, "x-blank": blank, description: "Tells keys apart." });
  return {
    keyCreate: Type.Object({
      name: name("missing"),
      board_id: optional(Type.String({ description: "Holds the key to one board; left out, it reaches all." })),
      permission: optional(
        Type.Unsafe<(typeof PERMISSIONS)[number]>({
          type: "string",
          enum: [...PERMISSIONS],
          description: "What it may do; write by default.",
        }),
      ),
      expires_at: optional(Type.String({ format: "date-time", description: "When it ends; left out, never." })),
      budget: optional(budgetOf("Tokens of language models a calendar month (UTC); left out or null, without a bound.")),
    }),
    keyUpdate: Type.Object({
      name: optional(name("refused")),
      budget: optional(budgetOf("Tokens of language models a calendar month (UTC); null takes the bound away.")),
    }),
    webhookSet: Type.Object({ url: address, events: optional(events) }),
    webhookUpdate: Type.Object({ url: optional({ ...address, "x-blank": "refused" }), events: optional(events) }),
    webhookRotate: Type.Object({
      overlap_hours: optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_OVERLAP_HOURS,
          description: "How long the earlier secret goes on signing; 24 by default.",
        }),
      ),
    }),
    page: Type.Object({
      limit: optional(Type.Integer({ minimum: 1, maximum: 500, description: "Page size; 50 by default." })),
      cursor: optional(Type.String({ description: "The nextCursor of the page before.", "x-blank": "kept" })),
    }),
    boardImport: Type.Object({
      name: optional(Type.String({ maxLength: limits.name, description: "The new board's name; left out, the exported one's." })),
    }),
    backupSchedule: Type.Object({
      every: optional(
        Type.Unsafe<(typeof BACKUP_RHYTHMS)[number]>({ type: "string", enum: [...BACKUP_RHYTHMS], description: "How often." }),
      ),
      hour: optional(Type.Integer({ minimum: 0, maximum: 23, description: "The hour of the day, UTC." })),
      keep: optional(Type.Integer({ minimum: 1, maximum: MAX_BACKUPS, description: "How many of the newest backups stay." })),
    }),
    nothing: Type.Object({}),
  };
}

export type SettingsInputs = ReturnType<typeof createSettingsInputs>;

const object = <P extends TProperties>(properties: P): TObject<P> => Type.Object(properties, { additionalProperties: false });
const orNull = (type: string) => Type.Unsafe<unknown>({ type: [type, "null"] });
const choiceOf = (values: readonly string[]) => Type.Unsafe<string>({ type: "string", enum: [...values] });
const time = Type.String({ format: "date-time" });
const timeOrNull = Type.Unsafe<unknown>({ type: ["string", "null"], format: "date-time" });
const nextCursor = orNull("string");

const apiKey = object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: "Its first characters, to tell keys apart." }),
  boardId: orNull("string"),
  permission: choiceOf(PERMISSIONS),
  expiresAt: timeOrNull,
  lastUsedAt: timeOrNull,
  revokedAt: timeOrNull,
  budget: orNull("integer"),
  usage: object({ month: Type.String(), calls: Type.Integer(), inputTokens: Type.Integer(), outputTokens: Type.Integer() }),
  createdBy: Type.String({ description: "The member's id, or operator." }),
  createdAt: time,
});
const webhook = object({
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(choiceOf(EVENT_TYPES)),
  overlapUntil: timeOrNull,
  createdAt: time,
  updatedAt: time,
});
const delivery = {
  id: Type.String(),
  event: Type.String(),
  url: Type.String(),
  status: choiceOf(DELIVERY_STATUSES),
  responseStatus: orNull("integer"),
  durationMs: orNull("integer"),
  error: orNull("string"),
  createdAt: time,
  sentAt: timeOrNull,
};
const backupSchedule = object({
  every: choiceOf(BACKUP_RHYTHMS),
  hour: Type.Integer({ description: "UTC." }),
  keep: Type.Integer(),
  nextAt: timeOrNull,
});
const backup = object({
  id: Type.String(),
  file: Type.String({ description: "Its name in the backup folder of that node." }),
  node: orNull("string"),
  bytes: orNull("integer"),
  status: choiceOf(["running", "done", "failed", "removed"]),
  error: orNull("string"),
  startedAt: time,
  endedAt: timeOrNull,
});
const board = { id: Type.String(), name: Type.String(), isDefault: Type.Boolean(), slug: Type.String() };
const secret = Type.String({ description: "Shown in this answer alone." });

/** The response schemas of keys, webhook and business. */
export const SETTINGS_OUTPUTS = {
  ok: object({ ok: Type.Literal(true) }),
  keys: object({ keys: Type.Array(apiKey) }),
  keyCreated: object({ key: secret, apiKey }),
  key: object({ apiKey }),
  webhook: object({ webhook }),
  webhookOrNull: object({ webhook: Type.Union([webhook, Type.Null()]) }),
  webhookSecret: object({ webhook, secret }),
  recorded: object({ delivery: object({ id: Type.String() }) }),
  deliveries: object({ deliveries: Type.Array(object(delivery)), nextCursor }),
  delivery: object({
    delivery: object({
      ...delivery,
      body: Type.Unsafe<unknown>({ type: ["string", "null"], description: "The exact body; null until it is sent." }),
      headers: Type.Unsafe<unknown>({
        type: ["object", "null"],
        additionalProperties: { type: "string" },
        description: "The headers it was sent with, signatures masked; null until it is sent.",
      }),
      responseStart: Type.Unsafe<unknown>({ type: ["string", "null"], description: "The first 20,000 bytes of the answer, as text." }),
    }),
  }),
  audit: object({
    entries: Type.Array(
      object({
        actor: object({ kind: choiceOf(["operator", "key", "member"]), id: Type.String(), name: Type.String() }),
        action: Type.String(),
        subject: Type.String({ description: "The id of what was changed." }),
        at: time,
      }),
    ),
    nextCursor,
  }),
  model: object({
    model: Type.Union([object({ provider: Type.String(), name: Type.String() }), Type.Null()]),
    embeddings: object({ kind: choiceOf(["local", "off", "openai-compatible"]), model: orNull("string") }),
  }),
  backups: object({
    schedule: backupSchedule,
    backups: Type.Array(backup),
    isShared: Type.Boolean({ description: "Whether the install holds several businesses: then only its operator changes this." }),
  }),
  backupSchedule: object({ schedule: backupSchedule }),
  backup: object({ backup }),
  boards: object({ boards: Type.Array(object({ ...board, deletedAt: timeOrNull })) }),
  imported: object({ board: object(board), zones: Type.Integer(), tiles: Type.Integer() }),
  exported: Type.Unsafe<string>({
    description: "JSON lines: a head, the zones, the tiles.",
    content: { "application/x-ndjson": { schema: { type: "string" } } },
  }),
};
