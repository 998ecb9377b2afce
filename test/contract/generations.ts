import { describe, expect, it } from "vitest";
import { type Authorized, type Permission, checkBoardAccess } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import {
  type Generation,
  GENERATION_LEASE_MS,
  type GenerationResult,
  type LeasedGeneration,
  type NewGeneration,
} from "#domain/answers/generation.ts";
import type { Store } from "#domain/store.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import { addBoard, made, newWebhook, newZone, seedBusiness, T0, textTile } from "../support/boards.ts";
import { addText, expectRefusal, inWorld, type Open, type World } from "./world.ts";

const DAY = 24 * 3_600_000;
const DOWN = { code: "model_unreachable", message: "The language model can't be reached.", retryAfterSeconds: 5 } as const;
const ALL = ["tile.ready", "generation.complete", "generation.failed"] as const;

const draftOf = (more: Partial<NewGeneration> = {}, at = T0): NewGeneration => ({
  id: newId("gen", at),
  endpoint: "/api/v1/generate",
  assetType: "video",
  request: { prompt: "Tides 🌊", assetType: "video" },
  lease: `lease ${Math.random()}`,
  ...more,
});

async function begin(
  { store, scope }: Pick<World, "store" | "scope">,
  more: Partial<NewGeneration> = {},
  now = T0,
): Promise<{ readonly generation: Generation; readonly held: LeasedGeneration }> {
  const draft = draftOf(more, now);
  const generation = made(await store.generations.create(scope, draft, now));
  return { generation, held: { businessId: scope.target.businessId, boardId: scope.target.id, id: draft.id, lease: draft.lease } };
}

const quote = { tileId: "til_1", title: "Tides", type: "TEXT", sourceUrl: null, quote: "High 🌊", start: 0, end: 7 } as const;
const piece: GenerationResult = {
  mode: "model",
  output: { title: "High tide", text: "# High tide", sections: [{ heading: "Hook", text: "High", citations: [quote] }] },
  ideas: null,
  citations: [quote],
  contextTokens: 12,
};
const ideasOf = (...ids: string[]): GenerationResult => ({
  mode: "extractive",
  output: null,
  ideas: ids.map((id) => ({ id, title: `Title ${id}`, hook: "Hook", angle: "Angle", rationale: "Rationale", citations: [quote] })),
  citations: [quote],
  contextTokens: 3,
  notice: "Said so.",
});

const events = async (store: Store, businessId: string): Promise<unknown[]> =>
  (await store.webhooks.deliveries(businessId, 100)).map(({ event, payload }) => [event, JSON.parse(payload)]).toReversed();

const listed = async ({ store, manage }: Pick<World, "store" | "manage">, query = {}, after: string | null = null, limit = 100) =>
  (await store.generations.list(manage, query, after, limit)).map(({ id }) => id);

/** Authorized as an API key, so that its idempotency keys are separate. */
const keyGrant = (board: Board): Authorized<Board, Permission | "manage"> => {
  const key = { keyId: "key_1", keyName: "One", boardId: null, permission: "write", expiresAt: null, budget: null } as const;
  return checkBoardAccess({ kind: "key", businessId: board.businessId, ...key }, board.id, board, "manage");
};

const idempotencyRecordOf = (businessId: string, more: Partial<IdempotencyRecord<Generation>> = {}): IdempotencyRecord<Generation> => ({
  businessId,
  apiKeyId: "key_1",
  path: "/api/v1/generate",
  key: "once",
  requestHash: "hash",
  expiresAt: T0 + DAY,
  render: ({ id }) => id,
  ...more,
});

const replayOf = <T>(outcome: IdempotentOutcome<T>): string | null => (outcome.replayed ? outcome.body : null);

