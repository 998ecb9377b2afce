import { expect } from "vitest";
import { GENERATION_LEASE_MS } from "#domain/answers/generation.ts";
import { newId } from "#domain/core/system.ts";
import { addBoard, newWebhook, T0, textTile } from "../../support/boards.ts";
import { expectRejection } from "../store-context.ts";
import { DAY, DOWN, ALL, startGeneration, draftResult, events } from "./draft-generations.ts";
import { test } from "../store-test.ts";

test("a generation has the reason when it fails, and an event if that is enabled", async (context) => {
  const { store, business, board } = context;
  await store.webhooks.put(newWebhook(business.id), "operator");
  const quiet = await startGeneration(context);
  await store.generations.fail(quiet.held, DOWN, T0 + 1);
  expect(await events(store, business.id)).toEqual([]);
  await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
  const { held, generation } = await startGeneration(context, { endpoint: "/api/v1/idea", assetType: null, request: {} });
  expect(await store.generations.fail(held, DOWN, T0 + 2)).toEqual({
    ...generation,
    status: "failed",
    error: DOWN,
    updatedAt: T0 + 2,
  });
  expect(await store.generations.complete(held, draftResult, null, T0 + 3)).toBeNull();
  const payload = { generationId: generation.id, boardId: board.id, endpoint: "/api/v1/idea" };
  expect(await events(store, business.id)).toEqual([["generation.failed", payload]]);
});

test("a generation stays cancelled without an event, and cannot be cancelled on another board or after its end", async (context) => {
  const { store, business, manage, scope } = context;
  await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
  const { held, generation } = await startGeneration(context);
  const second = await addBoard(store, manage);
  await expectRejection(store.generations.cancel(second.scope, generation.id, T0 + 1), "not_found");
  await expectRejection(store.generations.cancel(scope, "gen_nobody", T0 + 1), "not_found");
  expect(await store.generations.cancel(scope, generation.id, T0 + 2)).toEqual({
    ...generation,
    status: "cancelled",
    updatedAt: T0 + 2,
  });
  expect(await store.generations.renew([held], T0 + 3)).toEqual(new Set());
  expect(await store.generations.complete(held, draftResult, textTile("Too late"), T0 + 3)).toBeNull();
  expect(await store.generations.expire(T0 + DAY)).toBe(0);
  await expectRejection(store.generations.cancel(scope, generation.id, T0 + 4), "conflict");
  expect(await events(store, business.id)).toEqual([]);
  expect(await store.tiles.counts()).toMatchObject({ indexPending: 0 });
});

test("a generation ends once if a cancellation, a completion and an expired lease coincide", async (context) => {
  const { store, business, scope } = context;
  await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
  const late = T0 + GENERATION_LEASE_MS + 1;
  for (let round = 0; round < 8; round++) {
    const { held } = await startGeneration(context);
    const tile = textTile(`Round ${round}`);
    const ends = [
      () => store.generations.complete(held, draftResult, tile, late),
      () => store.generations.expire(late),
      () => store.generations.cancel(scope, held.id, late),
      () => store.generations.complete(held, draftResult, { ...tile, id: newId("til", T0) }, late),
    ];
    // Each of them is first in one round.
    await Promise.allSettled(ends.map((_, i) => ends[(i + round) % ends.length]!()));
    const { status, savedTileId } = (await store.generations.find(business.id, held.id))!;
    expect(["complete", "failed", "cancelled"]).toContain(status);
    expect(savedTileId === null).toBe(status !== "complete");
  }
  const ended = (await store.generations.list(context.manage, {}, null, 100)).map(({ status }) => status);
  const told = (await events(store, business.id)).map((event) => (event as [string])[0]);
  expect(told.filter((event) => event === "generation.complete")).toHaveLength(ended.filter((status) => status === "complete").length);
  expect(told.filter((event) => event === "generation.failed")).toHaveLength(ended.filter((status) => status === "failed").length);
  const tiles = (await store.tiles.list(scope, { order: "asc", withText: false }, null, 100, 1_000)).tiles;
  expect(tiles).toHaveLength(ended.filter((status) => status === "complete").length);
});

test("the lease of a generation is renewed by its holder, and the generation fails when it expires", async (context) => {
  const { store, business, board } = context;
  await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
  const kept = await startGeneration(context);
  const lost = await startGeneration(context);
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
  expect(await store.generations.complete(lost.held, draftResult, null, half)).toBeNull();
  expect(await store.generations.complete({ ...kept.held, lease: "another" }, draftResult, null, half)).toBeNull();
  expect(await store.generations.complete(kept.held, draftResult, null, half)).not.toBeNull();
});
