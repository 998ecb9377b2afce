import { Type } from "typebox";
import type { Actor } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import { type ApiKey, PERMISSIONS } from "#domain/settings/api-key.ts";
import { isoTime } from "#domain/core/system.ts";
import type { MonthUsage } from "#service/usage.ts";
import { type InputLimits, type Output, choice, entity, isoOrNull, nameInput, object, orNull, time, timeOrNull } from "../schema.ts";
import { EXAMPLE } from "../example.ts";

/** The maximum budget, in tokens per month: far below the largest exact integer. */
const MAX_BUDGET = 1_000_000_000_000;

const usage = entity(
  "MonthUsage",
  {
    month: Type.String({ description: "The current month, such as 2026-11." }),
    calls: Type.Integer(),
    inputTokens: Type.Integer(),
    outputTokens: Type.Integer(),
  },
  {
    description: "How much the key used language models this month.",
    examples: [{ month: "2026-11", calls: 12, inputTokens: 8_140, outputTokens: 2_031 }],
  },
);

const permission = choice(PERMISSIONS, { title: "Permission" });
const budget = orNull("integer", {
  description: "Tokens of language models that the key may use per calendar month (UTC). null: no limit.",
});

const webhooks = Type.Boolean({ description: "Whether the key may manage webhooks of its own.", examples: [false] });

/** Limits that clients can check before they send a request. */
export const CLIENT_LIMITS = object({
  fileBytes: Type.Integer({ description: "The largest file that can be uploaded, in bytes.", examples: [20_971_520] }),
});

export const ME = entity("Me", {
  business: object({ id: Type.String({ examples: [EXAMPLE.businessId] }), name: Type.String({ examples: ["Harbour museum"] }) }),
  key: object({ id: Type.String({ examples: [EXAMPLE.keyId] }), name: Type.String({ examples: ["n8n"] }) }),
  scope: object({
    boardId: orNull("string", { description: "The only board that the key can access. null: all boards.", examples: [EXAMPLE.boardId] }),
  }),
  permission,
  expiresAt: orNull("string", { examples: [null] }),
  budget,
  webhooks,
  usage,
  limits: CLIENT_LIMITS,
});

export const presentMe = (
  actor: Extract<Actor, { readonly kind: "key" }>,
  business: Business | null,
  used: MonthUsage,
  limits: Output<typeof CLIENT_LIMITS>,
): Output<typeof ME> => ({
  business: { id: actor.businessId, name: business?.name ?? "" },
  key: { id: actor.keyId, name: actor.keyName },
  scope: { boardId: actor.boardId },
  permission: actor.permission,
  expiresAt: isoOrNull(actor.expiresAt),
  budget: actor.budget,
  webhooks: actor.webhooks === true,
  usage: used,
  limits: { fileBytes: limits.fileBytes },
});

const apiKeyFields = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: "The first characters of the key, to tell keys apart." }),
  boardId: orNull("string", { description: "The only board that the key can access. null: all boards." }),
  permission,
  expiresAt: timeOrNull,
  lastUsedAt: timeOrNull,
  revokedAt: timeOrNull,
  budget,
  webhooks,
  usage,
  createdBy: Type.String({ description: "The id of the member, or operator." }),
  createdAt: time,
};
const API_KEY = entity("ApiKey", apiKeyFields, {
  examples: [
    {
      id: EXAMPLE.keyId,
      name: "n8n",
      prefix: "tsr_4Fq2",
      boardId: EXAMPLE.boardId,
      permission: "write",
      expiresAt: null,
      lastUsedAt: EXAMPLE.later,
      revokedAt: null,
      budget: null,
      webhooks: false,
      usage: { month: "2026-11", calls: 12, inputTokens: 8_140, outputTokens: 2_031 },
      createdBy: EXAMPLE.memberId,
      createdAt: EXAMPLE.created,
    },
  ],
});

export const API_KEY_RESPONSES = {
  apiKey: object({ apiKey: API_KEY }),
  apiKeys: object({ keys: Type.Array(API_KEY) }),
  created: object({ key: Type.String({ description: "The API key. It is shown only once.", examples: ["tsr_4Fq2…"] }), apiKey: API_KEY }),
};

export const presentApiKey = (key: ApiKey, used: MonthUsage): Output<typeof API_KEY> => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  boardId: key.boardId,
  permission: key.permission,
  expiresAt: isoOrNull(key.expiresAt),
  lastUsedAt: isoOrNull(key.lastUsedAt),
  revokedAt: isoOrNull(key.revokedAt),
  budget: key.budget,
  webhooks: key.webhooks,
  usage: used,
  createdBy: key.createdBy,
  createdAt: isoTime(key.createdAt),
});

export function createApiKeyInputs(limits: Pick<InputLimits, "name">) {
  const name = (blank: "missing" | "refused") => nameInput(limits.name, blank, "A name to tell keys apart.");
  const budgetInput = (ofNull: string) =>
    Type.Optional(
      orNull("integer", {
        minimum: 1,
        maximum: MAX_BUDGET,
        description: `Tokens of language models per calendar month (UTC). ${ofNull}`,
      }),
    );
  return {
    create: Type.Object(
      {
        name: name("missing"),
        board_id: Type.Optional(Type.String({ description: "Limits the key to one board. Default: all boards." })),
        permission: Type.Optional(
          choice(PERMISSIONS, { title: "Permission", description: "What the key is allowed to do. Default: write." }),
        ),
        expires_at: Type.Optional(Type.String({ format: "date-time", description: "When the key expires. Default: never." })),
        budget: budgetInput("Default: no limit."),
        webhooks: Type.Optional(
          Type.Boolean({ description: "true lets the key manage webhooks of its own. Only owners can set it. Default: false." }),
        ),
      },
      { examples: [{ name: "n8n", permission: "write" }] },
    ),
    update: Type.Object(
      { name: Type.Optional(name("refused")), budget: budgetInput("null removes the limit.") },
      { examples: [{ budget: 1_000_000 }] },
    ),
  };
}
