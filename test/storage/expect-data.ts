import { expect } from "vitest";
import type { Authorized, Permission } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import type { Store } from "#domain/store.ts";
import { openStore } from "#storage/sqlite/store.ts";
import { authorizeOn, T0 } from "../support/boards.ts";

/** The first version with vectors; its migration cleared the search index. */
export const VECTORS = 5;
/** The first version with the language hint of tiles. */
const LANGUAGE_HINTS = 15;
/** The first version with tags and properties of tiles. */
const LABELS = 29;
/** The first version that records deletions, and the hashes of uploads. */
export const DELETIONS = 22;
/** The first version with a change feed. */
const FEED = 31;
/** The first version with subscriptions. */
const SUBSCRIPTIONS = 32;

/** The first version whose subscriptions filter by properties. */
const PROPERTY_FILTERS = 35;

/** The first version with inbound addresses. */
const INBOUND_ADDRESSES = 33;

/** Expects all data of the fixtures, read through the current store. */
export async function expectData(file: string, number: number): Promise<void> {
  const store = openStore(file);
  try {
    await expectTiles(store, await expectBoards(store), number);
    await expectSettings(store, number);
    if (number >= SUBSCRIPTIONS) await expectSubscriptions(store, number);
    await expectFeed(store, number);
    await (number < VECTORS ? expectPendingIndex(store) : expectIndex(store));
  } finally {
    await store.close();
  }
}

/** Expects the boards and zones, and returns the default board. */
async function expectBoards(store: Store): Promise<Authorized<Board, Permission | "manage">> {
  expect((await store.boards.businesses()).map(({ id, name }) => [id, name])).toEqual([
    ["biz_a", "Harbour Lab"],
    ["biz_b", "Other Lab"],
  ]);
  const [main, ...others] = await store.boards.list("biz_a");
  expect(others).toEqual([]);
  expect(main).toEqual({
    id: "brd_main",
    businessId: "biz_a",
    name: "Main board",
    slug: "main-board",
    isDefault: true,
    version: 1,
    createdAt: T0,
    updatedAt: T0,
  });
  const gone = await store.boards.findDeleted("biz_a", "brd_gone", T0);
  expect(gone).toMatchObject({ name: "Gone", slug: "gone" });

  const scope = authorizeOn(main!);
  expect(await store.zones.list(scope, null, null)).toEqual([
    {
      id: "zon_plans",
      businessId: "biz_a",
      boardId: "brd_main",
      name: "Plans",
      sortOrder: 3,
      connectedToChat: false,
      color: "teal",
      emoji: "🧪",
      size: "xl",
      version: 2,
      createdAt: T0 + 100,
      updatedAt: T0 + 110,
    },
  ]);
  return scope;
}

async function expectTiles(store: Store, scope: Authorized<Board, Permission | "manage">, number: number): Promise<void> {
  const tiles = (await store.tiles.list(scope, { order: "asc", withText: true }, null, 100, 1_000_000)).tiles;
  expect(tiles.map(({ id, status, extractedText }) => [id, status, extractedText])).toEqual([
    ["til_text", "ready", "High tide at noon 🌊"],
    ["til_page", "ready", "Harbour plans"],
    ["til_wait", "processing", ""],
    ["til_fail", "failed", ""],
  ]);
  expect(await store.tiles.find("biz_a", "til_text")).toMatchObject({
    title: "Tide tables",
    titleOverridden: true,
    externalId: "sync-1",
    rawContent: "High tide at noon 🌊",
    version: 2,
    languageHint: number >= LANGUAGE_HINTS ? "de" : null,
    tags: number >= LABELS ? ["Tides"] : [],
    properties: number >= LABELS ? { station: 7 } : {},
  });
  expect(await store.tiles.find("biz_a", "til_page")).toMatchObject({
    type: "PDF",
    zoneId: "zon_plans",
    sortOrder: 7,
    sourceUrl: "https://one.example/doc",
    rawContent: "https://one.example/doc",
    metadata: { author: "A. Writer" },
    warnings: [{ code: "paywall", message: "Only the start." }],
  });
  expect(await store.tiles.find("biz_a", "til_fail")).toMatchObject({
    ...(number >= DELETIONS ? { file: { sha256: "hash of the file" } } : {}),
    error: { code: "not_found", stage: "fetch", retryable: false, attempts: 1 },
  });
}

