import type { ConnectedTile, PendingTile, TileBeginning, UnreadyTile } from "#domain/answers/search.ts";
import { Mapping, plain } from "../mapping.ts";

/** How searches read tiles `t`. */
export const CONNECTED_TILES = new Mapping<ConnectedTile>(
  { id: plain, version: plain, title: plain, type: plain, sourceUrl: plain, extractedText: plain, languageHint: plain },
  "t",
);
export const TILE_BEGINNINGS = new Mapping<Omit<TileBeginning, "extractedText" | "bytes">>(
  { id: plain, version: plain, title: plain, type: plain, sourceUrl: plain, languageHint: plain },
  "t",
);
export const UNREADY_TILES = new Mapping<Omit<UnreadyTile, "connected">>(
  { tileId: { column: "id" }, title: plain, type: plain, status: plain, sourceUrl: plain, sequence: plain },
  "t",
);
export const PENDING_TILES = new Mapping<PendingTile>(
  {
    businessId: plain,
    boardId: plain,
    tileId: { column: "id" },
    version: plain,
    title: plain,
    text: { column: "extracted_text" },
    languageHint: plain,
  },
  "t",
);
