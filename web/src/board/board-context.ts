import { createContext, useContext } from "react";
import type { Entry } from "./model/parse-input.ts";
import type { Selection } from "./model/selection.ts";
import type { Store } from "./model/store.ts";
import type { BoardColumn, BoardTile } from "./model/tile.ts";
import type { Uploads } from "./model/uploads.ts";

/** Where a drop would put what is dragged: before a tile, or at the column's end. */
export type DropTarget = { readonly columnId: string; readonly beforeId: string | null };

export type Drag = {
  readonly ids: readonly string[];
  readonly target: DropTarget | null;
  readonly by: "pointer" | "keyboard";
};

export type TileActions = {
  /**
   * Makes tiles of what was typed, pasted or dropped, on top of the column; false where none could be made. What was refused is
   * offered to be tried again, unless all of it was and it `stays` where it was typed.
   */
  add(columnId: string, entries: readonly Entry[], files?: readonly File[], stays?: boolean): Promise<boolean>;
  move(ids: readonly string[], target: DropTarget): void;
  remove(ids: readonly string[]): void;
  retry(ids: readonly string[]): void;
};

/** What a column offers to those who walk through the board by keys. */
export type ColumnHandle = {
  /** Focuses a card, or the composer of an empty column. */
  focus(index: number): void;
  reveal(index: number): void;
};

/** What every part of a board may use; it stays the same object while the board is open. */
export type BoardContext = {
  readonly boardId: string;
  readonly actions: TileActions;
  readonly selection: Store<Selection>;
  readonly drag: Store<Drag | null>;
  readonly uploads: Uploads;
  /** The columns as they are shown now. */
  readonly columns: () => readonly BoardColumn[];
  readonly handles: Map<string, ColumnHandle>;
  /** Whether a place within a column can be chosen: only in the board's own order. */
  readonly isOwnOrder: () => boolean;
  /** What the board is sorted by, such as "by title". */
  readonly sortedBy: () => string;
  /** Says why a tile keeps its place within its column while the board is sorted, and offers the board's own order. */
  readonly explainSorting: () => void;
  readonly openTile: (tileId: string) => void;
  readonly openMenu: (tile: BoardTile, button: HTMLElement) => void;
  readonly openMove: (ids: readonly string[]) => void;
  readonly openPasteText: (tile: BoardTile) => void;
  /** Opens the panel that makes something of these tiles. */
  readonly openGenerate: (ids: readonly string[]) => void;
  /** Reads a sentence out to those who can't see it. */
  readonly announce: (sentence: string) => void;
};

const Context = createContext<BoardContext | null>(null);

export const BoardContextProvider = Context.Provider;

export function useBoard(): BoardContext {
  const board = useContext(Context);
  if (board === null) throw new Error("This part of the page stands outside a board.");
  return board;
}

/** The selected tiles where `id` is one of them, else that one alone; in the order of the board. */
export function getTargetIds(board: BoardContext, id: string): readonly string[] {
  const { ids } = board.selection.get();
  if (!ids.has(id)) return [id];
  return board.columns().flatMap((column) => column.tiles.flatMap((tile) => (ids.has(tile.id) ? [tile.id] : [])));
}

/** Focuses a tile's card as soon as it is drawn in `columnId`, or in any column; given up after half a second. */
export function focusTile(board: BoardContext, tileId: string, columnId?: string, frames = 30): void {
  for (const { id, tiles } of board.columns()) {
    const index = columnId === undefined || id === columnId ? tiles.findIndex((tile) => tile.id === tileId) : -1;
    if (index >= 0) return board.handles.get(id)?.focus(index);
  }
  if (frames > 0) requestAnimationFrame(() => focusTile(board, tileId, columnId, frames - 1));
}
