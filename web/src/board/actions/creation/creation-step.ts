import { formatTiles } from "../../model/format.ts";
import type { BoardTile } from "../../model/tile.ts";
import type { Undo, UndoStep } from "../use-undo.ts";
import { type NewTileRequest, toPlaceholder } from "./new-tile.ts";

/** Tiles that are being created together. */
export type Batch = {
  /** What the board shows until the tiles are created. */
  readonly placeholders: readonly BoardTile[];
  /** The tiles that were created so far. */
  readonly created: readonly BoardTile[];
  /** Resolves with what `cancel` kept from being created, once nothing is under way any more. */
  readonly left: Promise<readonly NewTileRequest[]>;
  /** Takes the placeholders off the board, ends uploads, and begins nothing else. */
  readonly cancel: () => void;
};

type Creation = {
  readonly begin: (newTiles: readonly NewTileRequest[]) => Batch;
  readonly remove: (tileIds: readonly string[]) => Promise<unknown>;
  readonly restore: (tileIds: readonly string[]) => Promise<unknown>;
};

/**
 * Creates tiles as a step of the board's history, and returns their batch. An undo takes the cards off the board at once and begins no
 * further tile. Notes and links whose requests are under way are deleted when they are created: it is too late to stop the server. A redo
 * restores what was deleted, and creates what was left. Without any tile, the step is forgotten.
 */
export function keepCreation(undo: Pick<Undo, "add">, newTiles: readonly NewTileRequest[], { begin, remove, restore }: Creation): Batch {
  const first = begin(newTiles);
  let batch = first;
  /** The tiles of batches that have ended. */
  let earlier: readonly BoardTile[] = [];
  let shown: readonly BoardTile[] = [];
  let undoing: Promise<readonly NewTileRequest[]> = Promise.resolve([]);
  let calls = 0;
  const getIds = (): readonly string[] => [...earlier, ...batch.created].map(({ id }) => id);

  async function followBatch(): Promise<void> {
    shown = [...earlier, ...batch.placeholders];
    const left = await batch.left;
    shown = [...earlier, ...batch.created, ...left.map((newTile) => toPlaceholder(newTile, 0))];
    if (shown.length === 0) throw new Error("No tile was created.");
  }

  async function takeBack(): Promise<readonly NewTileRequest[]> {
    const ids = getIds();
    batch.cancel();
    const [left] = await Promise.all([batch.left, ids.length > 0 && remove(ids)]);
    const late = getIds().slice(ids.length);
    if (late.length > 0) await remove(late);
    return left;
  }

  const step: UndoStep = {
    get text() {
      return `Added ${formatTiles(shown)}.`;
    },
    get place() {
      return { tileId: shown[0]?.id ?? "" };
    },
    undo() {
      calls++;
      undoing = takeBack();
      return undoing;
    },
    async redo() {
      const call = ++calls;
      const left = await undoing;
      // Undone again while the tiles were being deleted.
      if (call !== calls) return;
      const ids = getIds();
      const restored = ids.length > 0 && restore(ids);
      if (left.length > 0) {
        earlier = [...earlier, ...batch.created];
        batch = begin(left);
      }
      await Promise.all([restored, followBatch()]);
    },
  };
  undo.add(step, followBatch());
  return first;
}
