import type { Analysis, PendingTile } from "#domain/answers/search.ts";
import type { Dialect } from "../driver.ts";
import { run, type Unit } from "../unit.ts";
import { addToIndex, readBoardNumber, removeFromIndex } from "./index.ts";

export type AnalysedTile = { readonly tile: PendingTile; readonly analysis: Analysis };

/** Splits the tiles of a board into groups of about `maxTerms` terms. A tile is never split. */
export function groupByTermCount(items: readonly AnalysedTile[], maxTerms: number): AnalysedTile[][] {
  const groups: AnalysedTile[][] = [];
  let terms = Infinity;
  for (const item of items) {
    if (terms >= maxTerms) {
      groups.push([]);
      terms = 0;
    }
    groups.at(-1)?.push(item);
    terms += item.analysis.terms.size;
  }
  return groups;
}

/** Stores the analyses of tiles of one board, whose documents are numbered in this order. */
export function* indexTiles(dialect: Dialect, group: readonly AnalysedTile[]): Unit<void> {
  const { businessId, boardId } = (group[0] as AnalysedTile).tile;
  const board = yield* readBoardNumber(businessId, boardId);
  if (board === undefined) return;
  const current = new Set<string>();
  // All writers lock tiles in the order of their ids, to avoid deadlocks.
  for (const { tileId, version } of group.map(({ tile }) => tile).sort((a, b) => (a.tileId < b.tileId ? -1 : 1))) {
    const changed = yield* run(
      `UPDATE tile SET ${dialect.tile.indexed} = TRUE, ${dialect.tile.embedded} = FALSE
       WHERE business_id = @businessId AND id = @tileId AND version = @version AND ${dialect.is(dialect.tile.indexed, false)}`,
      { businessId, tileId, version },
    );
    if (changed > 0) current.add(tileId);
  }
  yield* removeFromIndex(dialect, businessId, [...current]);
  const analysed = group.map(({ tile, analysis }) => ({ tileId: tile.tileId, analysis }));
  yield* addToIndex(
    dialect,
    board,
    analysed.filter(({ tileId }, i) => current.has(tileId) && analysed.findIndex((item) => item.tileId === tileId) === i),
  );
}
