import { expect, it } from "vitest";
import { analyse } from "#retrieval/lexical/analyse.ts";
import { type Analysis, countTerms, iterateTerms } from "#domain/answers/analysis.ts";
import type { Driver } from "#storage/sql/driver.ts";
import { createSearchStore } from "#storage/sql/search/search.ts";
import { all, type Unit } from "#storage/sql/unit.ts";
import type { TileClaims } from "#storage/sql/search/adapters.ts";
import { splitIntoUnits } from "#storage/sql/vectors/writes.ts";
import { noClaims } from "#storage/sqlite/search/search-adapter.ts";
import { seedBusiness, T0 } from "../support/boards.ts";
import { addText, type StoreContext } from "../contract/store-context.ts";
import { type Opened, openPostgres, openSqlite } from "./open-drivers.ts";

const MAX_TERMS = 400;

/** What one unit of work writes and erases. */
type Written = { postings: number; erased: number };

/** Counts the postings of each unit, and throws before the unit with the number `last`. */
function watch(driver: Driver, last = Infinity, claims: TileClaims = noClaims) {
  const units: Written[] = [];
  function* count<T>(unit: Unit<T>): Unit<T> {
    const written: Written = { postings: 0, erased: 0 };
    units.push(written);
    let step = unit.next();
    while (step.done !== true) {
      const command = step.value;
      const result: unknown = yield command;
      if (command.kind === "run" && command.sql.includes("INSERT INTO posting "))
        written.postings += (JSON.parse(command.params["postings"] as string) as unknown[]).length;
      if (command.kind === "run" && command.sql.startsWith("DELETE FROM posting ")) written.erased += result as number;
      step = unit.next(result);
    }
    return step.value;
  }
  const watched: Driver = {
    ...driver,
    write: (unit) => (units.length >= last ? Promise.reject(new Error("The process ends.")) : driver.write(() => count(unit()))),
  };
  const search = createSearchStore(watched, { claims, groupTerms: 100, maxTerms: MAX_TERMS });
  return { units, search };
}

/** A text of distinct words. */
const createText = (words: number, seed: string): string =>
  Array.from({ length: words }, (_, n) => `${seed}${(n * 7_919).toString(36)}x`).join(" ");

async function createTile({ store, ...opened }: Opened, content: string): Promise<StoreContext & Opened & { readonly analysis: Analysis }> {
  const seeded = await seedBusiness(store);
  const context = { ...opened, store, ...seeded };
  const tile = await addText(context, content);
  return { ...context, analysis: analyse({ title: tile.title, text: tile.extractedText }) };
}

async function* yieldParts(...parts: readonly Analysis[]): AsyncGenerator<Analysis> {
  yield* parts;
}

const readPostings = ({ driver }: Opened, where = "TRUE") =>
  driver.read(() =>
    all<{ block: number; term: string; entries: Buffer }>(`SELECT block, term, entries FROM posting WHERE ${where} ORDER BY block, term`),
  );

const ENGINES = [
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
] as const;

it.each(ENGINES)("indexing on %s writes a tile of many terms in units of bounded size", async (_engine, open) => {
  const context = await createTile(await open(), createText(5_000, "w"));
  const [tile] = await context.store.search.pending(1, 1);
  expect(countTerms(context.analysis.terms)).toBeGreaterThan(5_000);
  const { units, search } = watch(context.driver);
  await search.index([{ tile: tile!, analysis: context.analysis }]);
  expect(Math.max(...units.map(({ postings }) => postings))).toBeLessThanOrEqual(MAX_TERMS);
  expect(units.length).toBeGreaterThan(12);
  expect((await readPostings(context)).map(({ term }) => term).sort()).toEqual([...iterateTerms(context.analysis.terms)]);
  const { id } = context.board;
  const terms = [...iterateTerms(context.analysis.terms)].slice(0, 2_000);
  expect((await search.postings(context.business.id, id, terms)).size).toBe(2_000);
});

it.each(ENGINES)("indexing on %s stores the same whichever unit it ended in before", async (_engine, open) => {
  const context = await createTile(await open(), createText(1_500, "w"));
  const [tile] = await context.store.search.pending(1, 1);
  const items = [{ tile: tile!, analysis: context.analysis }];
  const terms = [...iterateTerms(context.analysis.terms)];
  const { id: boardId } = context.board;
  for (let last = 1; last < 8; last++) {
    const { search } = watch(context.driver, last);
    await search.index(items).catch((error: Error) => expect(error.message).toBe("The process ends."));
    if ((await context.store.search.pending(1, 1)).length === 0) break;
    expect((await search.postings(context.business.id, boardId, terms)).size).toBe(0);
  }
  const { search } = watch(context.driver);
  await search.index(items);
  const postings = await search.postings(context.business.id, boardId, terms);
  expect(postings.size).toBe(terms.length);
  const count = context.analysis.terms.chunks.length;
  expect([...postings.values()].reduce((sum, { length }) => sum + length, 0)).toBe(count);
  expect(await search.statistics(context.business.id, boardId)).toMatchObject({ documents: context.analysis.chunks.length });
});

