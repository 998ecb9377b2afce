import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Zone } from "#domain/content/zone.ts";
import { rankBm25, weightTerms } from "#retrieval/lexical/bm25.ts";
import { addBoard, getCreated, newJob, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { addText, type StoreContext } from "../store-context.ts";
import { drain, expectFresh, indexed, TERMS } from "./model.ts";
import { test, withStore } from "../store-test.ts";

/** One change of a board; `at` selects among its tiles. */
type Step = {
  readonly kind: "create" | "content" | "title" | "move" | "delete" | "restore" | "zone" | "unzone" | "index";
  readonly at: number;
  readonly size: number;
};

const steps = (most: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom<Step["kind"][]>(
        "create",
        "create",
        "create",
        "content",
        "title",
        "move",
        "delete",
        "delete",
        "restore",
        "zone",
        "unzone",
        "index",
      ),
      at: fc.nat(1_000),
      size: fc.nat(most),
    }),
    { minLength: 5, maxLength: 40 },
  );

/** Applies the changes; impossible ones are skipped. */
async function live({ store, scope }: Pick<StoreContext, "store" | "scope">, life: readonly Step[], zone: Zone): Promise<void> {
  const alive: string[] = [];
  const deleted: string[] = [];
  let isZoneDeleted = false;
  for (const [i, { kind, at, size }] of life.entries()) {
    const chosen = alive.length > 0 ? alive[at % alive.length] : undefined;
    const now = T0 + i;
    if (kind === "create")
      alive.push((await addText({ store, scope }, `${size} ${i}`, { zoneId: at % 3 === 0 && !isZoneDeleted ? zone.id : null })).id);
    else if (kind === "index") await store.search.index(indexed(await store.search.pending(1 + (at % 5), 1_000_000)));
    else if (kind === "zone" && !isZoneDeleted) {
      const inZone = (await store.tiles.list(scope, { zoneId: zone.id, order: "asc", withText: false }, null, 1_000, 1)).tiles;
      await store.zones.remove(scope, zone.id, now);
      for (const { id } of inZone) alive.splice(alive.indexOf(id), 1);
      isZoneDeleted = true;
    } else if (kind === "unzone" && isZoneDeleted) {
      await store.zones.restore(scope, zone.id, () => newJob(), now);
      const inZone = (await store.tiles.list(scope, { zoneId: zone.id, order: "asc", withText: false }, null, 1_000, 1)).tiles;
      alive.push(...inZone.map(({ id }) => id).filter((id) => !alive.includes(id)));
      isZoneDeleted = false;
    } else if (kind === "restore" && deleted.length > 0 && !isZoneDeleted) {
      const [id] = deleted.splice(at % deleted.length, 1);
      alive.push((await store.tiles.restore(scope, id!, newJob(), now)).id);
    } else if (chosen !== undefined && kind === "content") await store.tiles.update(scope, chosen, { content: `${size} ${i}` }, now);
    else if (chosen !== undefined && kind === "title") await store.tiles.update(scope, chosen, { title: `Title ${size}` }, now);
    else if (chosen !== undefined && kind === "move")
      await store.tiles.update(scope, chosen, { zoneId: isZoneDeleted ? null : zone.id }, now);
    else if (chosen !== undefined && kind === "delete") {
      await store.tiles.remove(scope, chosen, now);
      deleted.push(...alive.splice(alive.indexOf(chosen), 1));
    }
  }
}

/** Ranked passages as tile and score; documents of equal score are in any order. */
async function ranking({ store, board }: Pick<StoreContext, "store" | "board">, getName: (tileId: string) => string): Promise<string[]> {
  const statistics = await store.search.statistics(board.businessId, board.id);
  const postings = await store.search.postings(board.businessId, board.id, TERMS);
  const ranked = rankBm25(weightTerms(["common", "odd", "rare", "first"], postings, statistics), statistics);
  const chunks = await store.search.connectedChunks(
    board.businessId,
    board.id,
    ranked.map(({ document }) => document),
  );
  return ranked.map(({ score }, i) => `${score.toFixed(9)} ${getName(chunks[i]!.tileId)} ${chunks[i]!.start}`).sort();
}

it("the index of a board equals a newly built index after any sequence of changes, and ranks the same", async () => {
  await fc.assert(
    fc.asyncProperty(steps(400), async (life) => {
      await withStore(async (context) => {
        const { store, scope, manage } = context;
        const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
        await live(context, life, zone);
        await expectFresh(context);
        await drain(context);
        await expectFresh(context);
        const fresh = await addBoard(store, manage, "Fresh");
        const names = new Map<string, string>();
        for (const tile of (await store.tiles.list(scope, { order: "asc", withText: true }, null, 1_000, Infinity)).tiles) {
          names.set((await addText({ store, scope: fresh.scope }, tile.extractedText)).id, tile.id);
        }
        await drain(context, 1_000);
        const { documents, totalLength } = await store.search.statistics(context.board.businessId, context.board.id);
        expect(await store.search.statistics(fresh.board.businessId, fresh.board.id)).toMatchObject({ documents, totalLength });
        expect(await ranking({ store, board: fresh.board }, (id) => names.get(id)!)).toEqual(await ranking(context, (id) => id));
      });
    }),
    { numRuns: 25 },
  );
});

