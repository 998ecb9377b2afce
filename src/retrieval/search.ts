import type { TileType } from "#domain/tile.ts";
import { chooseQuote } from "./quote.ts";
import { retrieve, type RetrievalDeps } from "./retrieve.ts";

export type SearchResult = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  readonly score: number;
  /** Verbatim from the tile's `extractedText`. */
  readonly quote: string;
};

/** The connected tiles that match best, one row each by its best passage; best first, scores never rising. */
export async function searchBoard(
  deps: RetrievalDeps,
  businessId: string,
  boardId: string,
  query: string,
  limit: number,
): Promise<SearchResult[]> {
  const { passages } = await retrieve(deps, businessId, boardId, query, { limit, perTile: 1 });
  return passages.map((passage) => {
    const { start, end } = chooseQuote(passage);
    const { tileId, title, type, score, tileText } = passage;
    return { tileId, title, type, score, quote: tileText.slice(start, end) };
  });
}
