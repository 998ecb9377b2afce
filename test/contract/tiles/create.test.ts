import { expect } from "vitest";
import { addBoard, linkTile, getCreated, getCreatedTile, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addLink, addText, expectRejection, listTileIds, unknownId } from "../store-context.ts";
import { test } from "../store-test.ts";

test("new tiles from text are ready at once, and read back unchanged", async ({ store, business, board, scope }) => {
  const draft = textTile("Some text", { title: "By hand", titleOverridden: true, metadata: { author: "A. Writer" } });
  const tile = getCreatedTile(await store.tiles.create(scope, draft, T0 + 1));
  const { job: _, ...given } = draft;
  expect(tile).toMatchObject({
    ...given,
    businessId: business.id,
    boardId: board.id,
    status: "ready",
    error: null,
    warnings: [],
    createdAt: T0 + 1,
    updatedAt: T0 + 1,
  });
  expect(await store.tiles.find(business.id, tile.id)).toEqual(tile);
  expect(await store.queue.nextDue()).toBeNull();
});

test("new tiles from a link are processing, with a job", async ({ store, business, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/page");
  expect(tile).toMatchObject({
    status: "processing",
    extractedText: "",
    rawContent: "https://one.example/page",
    sourceUrl: "https://one.example/page",
  });
  expect(await store.tiles.find(business.id, tile.id)).toEqual(tile);
  expect(await store.tiles.counts()).toMatchObject({ processing: 1 });
  expect(await store.queue.claim(5, 5, T0)).toMatchObject([{ tileId: tile.id, url: "https://one.example/page", attempt: 1 }]);
});

test("new tiles store any text to the code unit", async ({ store, business, scope }) => {
  const text = "Zürich 🏔️ \u{10ffff} \u200b'quotes\" \\ %_ \r\n\t — عربى — " + "x".repeat(200_000);
  const tile = await addText({ store, scope }, text, { title: "🎉'--", externalId: "ключ" });
  expect(await store.tiles.find(business.id, tile.id)).toMatchObject({
    extractedText: text,
    rawContent: text,
    title: "🎉'--",
    externalId: "ключ",
  });
});

test("new tiles created concurrently get different sequence numbers, in order of creation", async ({ store, scope }) => {
  const tiles = await Promise.all(Array.from({ length: 30 }, (_, i) => addText({ store, scope }, `Text ${i}`)));
  expect(new Set(tiles.map(({ sequence }) => sequence)).size).toBe(30);
  const later = await addText({ store, scope }, "Later");
  expect(later.sequence).toBeGreaterThan(Math.max(...tiles.map(({ sequence }) => sequence)));
  expect(await listTileIds({ store, scope })).toEqual([...tiles.toSorted((a, b) => a.sequence - b.sequence), later].map(({ id }) => id));
});

test("new tiles are rejected in a zone that is deleted, unknown or of another board or business, and nothing is written", async ({
  store,
  board,
  scope,
  manage,
}) => {
  const second = await addBoard(store, manage);
  const other = await seedBusiness(store, "Other Lab");
  const elsewhere = getCreated(await store.zones.create(second.scope, newZone("Elsewhere"), T0));
  const foreign = getCreated(await store.zones.create(other.scope, newZone("Foreign"), T0));
  const deleted = getCreated(await store.zones.create(scope, newZone("Deleted"), T0));
  await store.zones.remove(scope, deleted.id, T0);
  const kept = await addText({ store, scope }, "Kept", { externalId: "kept" });
  const revision = (await store.boards.revisions({ businessId: board.businessId, id: board.id })).content;
  for (const zoneId of [elsewhere.id, foreign.id, deleted.id, unknownId("zon")]) {
    await expectRejection(addText({ store, scope }, "Text", { zoneId }), "invalid");
    await expectRejection(addLink({ store, scope }, "https://one.example/", { zoneId }), "invalid");
    await expectRejection(addText({ store, scope }, "Overwrites", { zoneId, externalId: "kept" }), "invalid");
    await expectRejection(store.tiles.update(scope, kept.id, { content: "Moved", zoneId }, T0 + 1), "invalid");
  }
  expect(await listTileIds({ store, scope })).toEqual([kept.id]);
  expect(await store.tiles.find(board.businessId, kept.id)).toEqual(kept);
  expect(await store.queue.nextDue()).toBeNull();
  expect((await store.boards.revisions({ businessId: board.businessId, id: board.id })).content).toBe(revision);
});

test("new tiles do not exist for another business or another board", async ({ store, board, scope, manage }) => {
  const tile = await addText({ store, scope }, "Text");
  const second = await addBoard(store, manage);
  const other = await seedBusiness(store, "Other Lab");
  expect(await store.tiles.find(other.business.id, tile.id)).toBeNull();
  for (const foreign of [second.scope, other.scope]) {
    expect(await listTileIds({ store, scope: foreign })).toEqual([]);
    await expectRejection(store.tiles.update(foreign, tile.id, { title: "Taken" }, T0 + 1), "not_found");
    await expectRejection(store.tiles.remove(foreign, tile.id, T0 + 1), "not_found");
  }
  await store.tiles.remove(scope, tile.id, T0 + 1);
  expect(await store.tiles.findDeletedHead(other.business.id, tile.id, 0)).toBeNull();
  for (const foreign of [second.scope, other.scope]) {
    await expectRejection(store.tiles.restore(foreign, tile.id, linkTile("https://x.example").job!, T0 + 2), "not_found");
  }
  expect(await store.tiles.findDeletedHead(board.businessId, tile.id, 0)).toMatchObject({ id: tile.id });
});

test("a batch of tiles returns a result per item in order, and a rejected item does not affect others", async ({
  store,
  business,
  scope,
  manage,
}) => {
  const second = await addBoard(store, manage);
  const items = [
    { scope, tile: textTile("First") },
    { scope, tile: textTile("Refused", { zoneId: unknownId("zon") }) },
    { scope: second.scope, tile: linkTile("https://one.example/") },
    { scope, tile: textTile("Once", { externalId: "same" }) },
    { scope, tile: textTile("Twice", { externalId: "same" }) },
  ];
  const results = getCreated(await store.tiles.createMany(items, T0));
  expect(results.map((result) => result instanceof Error)).toEqual([false, true, false, false, false]);
  expect(results[1]).toMatchObject({ name: "AppError", kind: "invalid" });
  expect(results[3]).toMatchObject({ created: true });
  expect(results[4]).toMatchObject({ created: false, changed: true, tile: { id: items[3]!.tile.id } });
  expect(await listTileIds({ store, scope })).toEqual([items[0]!.tile.id, items[3]!.tile.id]);
  expect(await listTileIds({ store, scope: second.scope })).toEqual([items[2]!.tile.id]);
  expect(await store.tiles.find(business.id, items[3]!.tile.id)).toMatchObject({ extractedText: "Twice" });
});

test("a batch of tiles over several boards does not deadlock with others in a different order of boards", async ({
  store,
  scope,
  manage,
}) => {
  const second = await addBoard(store, manage);
  const there = [scope, second.scope];
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, i) => {
      const order = i % 2 === 0 ? there : there.toReversed();
      return store.tiles.createMany(
        Array.from({ length: 10 }, (_, k) => ({ scope: order[k % 2]!, tile: textTile(`Text ${i}.${k}`) })),
        T0,
      );
    }),
  );
  for (const outcome of outcomes) expect(getCreated(outcome).some((result) => result instanceof Error)).toBe(false);
  for (const one of there) expect(await listTileIds({ store, scope: one })).toHaveLength(200);
});

test("a batch of tiles is rolled back if it fails for another reason than a rejected item", async ({ store, scope }) => {
  const twin = textTile("Twin");
  await expect(
    store.tiles.createMany(
      [
        { scope, tile: textTile("First") },
        { scope, tile: twin },
        { scope, tile: { ...linkTile("https://one.example/"), id: twin.id } },
      ],
      T0,
    ),
  ).rejects.toThrow();
  expect(await listTileIds({ store, scope })).toEqual([]);
  expect(await store.queue.nextDue()).toBeNull();
});
