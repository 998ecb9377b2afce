import { expect } from "vitest";
import type { Authorized } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import type { Store } from "#domain/store.ts";
import type { Tile, TileSummary } from "#domain/content/tile.ts";
import type { TileOrder, TileCursor, TileQuery } from "#domain/content/tile-store.ts";
import type { Zone } from "#domain/content/zone.ts";
import { addBoard, ingested, getCreated, newJob, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addLink, addText, type StoreContext } from "../store-context.ts";
import { test } from "../store-test.ts";

const ORDERS: readonly TileOrder[] = ["asc", "desc", "position", "updated"];
const ALL = 100_000;
const NO_LIMIT = 100_000_000;

/** Reads the listing in pages and checks their maximum length. */
async function readPaged(
  store: Store,
  scope: Authorized<Board, "read">,
  query: TileQuery,
  size: number,
  maxBytes = NO_LIMIT,
): Promise<TileSummary[]> {
  const tiles: TileSummary[] = [];
  for (let after: TileCursor | null = null; ;) {
    const page = await store.tiles.list(scope, query, after, size, maxBytes);
    expect(page.tiles.length).toBeLessThanOrEqual(size);
    tiles.push(...page.tiles);
    if (page.next === null) return tiles;
    expect(page.tiles.length).toBeGreaterThan(0);
    // A cursor is sent as JSON, so the position must survive that.
    after = JSON.parse(JSON.stringify(page.next)) as TileCursor;
  }
}

/** A board with zones in mixed order, and tiles of every status inside and outside of them. */
async function fillBoard({ store, scope, manage }: StoreContext): Promise<Zone[]> {
  const second = await addBoard(store, manage);
  const other = await seedBusiness(store, "Other Lab");
  const zones: Zone[] = [];
  for (const sortOrder of [5, -2, 5, 0]) zones.push(getCreated(await store.zones.create(scope, newZone("Zone", { sortOrder }), T0)));
  const foreign = getCreated(await store.zones.create(second.scope, newZone("Foreign", { sortOrder: 1 }), T0));
  for (let i = 0; i < 36; i++) {
    const zoneId = i % 5 === 4 ? null : zones[(i * 7) % 4]!.id;
    const now = T0 + ((i * 11) % 9);
    if (i % 3 === 0) await addLink({ store, scope }, `https://host-${i % 2}.example/${i}`, { zoneId }, now);
    else await addText({ store, scope }, `Text ${i}`, { zoneId }, now);
    if (i % 6 === 0) {
      await addText({ store, scope: second.scope }, `Elsewhere ${i}`, { zoneId: foreign.id }, now);
      await addText({ store, scope: other.scope }, `Other ${i}`, {}, now);
    }
  }
  const jobs = await store.queue.claim(8, 8, T0 + 20);
  for (const job of jobs.slice(0, 4)) await store.queue.complete(job, ingested("Extracted", { type: "PDF" }), T0 + 21);
  for (const job of jobs.slice(4, 6))
    await store.queue.fail(job, { code: "x", message: "Gone.", stage: "fetch", retryable: false, attempts: 1 }, T0 + 22);
  const listed = (await store.tiles.list(scope, { order: "asc", withText: false }, null, ALL, NO_LIMIT)).tiles;
  for (const tile of listed.filter((_, i) => i % 8 === 5)) await store.tiles.update(scope, tile.id, { sortOrder: 1 }, T0 + 30);
  for (const tile of listed.filter((_, i) => i % 9 === 7)) await store.tiles.remove(scope, tile.id, T0 + 31);
  return zones;
}

/** The documented order, computed from a complete listing. */
function sorted(tiles: readonly TileSummary[], order: TileOrder, zones: readonly Zone[]): string[] {
  const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const findZone = ({ zoneId }: TileSummary): Zone | undefined => zones.find(({ id }) => id === zoneId);
  const compare: Record<TileOrder, (a: TileSummary, b: TileSummary) => number> = {
    asc: (a, b) => a.sequence - b.sequence,
    desc: (a, b) => b.sequence - a.sequence,
    updated: (a, b) => a.updatedAt - b.updatedAt || text(a.id, b.id),
    position: (a, b) => {
      const [x, y] = [findZone(a), findZone(b)];
      if ((x === undefined) !== (y === undefined)) return x === undefined ? 1 : -1;
      return (
        (x?.sortOrder ?? 0) - (y?.sortOrder ?? 0) || text(x?.id ?? "", y?.id ?? "") || a.sortOrder - b.sortOrder || a.sequence - b.sequence
      );
    },
  };
  return tiles.toSorted(compare[order]).map(({ id }) => id);
}