async function expectSettings(store: Store, number: number): Promise<void> {
  expect(await store.apiKeys.findByHash("aaaa")).toMatchObject({
    id: "key_live",
    boardId: "brd_main",
    permission: "ask",
    expiresAt: 1_900_000_000_000,
    lastUsedAt: T0 + 900,
    budget: null,
  });
  expect(await store.apiKeys.findByHash("bbbb")).toMatchObject({ id: "key_gone", revokedAt: T0 + 400 });
  if (number >= INBOUND_ADDRESSES)
    expect(await store.inboundAddresses.findByHash("cccc")).toMatchObject({
      id: "iba_a",
      boardId: "brd_main",
      tags: ["mail"],
      signature: { header: "x-signature", encoding: "hex", prefix: "sha256=" },
      sealedSecret: "sealed-2",
    });
  expect(await store.webhooks.find("biz_a")).toMatchObject({
    id: "whk_a",
    events: ["tile.ready", "tile.failed"],
    sealedSecret: "sealed-1",
    sealedPrevious: "sealed-0",
  });
  expect(await store.webhooks.deliveries("biz_a", 9)).toMatchObject([
    { id: "dlv_wait", status: "pending" },
    { id: "dlv_done", status: "succeeded", responseStatus: 204, durationMs: 12 },
  ]);
  expect((await store.auditPage("biz_a", 9, null)).entries.map(({ action }) => action)).toEqual(["key.create", "board.create"]);
}

async function expectSubscriptions(store: Store, number: number): Promise<void> {
  expect(await store.subscriptions.list("biz_a", "key_live")).toMatchObject([
    {
      ...{ id: "sub_a", events: ["tile.created"], boardId: "brd_main", zoneIds: ["zon_plans"], types: ["TEXT"], tags: ["tide"] },
      ...{ includeTile: true, retries: true, description: "n8n", status: "paused", pausedReason: "Gone.", sealedSecret: "sealed-2" },
      properties: number < PROPERTY_FILTERS ? {} : { station: ["7"] },
      ...{ failures: 3, failingSince: T0 + 700, lastDeliveryAt: T0 + 800, createdAt: T0 + 600, updatedAt: T0 + 900 },
    },
  ]);
  expect(await store.webhooks.delivery("biz_a", "dlv_retry")).toMatchObject({
    ...{ subscriptionId: "sub_a", status: "retrying", attempt: 1, maxAttempts: 7, retryAt: T0 + 5_800 },
    attempts: [{ at: T0 + 800, responseStatus: 500, error: "Oops.", durationMs: 3 }],
  });
  expect(await store.webhooks.find("biz_a")).toMatchObject({ retries: true });
  expect(await store.apiKeys.findByHash("aaaa")).toMatchObject({ webhooks: true });
}

async function expectFeed(store: Store, number: number): Promise<void> {
  const page = await store.feed.read("biz_a", { boardId: null, events: null, after: null, limit: 9 });
  const payload = { tileId: "til_text", boardId: "brd_main", title: "Tide tables", type: "TEXT", externalId: "sync-1" };
  const change = { position: 1, event: "tile.created", payload: { ...payload, sourceUrl: null, zoneId: null, tags: [] }, at: T0 };
  expect(page).toMatchObject(number < FEED ? { changes: [], next: 0 } : { changes: [change], next: 1 });
}

async function expectPendingIndex(store: Store): Promise<void> {
  // Terms are computed differently now, so every searchable tile waits for the index.
  expect(await store.search.statistics("biz_a", "brd_main")).toMatchObject({ documents: 0, totalLength: 0 });
  expect((await store.search.postings("biz_a", "brd_main", ["tide", "harbour"])).size).toBe(0);
  expect((await store.search.pending(9, 1_000)).map(({ tileId }) => tileId).sort()).toEqual(["til_hid", "til_page", "til_text"]);
}

async function expectIndex(store: Store): Promise<void> {
  expect((await store.search.pending(9, 1_000)).map(({ tileId }) => tileId)).toEqual(["til_hid"]);
  expect(await store.vectors.nearest("biz_a", "brd_main", new Uint8Array(8), 9, "use-lite")).toEqual([
    { document: 0, distance: 2 },
    { document: 2, distance: 64 },
  ]);
  const [embeddings] = await store.vectors.embeddings("biz_a", "brd_main", [0]);
  expect([...embeddings!.sentences]).toEqual([15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 240]);
  await store.vectors.useModel("use-lite");
  expect((await store.vectors.unembedded(9, 1_000)).map(({ tileId, chunks }) => [tileId, chunks])).toEqual([
    ["til_page", [{ document: 2, start: 0, end: 13 }]],
  ]);
  expect(await store.search.statistics("biz_a", "brd_main")).toMatchObject({ documents: 2, totalLength: 9 });
  expect(await store.search.postings("biz_a", "brd_main", ["tide", "harbour"])).toEqual(
    new Map([
      ["tide", [{ document: 0, frequency: 2, length: 5 }]],
      ["harbour", [{ document: 2, frequency: 1, length: 4 }]],
    ]),
  );
  expect(await store.search.connectedChunks("biz_a", "brd_main", [0, 1, 2])).toEqual([
    { document: 0, tileId: "til_text", tileBytes: 22, start: 0, end: 20 },
  ]);
}