export function describeGenerations(open: Open): void {
  describe("a generation", () => {
    it(
      "is processing from the start, and is found by its own business only",
      inWorld(open, async (world) => {
        const { store, business, board } = world;
        const other = await seedBusiness(store, "Other Lab");
        const { generation } = await begin(world);
        expect(generation).toEqual({
          id: generation.id,
          businessId: business.id,
          boardId: board.id,
          endpoint: "/api/v1/generate",
          assetType: "video",
          status: "processing",
          title: null,
          savedTileId: null,
          error: null,
          createdAt: T0,
          updatedAt: T0,
          request: { prompt: "Tides 🌊", assetType: "video" },
          result: null,
        });
        expect(await store.generations.find(business.id, generation.id)).toEqual(generation);
        expect(await store.generations.find(other.business.id, generation.id)).toBeNull();
        expect(await store.generations.find(business.id, "gen_nobody")).toBeNull();
      }),
    );

    it(
      "completes with its result, tile and event in one commit, and only once",
      inWorld(open, async (world) => {
        const { store, business, board, scope } = world;
        await store.webhooks.put(newWebhook(business.id), "operator");
        const zone = made(await store.zones.create(scope, newZone("Results"), T0));
        const { generation, held } = await begin(world);
        const tile = textTile("# High tide", { title: "High tide", zoneId: zone.id });
        const revision = (await store.boards.revisions(board)).content;
        const done = await store.generations.complete(held, piece, tile, T0 + 5);
        const expected = { ...generation, status: "complete", title: "High tide", savedTileId: tile.id, result: piece, updatedAt: T0 + 5 };
        expect(done).toEqual(expected);
        expect(await store.generations.find(business.id, generation.id)).toEqual(expected);
        expect(await store.tiles.find(business.id, tile.id)).toMatchObject({ zoneId: zone.id, status: "ready", title: "High tide" });
        expect((await store.boards.revisions(board)).content).not.toBe(revision);
        const payload = { generationId: generation.id, boardId: board.id, endpoint: "/api/v1/generate", assetType: "video" };
        expect(await events(store, business.id)).toEqual([["generation.complete", payload]]);

        expect(await store.generations.complete(held, piece, textTile("Again"), T0 + 6)).toBeNull();
        expect(await store.generations.fail(held, DOWN, T0 + 6)).toBeNull();
        await expectRefusal(store.generations.cancel(scope, generation.id, T0 + 6), "conflict");
        expect(await events(store, business.id)).toHaveLength(1);
        expect(await store.tiles.counts()).toMatchObject({ indexPending: 1 });
      }),
    );

    it(
      "is stored completely or not at all if its zone or board was deleted",
      inWorld(open, async (world) => {
        const { store, business, manage, scope } = world;
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const zone = made(await store.zones.create(scope, newZone("Results"), T0));
        const { held } = await begin(world);
        await store.zones.remove(scope, zone.id, T0 + 1);
        const tile = textTile("Nowhere", { zoneId: zone.id });
        await expectRefusal(store.generations.complete(held, piece, tile, T0 + 2), "invalid");
        expect(await store.tiles.find(business.id, tile.id)).toBeNull();
        expect(await store.generations.find(business.id, held.id)).toMatchObject({ status: "processing", result: null });
        expect(await store.generations.complete(held, piece, null, T0 + 3)).toMatchObject({ status: "complete", savedTileId: null });

        const second = await addBoard(store, manage);
        const { held: gone } = await begin({ store, scope: second.scope });
        await store.boards.remove(second.scope, T0 + 4);
        await expectRefusal(store.generations.complete(gone, piece, textTile("Nowhere"), T0 + 5), "not_found");
        expect(await store.generations.complete(gone, piece, null, T0 + 6)).toMatchObject({ status: "complete" });
        expect(await store.generations.find(business.id, gone.id)).toBeNull();
        await expectRefusal(begin({ store, scope: second.scope }), "not_found");
        // A deleted board records no events.
        expect(await events(store, business.id)).toHaveLength(1);
      }),
    );

    it(
      "has the reason when it fails, and an event if that is enabled",
      inWorld(open, async (world) => {
        const { store, business, board } = world;
        await store.webhooks.put(newWebhook(business.id), "operator");
        const quiet = await begin(world);
        await store.generations.fail(quiet.held, DOWN, T0 + 1);
        expect(await events(store, business.id)).toEqual([]);
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const { held, generation } = await begin(world, { endpoint: "/api/v1/idea", assetType: null, request: {} });
        expect(await store.generations.fail(held, DOWN, T0 + 2)).toEqual({
          ...generation,
          status: "failed",
          error: DOWN,
          updatedAt: T0 + 2,
        });
        expect(await store.generations.complete(held, piece, null, T0 + 3)).toBeNull();
        const payload = { generationId: generation.id, boardId: board.id, endpoint: "/api/v1/idea" };
        expect(await events(store, business.id)).toEqual([["generation.failed", payload]]);
      }),
    );

    it(
      "stays cancelled without an event, and cannot be cancelled on another board or after its end",
      inWorld(open, async (world) => {
        const { store, business, manage, scope } = world;
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const { held, generation } = await begin(world);
        const second = await addBoard(store, manage);
        await expectRefusal(store.generations.cancel(second.scope, generation.id, T0 + 1), "not_found");
        await expectRefusal(store.generations.cancel(scope, "gen_nobody", T0 + 1), "not_found");
        expect(await store.generations.cancel(scope, generation.id, T0 + 2)).toEqual({
          ...generation,
          status: "cancelled",
          updatedAt: T0 + 2,
        });
        expect(await store.generations.renew([held], T0 + 3)).toEqual(new Set());
        expect(await store.generations.complete(held, piece, textTile("Too late"), T0 + 3)).toBeNull();
        expect(await store.generations.expire(T0 + DAY)).toBe(0);
        await expectRefusal(store.generations.cancel(scope, generation.id, T0 + 4), "conflict");
        expect(await events(store, business.id)).toEqual([]);
        expect(await store.tiles.counts()).toMatchObject({ indexPending: 0 });
      }),
    );

    it(
      "ends once if a cancellation, a completion and an expired lease coincide",
      inWorld(open, async (world) => {
        const { store, business, scope } = world;
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const late = T0 + GENERATION_LEASE_MS + 1;
        for (let round = 0; round < 8; round++) {
          const { held } = await begin(world);
          const tile = textTile(`Round ${round}`);
          const ends = [
            () => store.generations.complete(held, piece, tile, late),
            () => store.generations.expire(late),
            () => store.generations.cancel(scope, held.id, late),
            () => store.generations.complete(held, piece, { ...tile, id: newId("til", T0) }, late),
          ];
          // Each of them is first in one round.
          await Promise.allSettled(ends.map((_, i) => ends[(i + round) % ends.length]!()));
          const { status, savedTileId } = (await store.generations.find(business.id, held.id))!;
          expect(["complete", "failed", "cancelled"]).toContain(status);
          expect(savedTileId === null).toBe(status !== "complete");
        }
        const ended = (await store.generations.list(world.manage, {}, null, 100)).map(({ status }) => status);
        const told = (await events(store, business.id)).map((event) => (event as [string])[0]);
        expect(told.filter((event) => event === "generation.complete")).toHaveLength(
          ended.filter((status) => status === "complete").length,
        );
        expect(told.filter((event) => event === "generation.failed")).toHaveLength(ended.filter((status) => status === "failed").length);
        const tiles = (await store.tiles.list(scope, { order: "asc", withText: false }, null, 100, 1_000)).tiles;
        expect(tiles).toHaveLength(ended.filter((status) => status === "complete").length);
      }),
    );
  });

  describe("the lease of a generation", () => {
    it(
      "is renewed by its holder, and fails the generation when it expires",
      inWorld(open, async (world) => {
        const { store, business, board } = world;
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const kept = await begin(world);
        const lost = await begin(world);
        const half = T0 + GENERATION_LEASE_MS / 2;
        expect(await store.generations.renew([kept.held, { ...lost.held, lease: "another" }], half)).toEqual(new Set([kept.held.id]));
        expect(await store.generations.expire(T0 + GENERATION_LEASE_MS)).toBe(0);
        expect(await store.generations.expire(T0 + GENERATION_LEASE_MS + 1)).toBe(1);
        expect(await store.generations.find(business.id, lost.held.id)).toMatchObject({
          status: "failed",
          error: { code: "interrupted", message: expect.stringMatching(/^[A-Z].*\.$/) },
        });
        expect(await store.generations.find(business.id, kept.held.id)).toMatchObject({ status: "processing" });
        const payload = { generationId: lost.held.id, boardId: board.id, endpoint: "/api/v1/generate", assetType: "video" };
        expect(await events(store, business.id)).toEqual([["generation.failed", payload]]);
        expect(await store.generations.complete(lost.held, piece, null, half)).toBeNull();
        expect(await store.generations.complete({ ...kept.held, lease: "another" }, piece, null, half)).toBeNull();
        expect(await store.generations.complete(kept.held, piece, null, half)).not.toBeNull();
      }),
    );
  });

  describe("ideas", () => {
    it(
      "are found on their own board once their generation is complete",
      inWorld(open, async (world) => {
        const { store, board, manage } = world;
        const second = await addBoard(store, manage);
        const { held } = await begin(world, { endpoint: "/api/v1/idea", assetType: null });
        const result = ideasOf("ide_1", "ide_2");
        expect(await store.generations.findIdea(board, "ide_2")).toBeNull();
        const done = await store.generations.complete(held, result, null, T0 + 1);
        expect(done).toMatchObject({ title: null, result });
        expect(await store.generations.findIdea(board, "ide_2")).toEqual(result.ideas![1]);
        expect(await store.generations.findIdea(board, "ide_3")).toBeNull();
        expect(await store.generations.findIdea(second.board, "ide_2")).toBeNull();
      }),
    );
  });

  describe("the list of generations", () => {
    it(
      "is newest first, in pages, filtered by board or endpoint, without deleted boards",
      inWorld(open, async (world) => {
        const { store, manage, scope, board } = world;
        const second = await addBoard(store, manage);
        const ids: string[] = [];
        for (let i = 0; i < 5; i++) {
          const endpoint = i % 2 === 0 ? "/api/v1/generate" : "/api/v1/idea";
          const on = i < 4 ? scope : second.scope;
          ids.unshift((await begin({ store, scope: on }, { endpoint, assetType: i % 2 === 0 ? "post" : null }, T0 + i)).generation.id);
        }
        const other = await seedBusiness(store, "Other Lab");
        await begin({ store, scope: other.scope });
        expect(await listed(world)).toEqual(ids);
        expect(await listed(world, {}, null, 2)).toEqual(ids.slice(0, 2));
        expect(await listed(world, {}, ids[1]!, 2)).toEqual(ids.slice(2, 4));
        expect(await listed(world, { boardId: board.id })).toEqual(ids.slice(1));
        expect(await listed(world, { endpoint: "/api/v1/idea" })).toEqual([ids[1], ids[3]]);
        expect(await listed(world, { boardId: second.board.id, endpoint: "/api/v1/idea" })).toEqual([]);
        const [first] = await store.generations.list(manage, {}, null, 1);
        expect(first).toEqual({ ...first, boardId: second.board.id, assetType: "post", status: "processing", createdAt: T0 + 4 });
        expect(first).not.toHaveProperty("result");
        await store.boards.remove(second.scope, T0 + 9);
        expect(await listed(world)).toEqual(ids.slice(1));
      }),
    );

    it(
      "excludes those of a board that was deleted long ago",
      inWorld(open, async (world) => {
        const { store, manage, business } = world;
        const second = await addBoard(store, manage);
        await addText({ store, scope: second.scope }, "Gone as well");
        const { held } = await begin({ store, scope: second.scope }, { endpoint: "/api/v1/idea", assetType: null });
        await store.generations.complete(held, ideasOf("ide_gone"), null, T0 + 1);
        await store.search.index(
          (await store.search.pending(9, 9_999)).map((tile) => ({ tile, analysis: { chunks: [], terms: new Map() } })),
        );
        await store.boards.remove(second.scope, T0 + 2);
        await store.purge(T0 + 1, T0 + 1);
        const restored = await store.boards.restore(second.scope, T0 + 3);
        expect(await store.generations.find(business.id, held.id)).not.toBeNull();
        expect(await store.generations.findIdea(restored, "ide_gone")).not.toBeNull();
        await store.boards.remove(second.scope, T0 + 4);
        await store.purge(T0 + 5, T0 + 5);
        await store.boards.restore(second.scope, T0 + 6);
        expect(await store.generations.find(business.id, held.id)).toBeNull();
        expect(await store.generations.findIdea(restored, "ide_gone")).toBeNull();
      }),
    );
  });

  describe("a generation with an idempotency key", () => {
    it(
      "is created once; after it failed or was cancelled the key can be used again",
      inWorld(open, async ({ store, board, business }) => {
        const scope = keyGrant(board);
        const idempotency = idempotencyRecordOf(business.id);
        const create = () => store.generations.create(scope, draftOf(), T0, idempotency);
        expect(await store.generations.findStoredResponse(idempotency, T0)).toBeNull();
        const outcomes = await Promise.all([create(), create(), create()]);
        const first = outcomes.find(({ replayed }) => !replayed);
        const { id } = made(first!);
        expect(outcomes.map(replayOf).filter((body) => body !== null)).toEqual([id, id]);
        expect(await store.generations.findStoredResponse(idempotency, T0)).toBe(id);
        expect(await store.generations.findStoredResponse({ ...idempotency, requestHash: "other" }, T0)).toBeNull();
        expect(await store.generations.findStoredResponse({ ...idempotency, apiKeyId: "key_2" }, T0)).toBeNull();
        expect(await store.generations.findStoredResponse(idempotency, T0 + 2 * DAY)).toBeNull();
        await expectRefusal(store.generations.create(scope, draftOf(), T0, { ...idempotency, requestHash: "other" }), "conflict");

        await store.generations.cancel(scope, id, T0 + 1);
        expect(await store.generations.findStoredResponse(idempotency, T0)).toBeNull();
        const draft = draftOf();
        const second = made(await store.generations.create(scope, draft, T0, idempotency));
        expect(second.id).not.toBe(id);
        await store.generations.fail({ businessId: business.id, boardId: board.id, id: second.id, lease: draft.lease }, DOWN, T0 + 2);
        const third = draftOf();
        made(await store.generations.create(scope, third, T0, idempotency));
        await store.generations.complete(
          { businessId: business.id, boardId: board.id, id: third.id, lease: third.lease },
          piece,
          null,
          T0 + 3,
        );
        expect(replayOf(await create())).toBe(third.id);
      }),
    );
  });
}