test("a listing of tiles is the same at once and in pages of any size, in every order and with every filter", async (context) => {
  const { store, scope } = context;
  const zones = await fillBoard(context);
  const everything = (await store.tiles.list(scope, { order: "asc", withText: true }, null, ALL, NO_LIMIT)).tiles;
  expect(everything.length).toBe(32);
  const filters: readonly [Partial<TileQuery>, (tile: TileSummary) => boolean][] = [
    [{}, () => true],
    [{ zoneId: zones[0]!.id }, ({ zoneId }) => zoneId === zones[0]!.id],
    [{ statuses: ["processing"] }, ({ status }) => status === "processing"],
    [{ statuses: ["failed"] }, ({ status }) => status === "failed"],
    [{ types: ["PDF"] }, ({ type }) => type === "PDF"],
    [{ updatedSince: T0 + 5 }, ({ updatedAt }) => updatedAt >= T0 + 5],
    [
      { zoneId: zones[1]!.id, statuses: ["ready"], types: ["TEXT"], updatedSince: T0 + 2 },
      (tile) => tile.zoneId === zones[1]!.id && tile.status === "ready" && tile.type === "TEXT" && tile.updatedAt >= T0 + 2,
    ],
    [{ types: ["PODCAST"] }, () => false],
  ];
  for (const order of ORDERS) {
    for (const [filter, holds] of filters) {
      const query: TileQuery = { ...filter, order, withText: true };
      const whole = (await store.tiles.list(scope, query, null, ALL, NO_LIMIT)).tiles;
      expect(whole.map(({ id }) => id)).toEqual(sorted(everything.filter(holds), order, zones));
      for (const size of [1, 2, 3, 5, 7, 13, whole.length, whole.length + 1].filter((n) => n > 0)) {
        expect(await readPaged(store, scope, query, size)).toEqual(whole);
      }
    }
  }
});

test("a listing in pages has no gaps or duplicates while tiles are created and deleted", async ({ store, scope }) => {
  const tiles: Tile[] = [];
  for (let i = 0; i < 12; i++) tiles.push(await addText({ store, scope }, `Text ${i}`));
  const query: TileQuery = { order: "asc", withText: false };
  const { next } = await store.tiles.list(scope, query, null, 4, NO_LIMIT);
  await store.tiles.remove(scope, tiles[3]!.id, T0 + 1);
  await store.tiles.remove(scope, tiles[5]!.id, T0 + 1);
  const added = await addText({ store, scope }, "Added", {}, T0 + 2);
  const second = (await store.tiles.list(scope, query, next, 100, NO_LIMIT)).tiles;
  expect(second.map(({ id }) => id)).toEqual([...[4, 6, 7, 8, 9, 10, 11].map((i) => tiles[i]!.id), added.id]);
});

