import { countTerms } from "#domain/answers/analysis.ts";
import type { SearchStore } from "#domain/answers/search.ts";
import type { Driver } from "../driver.ts";
import type { SearchAdapter } from "./adapters.ts";
import { createPartIndexer } from "./index-parts.ts";
import { groupByTermCount, type IndexedTile, storeAnalyses } from "./index-tiles.ts";
import { createPostingReader } from "./read-postings.ts";
import { createTileReader } from "./read-tiles.ts";
import { eraseDroppedPostings, hasDroppedBlock } from "./remove-tiles.ts";
import { createWaitingTiles } from "./waiting-tiles.ts";

export const createSearchStore = (driver: Driver, adapter: SearchAdapter): SearchStore => ({
  ...createPostingReader(driver),
  ...createTileReader(driver),
  ...createWaitingTiles(driver, adapter.claims),
  ...createTileIndexer(driver, adapter),
});

/** Creates the part of the search store that writes the index. */
function createTileIndexer(
  driver: Driver,
  { claims, groupTerms, maxTerms }: SearchAdapter,
): Pick<SearchStore, "index" | "indexParts" | "eraseDropped"> {
  const { dialect, read, write } = driver;
  const indexParts = createPartIndexer(driver, claims, maxTerms);
  const isLarge = ({ analysis }: IndexedTile): boolean => countTerms(analysis.terms) > maxTerms;

  return {
    async index(items) {
      const boards = Map.groupBy<string, IndexedTile>(
        items.filter((item) => !isLarge(item)),
        ({ tile }) => `${tile.businessId} ${tile.boardId}`,
      );
      for (const group of [...boards.values()].flatMap((board) => groupByTermCount(board, groupTerms)))
        await write(() => storeAnalyses(dialect, group));
      for (const { tile, analysis } of items.filter(isLarge)) await indexParts(tile, [analysis]);
    },

    indexParts,

    async eraseDropped() {
      // Without dropped blocks, nothing is written, since each commit invalidates cached listings.
      while (await read(hasDroppedBlock)) if (!(await write(() => eraseDroppedPostings(dialect, maxTerms)))) return;
    },
  };
}
