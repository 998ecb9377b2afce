import { expect } from "vitest";
import { addBoard, ingested, getCreated, newJob, newZone, seedBusiness, T0 } from "../../support/boards.ts";
import { addLink, addText, type StoreContext } from "../store-context.ts";
import { drain } from "./model.ts";
import { test } from "../store-test.ts";

const FAILURE = { code: "x", message: "Gone.", stage: "fetch", retryable: false, attempts: 1 } as const;
const EVERYTHING = { includeDisconnected: true } as const;

/** The tiles connected to chat, by each method. */
async function listConnected({ store, board, scope }: Pick<StoreContext, "store" | "board" | "scope">): Promise<string[]> {
  const { businessId, id: boardId } = board;
  const ids = (await store.tiles.list(scope, { order: "asc", withText: false }, null, 1_000, 1_000)).tiles.map(({ id }) => id);
  const tiles = (await store.search.connectedTiles(businessId, boardId, ids)).map(({ id }) => id);
  const documents = Array.from({ length: 100 }, (_, i) => i);
  const chunks = new Set((await store.search.connectedChunks(businessId, boardId, documents)).map(({ tileId }) => tileId));
  for (const { tileId } of await store.search.pendingConnected(businessId, boardId, 10_000)) chunks.add(tileId);
  expect([...chunks].sort()).toEqual(tiles.toSorted());
  expect(await store.search.hasConnected(businessId, boardId)).toBe(tiles.length > 0);
  const ready = await store.search.readyTiles(businessId, boardId, ids);
  expect(ready.filter(({ connected }) => connected).map(({ id }) => id)).toEqual(tiles);
  return tiles;
}

/** The tiles that a search with scope=all reads. */
async function listSearchable({ store, board, scope }: Pick<StoreContext, "store" | "board" | "scope">): Promise<string[]> {
  const { businessId, id: boardId } = board;
  const ids = (await store.tiles.list(scope, { order: "asc", withText: false }, null, 1_000, 1_000)).tiles.map(({ id }) => id);
  const tiles = (await store.search.readyTiles(businessId, boardId, ids)).map(({ id }) => id);
  const documents = Array.from({ length: 100 }, (_, i) => i);
  const chunks = new Set((await store.search.connectedChunks(businessId, boardId, documents, EVERYTHING)).map(({ tileId }) => tileId));
  for (const { tileId } of await store.search.pendingConnected(businessId, boardId, 10_000, EVERYTHING)) chunks.add(tileId);
  expect([...chunks].sort()).toEqual(tiles.toSorted());
  return tiles;
}

test("a tile with connected_to_chat off is excluded from chat at once, indexed or not, and the field never overrides a disconnected zone", async (context) => {
  const { store, scope, business } = context;
  const off = getCreated(await store.zones.create(scope, newZone("Off", { connectedToChat: false }), T0));
  const plain = await addText(context, "3 1");
  const never = await addText(context, "3 2", { connectedToChat: false });
  const always = await addText(context, "3 3", { connectedToChat: true });
  const saved = await addText(context, "3 4", { metadata: { origin: "answer" } });
  const inOff = await addText(context, "3 5", { connectedToChat: true, zoneId: off.id });
  expect([plain, never, always, saved].map(({ connectedToChat }) => connectedToChat)).toEqual([null, false, true, false]);
  for (const isIndexed of [false, true]) {
    if (isIndexed) await drain(context);
    expect(await listConnected(context)).toEqual([plain.id, always.id]);
    expect(await listSearchable(context)).toEqual([plain.id, never.id, always.id, saved.id, inOff.id]);
    await store.tiles.update(scope, plain.id, { connectedToChat: false }, T0 + 1);
    await store.tiles.update(scope, saved.id, { connectedToChat: true }, T0 + 1);
    expect(await listConnected(context)).toEqual([always.id, saved.id]);
    await store.tiles.update(scope, plain.id, { connectedToChat: null }, T0 + 2);
    await store.tiles.update(scope, saved.id, { connectedToChat: false }, T0 + 2);
  }
  // Changing connected_to_chat does not change the text.
  expect(await store.search.pending(9, 9_999)).toEqual([]);
  expect(await store.tiles.find(business.id, plain.id)).toMatchObject({ connectedToChat: null, extractedText: plain.extractedText });
  expect(await store.tiles.find(business.id, saved.id)).toMatchObject({ connectedToChat: false, metadata: { origin: "answer" } });
  const listed = await store.tiles.list(scope, { order: "asc", withText: false, skipDisconnected: true }, null, 9, 9_999);
  expect(listed.tiles.map(({ id }) => id)).toEqual([plain.id, always.id, inOff.id]);
});

