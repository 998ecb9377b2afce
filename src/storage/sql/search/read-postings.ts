import type { Posting, SearchStore } from "#domain/answers/search.ts";
import { BLOCK_SIZE, isDead, visitEntries } from "../../shared/codec.ts";
import type { Dialect, Driver } from "../driver.ts";
import { arrays, type Unit } from "../unit.ts";
import { type BoardNumber, findBoardNumber, findCounters, isOfBoard } from "./board-index.ts";

/** Number of blocks at each end of a board whose terms are searched. */
const TERM_BLOCKS = 4;
/** Follows every character, so that it ends the range of the terms with a prefix. */
const LAST_CHARACTER = "\u{10ffff}";

/** Creates the part of the search store that reads the inverted index of a board. */
export function createPostingReader({ dialect, read }: Driver): Pick<SearchStore, "statistics" | "postings" | "postingSizes" | "terms"> {
  // One statement reads blocks and postings of the same snapshot.
  const livePostings = `posting_block k CROSS JOIN posting p WHERE ${isOfBoard(dialect, "k")} AND k.live > 0
    AND ${isOfBoard(dialect, "p")} AND p.block = k.block AND ${dialect.isAnyOf("p.term", "terms")}`;

  return {
    statistics: (businessId, boardId) =>
      read(function* () {
        return (yield* findCounters(businessId, boardId)) ?? { documents: 0, totalLength: 0, nextDocument: 0 };
      }),

    postings: (businessId, boardId, terms) =>
      read(function* () {
        const board = yield* findBoardNumber(businessId, boardId);
        if (board === null || terms.length === 0) return new Map<string, Posting[]>();
        const sql = `SELECT p.block, k.dead, p.term, p.entries FROM ${livePostings} ORDER BY k.block`;
        return collectPostings(yield* arrays<PostingRow>(sql, { ...board, terms }));
      }),

    postingSizes: (businessId, boardId, terms) =>
      read(function* () {
        const board = yield* findBoardNumber(businessId, boardId);
        if (board === null || terms.length === 0) return new Map<string, number>();
        const sql = `SELECT p.term, sum(length(p.entries)) FROM ${livePostings} GROUP BY p.term`;
        const rows = yield* arrays<[term: string, bytes: number | string]>(sql, { ...board, terms });
        return new Map(rows.map(([term, bytes]) => [term, Number(bytes)]));
      }),

    terms: (businessId, boardId, prefix, limit) =>
      read(function* () {
        const board = yield* findBoardNumber(businessId, boardId);
        return board === null ? [] : yield* listTerms(dialect, board, prefix, limit);
      }),
  };
}

type PostingRow = [block: number, dead: Buffer, term: string, entries: Buffer];

/** Returns the postings of live chunks by their terms. */
function collectPostings(rows: readonly PostingRow[]): Map<string, Posting[]> {
  const found = new Map<string, Posting[]>();
  for (const [block, dead, term, entries] of rows) {
    const postings = found.get(term) ?? [];
    visitEntries(entries, (slot, frequency, length) => {
      if (!isDead(dead, slot)) postings.push({ document: block * BLOCK_SIZE + slot, frequency, length });
    });
    if (postings.length > 0) found.set(term, postings);
  }
  return found;
}

function* listTerms(dialect: Dialect, board: BoardNumber, prefix: string, limit: number): Unit<string[]> {
  // Two statements: SQLite needs 60 µs to find the outer blocks within the second one, 35 for both.
  const live = yield* arrays<[block: number]>(
    `SELECT block FROM posting_block WHERE ${isOfBoard(dialect)} AND live > 0 ORDER BY block`,
    board,
  );
  const outer = live.length > 2 * TERM_BLOCKS ? [...live.slice(0, TERM_BLOCKS), ...live.slice(-TERM_BLOCKS)] : live;
  const rows = yield* arrays<[term: string]>(
    `SELECT DISTINCT term FROM posting WHERE ${isOfBoard(dialect)} AND ${dialect.isAnyOf("block", "blocks")}
       AND term >= @prefix AND term < @end LIMIT @limit`,
    { ...board, prefix, end: prefix + LAST_CHARACTER, limit, blocks: outer.map(([block]) => block) },
  );
  return rows.map(([term]) => term);
}