test("a listing of one zone goes on after the last tile when the zone is moved, in both directions", async ({ store, scope }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone", { sortOrder: 5 }), T0));
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push((await addText({ store, scope }, `Text ${i}`, { zoneId: zone.id })).id);
  const query: TileQuery = { zoneId: zone.id, order: "position", withText: false };
  for (const sortOrder of [-3, 9]) {
    const first = await store.tiles.list(scope, query, null, 2, NO_LIMIT);
    await store.zones.update(scope, zone.id, { sortOrder }, T0 + 1);
    const second = await store.tiles.list(scope, query, first.next, 2, NO_LIMIT);
    await store.zones.update(scope, zone.id, { sortOrder: 5 }, T0 + 2);
    const third = await store.tiles.list(scope, query, second.next, 2, NO_LIMIT);
    expect([first, second, third].map(({ tiles }) => tiles.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(third.next).toBeNull();
  }
});

test("a listing of tiles is limited in bytes of text, with at least one tile per step", async ({ store, scope }) => {
  for (let i = 0; i < 12; i++) await addText({ store, scope }, String(i % 10).repeat(i === 6 ? 50_000 : 1_000));
  for (const order of ORDERS) {
    const query: TileQuery = { order, withText: true };
    const whole = (await store.tiles.list(scope, query, null, ALL, NO_LIMIT)).tiles;
    const step = (await store.tiles.list(scope, query, null, ALL, 2_500)).tiles;
    expect(step.length).toBeGreaterThanOrEqual(1);
    expect(step.slice(0, -1).reduce((sum, { extractedText }) => sum + extractedText.length, 0)).toBeLessThan(2_500);
    for (const maxBytes of [1, 2_500, 10_000]) expect(await readPaged(store, scope, query, 5, maxBytes)).toEqual(whole);
  }
});

test("a listing without text differs in the empty text only, and is not limited in bytes", async ({ store, scope }) => {
  for (let i = 0; i < 5; i++) await addText({ store, scope }, "x".repeat(5_000));
  const withText = (await store.tiles.list(scope, { order: "asc", withText: true }, null, ALL, NO_LIMIT)).tiles;
  const without = (await store.tiles.list(scope, { order: "asc", withText: false }, null, ALL, 100)).tiles;
  expect(without).toEqual(withText.map((tile) => ({ ...tile, extractedText: "" })));
});

test("a listing of tiles shows every kind of change at once", async (context) => {
  const { store, scope, board } = context;
  const [text, moved, link, failing, waiting] = [
    await addText(context, "First"),
    await addText(context, "Second", { externalId: "upsert" }),
    await addLink(context, "https://a.example/"),
    await addLink(context, "https://b.example/"),
    await addLink(context, "https://c.example/"),
  ];
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const jobs = new Map((await store.queue.claim(8, 8, T0 + 1)).map((job) => [job.tileId, job]));
  const error = { code: "x", message: "Gone.", stage: "fetch", retryable: true, attempts: 1 } as const;
  const changes: (() => Promise<unknown>)[] = [
    () => store.tiles.update(scope, text!.id, { title: "Other" }, T0 + 2),
    () => store.tiles.update(scope, text!.id, { content: "Other words" }, T0 + 2),
    () => store.tiles.update(scope, text!.id, { sortOrder: -7 }, T0 + 2),
    () => store.tiles.update(scope, text!.id, { zoneId: zone.id }, T0 + 2),
    () => store.tiles.create(scope, textTile("Third", { externalId: "upsert", title: "Third" }), T0 + 2),
    () => store.queue.complete(jobs.get(link!.id)!, ingested("Extracted", { type: "PDF" }), T0 + 2),
    () => store.queue.retryLater(jobs.get(waiting!.id)!, error, T0 + 99_000, T0 + 2),
    () => store.queue.fail(jobs.get(failing!.id)!, error, T0 + 2),
    () => store.tiles.retry(scope, failing!.id, newJob(), T0 + 2),
    () => store.tiles.remove(scope, moved!.id, T0 + 2),
    () => store.tiles.restore(scope, moved!.id, newJob(), T0 + 2),
    () => store.zones.remove(scope, zone.id, T0 + 2),
    () => store.zones.restore(scope, zone.id, () => newJob(), T0 + 2),
  ];
  const list = async (withText: boolean) => (await store.tiles.list(scope, { order: "asc", withText }, null, ALL, NO_LIMIT)).tiles;
  let before = await list(true);
  await list(false);
  for (const change of changes) {
    await change();
    const after = await list(true);
    expect(after).not.toEqual(before);
    for (const row of after) expect(await store.tiles.find(board.businessId, row.id)).toMatchObject(row);
    expect(await list(false)).toEqual(after.map((tile) => ({ ...tile, extractedText: "" })));
    before = after;
  }
  expect(before).toHaveLength(5);
});

test("a listing of tiles contains summaries only", async ({ store, scope }) => {
  const tile = await addText({ store, scope }, "Text", { title: "Title", externalId: "a", tags: ["One"], properties: { two: 2 } });
  const [row] = (await store.tiles.list(scope, { order: "asc", withText: true }, null, 1, NO_LIMIT)).tiles;
  expect(row).toEqual({
    id: tile.id,
    zoneId: null,
    type: "TEXT",
    title: "Title",
    extractedText: "Text",
    status: "ready",
    sourceUrl: null,
    error: null,
    sortOrder: tile.sortOrder,
    sequence: tile.sequence,
    externalId: "a",
    tags: ["One"],
    createdAt: T0,
    updatedAt: T0,
  });
});
