import type { Tile, Versioned } from "@tessera-board/sdk";
import type { TagChange } from "../../ui/tags/tags.ts";

/** The fields of a tile whose changes can be undone on the board. */
export type TileField = "title" | "extractedText" | "connectedToChat";

/** Where changes of an open tile are kept, so that the board can undo them. */
export type TileHistory = {
  /** Keeps a change from `before` to the field's value in `after`. An undo waits until it is saved. If that fails, it is forgotten. */
  readonly keepEdit: (field: TileField, before: Tile[TileField], after: Tile, saved: Promise<Versioned<Tile>>) => void;
  /** Adds tags to the tile, or removes them. */
  readonly tag: (tile: Tile, change: TagChange) => void;
  /** Deletes the tile. */
  readonly remove: (tile: Tile) => void;
};
