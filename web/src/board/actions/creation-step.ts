import type { BoardTile } from "../model/tile.ts";
import { formatTiles } from "../model/format.ts";
import type { Undo } from "./use-undo.ts";

type Creation = {
  /** What the board shows until the tiles are created. */
  readonly placeholders: readonly BoardTile[];
  /** The tiles that were created, once each has succeeded or failed. */
  readonly created: Promise<readonly BoardTile[]>;
  /** Takes the placeholders off the board, and ends uploads. */
  readonly cancel: () => void;
  readonly remove: (tileIds: readonly string[]) => Promise<unknown>;
  readonly restore: (tileIds: readonly string[]) => Promise<unknown>;
};

/**
 * Keeps a creation that has begun as a step of the board's history. An undo takes its cards off the board at once, and deletes the tiles
 * when they are created: by then it is too late to stop the server. Without any tile, the step is forgotten.
 */
export function keepCreation(undo: Pick<Undo, "add">, { placeholders, created, cancel, remove, restore }: Creation): void {
  let shown = placeholders;
  const ids = created.then((tiles) => {
    if (tiles.length === 0) throw new Error("No tile was created.");
    shown = tiles;
    return tiles.map(({ id }) => id);
  });
  const step = {
    get text() {
      return `Added ${formatTiles(shown)}.`;
    },
    get place() {
      return { tileId: shown[0]?.id ?? "" };
    },
    undo: async () => {
      cancel();
      return remove(await ids);
    },
    redo: async () => restore(await ids),
  };
  undo.add(step, ids);
}