it.each(ENGINES)("indexing on %s releases the claim of a tile however its work ends, and once", async (_engine, open) => {
  const context = await createTile(await open(), createText(1_000, "w"));
  const [tile] = await context.store.search.pending(1, 1);
  const held: string[] = [];
  const releases: number[] = [];
  const claims: TileClaims = {
    ...noClaims,
    async claim({ tileId }) {
      if (!held.includes(tileId)) held.push(tileId);
      return true;
    },
    // oxlint-disable-next-line require-yield -- a unit of work without a statement
    *release({ tileId }) {
      const at = held.indexOf(tileId);
      if (at >= 0) held.splice(at, 1);
      releases.push(at);
      yield* all("SELECT 1 AS one");
    },
  };
  const { search } = watch(context.driver, Infinity, claims);
  async function* abort(): AsyncGenerator<Analysis> {
    yield context.analysis;
    expect(held).toEqual([tile!.tileId]);
    throw new Error("The indexer stops.");
  }
  await expect(search.indexParts(tile!, abort())).rejects.toThrow("The indexer stops.");
  expect(held).toEqual([]);
  async function* change(): AsyncGenerator<Analysis> {
    yield context.analysis;
    await context.store.tiles.update(context.scope, tile!.tileId, { content: "Changed." }, T0 + 1);
    yield context.analysis;
  }
  await search.indexParts(tile!, change());
  expect(held).toEqual([]);
  // The tile waits in another version.
  await search.indexParts(tile!, yieldParts());
  expect(held).toEqual([]);
  releases.length = 0;
  const [changed] = await context.store.search.pending(1, 1);
  await search.indexParts(changed!, yieldParts(analyse({ title: "", text: "Changed." })));
  expect([held, releases]).toEqual([[], [0]]);
  expect(await context.store.search.pending(1, 1)).toEqual([]);
});

it.each(ENGINES)("indexing on %s erases the postings of a full block in units of bounded size, and leaves none", async (_engine, open) => {
  // A tile of more than two blocks, so that one block is full and has only this tile.
  const context = await createTile(await open(), `${createText(3, "w")}`);
  const [tile] = await context.store.search.pending(1, 1);
  const chunks = Array.from({ length: 4_200 }, (_, n) => ({ start: n, end: n + 1, length: 1 }));
  const { analysis } = context;
  const many = analyse({ title: "", text: createText(2_000, "v") });
  const { search, units } = watch(context.driver);
  await search.index([{ tile: tile!, analysis: { chunks, terms: { ...many.terms, chunks: many.terms.chunks.map(() => 2_100) } } }]);
  expect(countTerms(analysis.terms)).toBeLessThan(10);
  expect((await readPostings(context, "block = 1")).length).toBe(countTerms(many.terms));
  await context.store.tiles.remove(context.scope, tile!.tileId, T0 + 1);
  units.length = 0;
  await search.eraseDropped();
  const erased = units.map((unit) => unit.erased);
  expect(Math.max(...erased)).toBeLessThanOrEqual(MAX_TERMS);
  expect(erased.reduce((sum, count) => sum + count, 0)).toBe(countTerms(many.terms));
  expect(await readPostings(context, "block < 2")).toEqual([]);
  const left = await context.driver.read(() => all<{ block: number }>("SELECT block FROM posting_block ORDER BY block"));
  expect(left.map(({ block }) => block)).toEqual([2]);
});

const embed = (tileId: string, passages: number) => ({
  tile: { businessId: "b", boardId: "c", tileId, version: 1, text: "", chunks: [] },
  embeddings: Array.from({ length: passages }, (_, document) => ({ document, passage: new Uint8Array(4), sentences: new Uint8Array(0) })),
});

it("the units of work of embeddings have a bounded number of passages, and mark the last ones of each tile", () => {
  const units = splitIntoUnits([embed("a", 30), embed("none", 0), embed("long", 250), embed("z", 40)], 100);
  const sizes = units.map((unit) => unit.map(({ tile, embeddings, isLast }) => `${tile.tileId} ${embeddings.length} ${isLast}`));
  expect(sizes).toEqual([["a 30 true", "none 0 true"], ["long 100 false"], ["long 100 false"], ["long 50 true", "z 40 true"]]);
});
