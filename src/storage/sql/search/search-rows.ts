import type { ConnectedTile, PendingTile, TileBeginning, UnreadyTile } from "#domain/answers/search.ts";
import { INDEXED_OPTIONS } from "#domain/content/tile-options.ts";
import { Mapping, plain, plainFields } from "../mapping.ts";

/** The columns have the names of the fields in snake case. */
const TEXT_CONTEXT = plainFields("title", ...INDEXED_OPTIONS);

/** How searches read tiles `t`. */
export const CONNECTED_TILES = new Mapping<ConnectedTile>(
  { id: plain, version: plain, ...TEXT_CONTEXT, type: plain, sourceUrl: plain, extractedText: plain },
  "t",
);
export const TILE_BEGINNINGS = new Mapping<Omit<TileBeginning, "extractedText" | "bytes">>(
  { id: plain, version: plain, ...TEXT_CONTEXT, type: plain, sourceUrl: plain },
  "t",
);
export const UNREADY_TILES = new Mapping<Omit<UnreadyTile, "connected">>(
  { tileId: { column: "id" }, title: plain, type: plain, status: plain, sourceUrl: plain, sequence: plain },
  "t",
);
export const PENDING_TILES = new Mapping<Omit<PendingTile, "text">>(
  { businessId: plain, boardId: plain, tileId: { column: "id" }, version: plain, ...TEXT_CONTEXT },
  "t",
);