test("the index is rebuilt for a tile whose language hint changes, with the new hint", async (context) => {
  const { store, scope, board } = context;
  const tile = await addText(context, "3 1", { languageHint: "de" });
  expect(await store.search.pending(9, 1_000)).toMatchObject([{ tileId: tile.id, languageHint: "de" }]);
  await drain(context);
  expect(await store.search.connectedTiles(board.businessId, board.id, [tile.id])).toMatchObject([{ languageHint: "de" }]);
  await store.tiles.update(scope, tile.id, { languageHint: "de", connectedToChat: true }, T0 + 1);
  expect(await store.search.pending(9, 1_000)).toEqual([]);
  await store.tiles.update(scope, tile.id, { languageHint: null }, T0 + 2);
  const waiting = [{ tileId: tile.id, languageHint: null }];
  expect(await store.search.pending(9, 1_000)).toMatchObject(waiting);
  const listed = await store.search.pendingConnected(board.businessId, board.id, 1_000);
  expect(await store.search.pendingTexts(listed, 1_000)).toMatchObject(waiting);
  await drain(context);
  await expectFresh(context);
});

test("the index of a board holds thousands of chunks, and stays correct while most of them are deleted and restored", async (context) => {
  const { store, scope } = context;
  const tiles = [];
  for (let i = 0; i < 16; i++) tiles.push(await addText(context, `${300 + i * 7} ${i}`));
  await drain(context, 3);
  expect((await store.search.statistics(context.board.businessId, context.board.id)).documents).toBeGreaterThan(2 * 2_048);
  await expectFresh(context);
  // Spread over the index, so that every block loses entries.
  for (const i of [0, 2, 4, 6, 8, 10, 12, 14, 1, 5, 9, 13, 3]) {
    await store.tiles.remove(scope, tiles[i]!.id, T0 + 1);
    await expectFresh(context);
  }
  await drain(context);
  await expectFresh(context);
  for (const i of [0, 5, 14]) await store.tiles.restore(scope, tiles[i]!.id, newJob(), T0 + 2);
  await drain(context);
  await expectFresh(context);
  expect((await store.tiles.counts()).indexPending).toBe(0);
});

test("a tile with more chunks than one block is indexed", async (context) => {
  const { store, scope } = context;
  await addText(context, "10 1");
  const huge = await addText(context, "5000 2");
  await addText(context, "10 3");
  await drain(context);
  await expectFresh(context);
  await store.tiles.update(scope, huge.id, { content: "4500 4" }, T0 + 1);
  await drain(context);
  await expectFresh(context);
  await store.tiles.remove(scope, huge.id, T0 + 2);
  await drain(context);
  await expectFresh(context);
});

test("the index of a board is not changed by another board or business", async (context) => {
  const { store, board, scope, manage } = context;
  const second = await addBoard(store, manage);
  const other = await seedBusiness(store, "Other Lab");
  await addText(context, "40 1");
  await drain(context);
  const look = async () => [
    await store.search.statistics(board.businessId, board.id),
    await store.search.postings(board.businessId, board.id, TERMS),
    await ranking(context, (id) => id),
  ];
  const before = await look();
  for (const elsewhere of [second.scope, other.scope]) {
    const tile = await addText({ store, scope: elsewhere }, "2500 5");
    await addText({ store, scope: elsewhere }, "30 7");
    await drain(context);
    expect(await look()).toEqual(before);
    await store.tiles.remove(elsewhere, tile.id, T0 + 1);
    expect(await look()).toEqual(before);
  }
  expect(await store.search.statistics(other.business.id, board.id)).toMatchObject({ documents: 0, totalLength: 0 });
  expect((await store.search.postings(other.business.id, board.id, TERMS)).size).toBe(0);
  expect(await store.search.connectedChunks(other.business.id, board.id, [0, 1, 2])).toEqual([]);
  expect((await store.search.postings(board.businessId, board.id, ["nobody uses this"])).size).toBe(0);
  expect(scope.target.id).toBe(board.id);
});

test("tiles of several boards are indexed at once", async (context) => {
  const { store, scope, manage } = context;
  const second = await addBoard(store, manage);
  await store.tiles.createMany(
    [
      { scope, tile: textTile("5 1") },
      { scope: second.scope, tile: textTile("6 2") },
      { scope, tile: textTile("0 3") },
    ],
    T0,
  );
  await drain(context, 100);
  await expectFresh(context);
  await expectFresh({ store, ...second });
  expect((await store.search.statistics(second.board.businessId, second.board.id)).documents).toBe(6);
});
