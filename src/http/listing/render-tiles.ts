import type { TileCursor, TilePage } from "#domain/content/tile-store.ts";
import { renderTileSummary } from "./tile-row-cache.ts";
import type { BodyPart } from "../response/streamed-body.ts";

export type TilesToRender = {
  /** Reads up to `rows` tiles after a cursor. It may return fewer if their texts are long. */
  readonly read: (after: TileCursor | null, rows: number) => Promise<TilePage>;
  readonly after: TileCursor | null;
  /** The number of tiles to list. */
  readonly limit: number;
  readonly withText: boolean;
  /** Returns the fields that follow the tiles, as JSON that starts with a comma, or nothing. */
  readonly suffix: (next: TileCursor | null) => string;
};

/** Rows that are read at once. */
const MAX_ROWS = 500;

/** Yields the parts of a listing as JSON. */
export async function* renderTiles({ read, after, limit, withText, suffix }: TilesToRender): AsyncGenerator<BodyPart> {
  let start = after;
  let left = limit;
  let separator = '{"tiles":[';
  for (let isLast = false; !isLast;) {
    let page: { readonly next: TileCursor | null; readonly count: number } = { next: null, count: 0 };
    yield async () => {
      const { tiles, next } = await read(start, Math.min(left, MAX_ROWS));
      page = { next, count: tiles.length };
      isLast = next === null || tiles.length >= left;
      const rows = tiles.map((tile) => renderTileSummary(tile, withText)).join(",");
      return `${rows === "" && separator === "," ? "" : separator}${rows}${isLast ? `]${suffix(next)}}` : ""}`;
    };
    start = page.next;
    left -= page.count;
    separator = ",";
  }
}
