import { type Authorized, type Permission, checkBoardAccess } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import type { Generation, GenerationResult, LeasedGeneration, NewGeneration } from "#domain/answers/generation.ts";
import type { Store } from "#domain/store.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import { getCreated, T0 } from "../../support/boards.ts";
import type { StoreContext } from "../store-context.ts";

export const DAY = 24 * 3_600_000;
export const DOWN = { code: "model_unreachable", message: "The language model can't be reached.", retryAfterSeconds: 5 } as const;
export const ALL = ["tile.ready", "generation.complete", "generation.failed"] as const;

export const createDraft = (more: Partial<NewGeneration> = {}, at = T0): NewGeneration => ({
  id: newId("gen", at),
  endpoint: "/api/v1/generate",
  assetType: "video",
  request: { prompt: "Tides 🌊", assetType: "video" },
  lease: `lease ${Math.random()}`,
  ...more,
});

export async function startGeneration(
  { store, scope }: Pick<StoreContext, "store" | "scope">,
  more: Partial<NewGeneration> = {},
  now = T0,
): Promise<{ readonly generation: Generation; readonly held: LeasedGeneration }> {
  const draft = createDraft(more, now);
  const generation = getCreated(await store.generations.create(scope, draft, now));
  return { generation, held: { businessId: scope.target.businessId, boardId: scope.target.id, id: draft.id, lease: draft.lease } };
}

const quote = { tileId: "til_1", title: "Tides", type: "TEXT", sourceUrl: null, quote: "High 🌊", start: 0, end: 7 } as const;
export const draftResult: GenerationResult = {
  mode: "model",
  output: { title: "High tide", text: "# High tide", sections: [{ heading: "Hook", text: "High", citations: [quote] }] },
  ideas: null,
  citations: [quote],
  contextTokens: 12,
};
export const createIdeas = (...ids: string[]): GenerationResult => ({
  mode: "extractive",
  output: null,
  ideas: ids.map((id) => ({ id, title: `Title ${id}`, hook: "Hook", angle: "Angle", rationale: "Rationale", citations: [quote] })),
  citations: [quote],
  contextTokens: 3,
  notice: "Said so.",
});

export const events = async (store: Store, businessId: string): Promise<unknown[]> =>
  (await store.webhooks.deliveries(businessId, 100)).map(({ event, payload }) => [event, JSON.parse(payload)]).toReversed();

export const listIds = async (
  { store, manage }: Pick<StoreContext, "store" | "manage">,
  query = {},
  after: string | null = null,
  limit = 100,
) => (await store.generations.list(manage, query, after, limit)).map(({ id }) => id);

/** Authorized as an API key, so that its idempotency keys are separate. */
export const authorizeAsKey = (board: Board): Authorized<Board, Permission | "manage"> => {
  const key = { keyId: "key_1", keyName: "One", boardId: null, permission: "write", expiresAt: null, budget: null } as const;
  return checkBoardAccess({ kind: "key", businessId: board.businessId, ...key }, board.id, board, "manage");
};

export const createIdempotencyRecord = (
  businessId: string,
  more: Partial<IdempotencyRecord<Generation>> = {},
): IdempotencyRecord<Generation> => ({
  businessId,
  apiKeyId: "key_1",
  path: "/api/v1/generate",
  key: "once",
  requestHash: "hash",
  expiresAt: T0 + DAY,
  render: ({ id }) => id,
  ...more,
});

export const getReplayedBody = <T>(outcome: IdempotentOutcome<T>): string | null => (outcome.replayed ? outcome.body : null);
