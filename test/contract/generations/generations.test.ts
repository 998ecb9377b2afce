import { expect } from "vitest";
import { addBoard, getCreated, newWebhook, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { expectRejection } from "../store-context.ts";
import { DOWN, ALL, startGeneration, draftResult, events } from "./draft-generations.ts";
import { test } from "../store-test.ts";

test("a generation is processing from the start, and is found by its own business only", async (context) => {
  const { store, business, board } = context;
  const other = await seedBusiness(store, "Other Lab");
  const { generation } = await startGeneration(context);
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
});

test("a generation completes with its result, tile and event in one commit, and only once", async (context) => {
  const { store, business, board, scope } = context;
  await store.webhooks.put(newWebhook(business.id), "operator");
  const zone = getCreated(await store.zones.create(scope, newZone("Results"), T0));
  const { generation, held } = await startGeneration(context);
  const tile = textTile("# High tide", { title: "High tide", zoneId: zone.id });
  const revision = (await store.boards.revisions(board)).content;
  const done = await store.generations.complete(held, draftResult, tile, T0 + 5);
  const expected = {
    ...generation,
    status: "complete",
    title: "High tide",
    savedTileId: tile.id,
    result: draftResult,
    updatedAt: T0 + 5,
  };
  expect(done).toEqual(expected);
  expect(await store.generations.find(business.id, generation.id)).toEqual(expected);
  expect(await store.tiles.find(business.id, tile.id)).toMatchObject({ zoneId: zone.id, status: "ready", title: "High tide" });
  expect((await store.boards.revisions(board)).content).not.toBe(revision);
  const payload = { generationId: generation.id, boardId: board.id, endpoint: "/api/v1/generate", assetType: "video" };
  expect(await events(store, business.id)).toEqual([["generation.complete", payload]]);

  expect(await store.generations.complete(held, draftResult, textTile("Again"), T0 + 6)).toBeNull();
  expect(await store.generations.fail(held, DOWN, T0 + 6)).toBeNull();
  await expectRejection(store.generations.cancel(scope, generation.id, T0 + 6), "conflict");
  expect(await events(store, business.id)).toHaveLength(1);
  expect(await store.tiles.counts()).toMatchObject({ indexPending: 1 });
});

test("a generation is stored completely or not at all if its zone or board was deleted", async (context) => {
  const { store, business, manage, scope } = context;
  await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
  const zone = getCreated(await store.zones.create(scope, newZone("Results"), T0));
  const { held } = await startGeneration(context);
  await store.zones.remove(scope, zone.id, T0 + 1);
  const tile = textTile("Nowhere", { zoneId: zone.id });
  await expectRejection(store.generations.complete(held, draftResult, tile, T0 + 2), "invalid");
  expect(await store.tiles.find(business.id, tile.id)).toBeNull();
  expect(await store.generations.find(business.id, held.id)).toMatchObject({ status: "processing", result: null });
  expect(await store.generations.complete(held, draftResult, null, T0 + 3)).toMatchObject({ status: "complete", savedTileId: null });

  const second = await addBoard(store, manage);
  const { held: gone } = await startGeneration({ store, scope: second.scope });
  await store.boards.remove(second.scope, T0 + 4);
  await expectRejection(store.generations.complete(gone, draftResult, textTile("Nowhere"), T0 + 5), "not_found");
  expect(await store.generations.complete(gone, draftResult, null, T0 + 6)).toMatchObject({ status: "complete" });
  expect(await store.generations.find(business.id, gone.id)).toBeNull();
  await expectRejection(startGeneration({ store, scope: second.scope }), "not_found");
  // A deleted board records no events.
  expect(await events(store, business.id)).toHaveLength(1);
});