test("connected_to_chat of a tile survives ingestion, deletion and restoration, and an upsert that does not set it", async (context) => {
  const { store, scope, business } = context;
  const link = await addLink(context, "https://one.example/", { connectedToChat: false, externalId: "a" });
  const [job] = await store.queue.claim(1, 1, T0);
  await store.queue.complete(job!, ingested("3 1"), T0);
  expect(await store.tiles.find(business.id, link.id)).toMatchObject({ status: "ready", connectedToChat: false });
  await store.tiles.remove(scope, link.id, T0 + 1);
  await store.tiles.restore(scope, link.id, newJob(), T0 + 2);
  expect(await listConnected(context)).toEqual([]);
  expect(await addLink(context, "https://two.example/", { externalId: "a" }, T0 + 3)).toMatchObject({ connectedToChat: false });
  const on = await addLink(context, "https://two.example/", { externalId: "a", connectedToChat: true }, T0 + 4);
  expect(on).toMatchObject({ id: link.id, connectedToChat: true, updatedAt: T0 + 4 });
  expect(await addLink(context, "https://two.example/", { externalId: "a", connectedToChat: true }, T0 + 5)).toEqual(on);
});

test("tiles without searchable text are those processing or failed, newest first, in pages, with their connection to chat", async (context) => {
  const { store, board, scope, manage } = context;
  const off = getCreated(await store.zones.create(scope, newZone("Off", { connectedToChat: false }), T0));
  await addText(context, "3 1");
  const failed = await addLink(context, "https://one.example/", { title: "One" });
  const [job] = await store.queue.claim(1, 1, T0);
  await store.queue.fail(job!, FAILURE, T0);
  const inOff = await addLink(context, "https://two.example/", { zoneId: off.id }, T0 + 1);
  const never = await addLink(context, "https://three.example/", { connectedToChat: false }, T0 + 2);
  const gone = await addLink(context, "https://four.example/", {}, T0 + 3);
  await store.tiles.remove(scope, gone.id, T0 + 4);
  const rows = await store.search.unreadyTiles(board.businessId, board.id, null, 9);
  expect(rows).toEqual([
    {
      tileId: never.id,
      title: "https://three.example/",
      type: "WEBSITE",
      status: "processing",
      sourceUrl: "https://three.example/",
      connected: false,
      sequence: never.sequence,
    },
    expect.objectContaining({ tileId: inOff.id, connected: false, status: "processing" }),
    expect.objectContaining({ tileId: failed.id, title: "One", connected: true, status: "failed" }),
  ]);
  const page = async (before: number | null, limit: number, filter = {}) =>
    (await store.search.unreadyTiles(board.businessId, board.id, before, limit, filter)).map(({ tileId }) => tileId);
  expect(await page(null, 2)).toEqual([never.id, inOff.id]);
  expect(await page(inOff.sequence, 2)).toEqual([failed.id]);
  expect(await page(null, 9, { zoneId: off.id })).toEqual([inOff.id]);
  expect(await page(null, 9, { createdSince: T0 + 2 })).toEqual([never.id]);
  expect(await page(null, 9, { type: "PDF" })).toEqual([]);
  const second = await addBoard(store, manage);
  const other = await seedBusiness(store, "Other Lab");
  for (const [businessId, boardId] of [
    [board.businessId, second.board.id],
    [other.business.id, board.id],
  ] as const) {
    expect(await store.search.unreadyTiles(businessId, boardId, null, 9)).toEqual([]);
    expect(await store.search.readyTiles(businessId, boardId, [failed.id, never.id])).toEqual([]);
  }
});
