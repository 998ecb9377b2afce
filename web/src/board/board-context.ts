import { createContext, useContext } from "react";
import type { Entry } from "./model/parse-input.ts";
import type { Selection } from "./model/selection.ts";
import type { Store } from "./model/store.ts";
import type { BoardColumn, BoardTile } from "./model/tile.ts";
import type { Uploads } from "./model/uploads.ts";

/** Where dragged tiles would be dropped: before a tile, or at the end of the column. */
export type DropTarget = { readonly columnId: string; readonly beforeId: string | null };

export type Drag = {
  readonly ids: readonly string[];
  readonly target: DropTarget | null;
  readonly by: "pointer" | "keyboard";
};

export type TileActions = {
  /**
   * Creates tiles from typed, pasted or dropped content at the top of a column; false if none was created. Failures offer a retry, unless
   * all failed and the caller keeps the input in its field (`keepsInput`).
   */
  add(columnId: string, entries: readonly Entry[], files?: readonly File[], keepsInput?: boolean): Promise<boolean>;
  move(ids: readonly string[], target: DropTarget): void;
  remove(ids: readonly string[]): void;
  retry(ids: readonly string[]): void;
};

/** What a column offers to keyboard navigation. */
export type ColumnHandle = {
  /** Focuses a card, or the input field of an empty column. */
  focus(index: number): void;
  reveal(index: number): void;
};

/** State and actions shared by all parts of a board. The object is stable while the board is open. */
export type BoardContext = {
  readonly boardId: string;
  readonly actions: TileActions;
  readonly selection: Store<Selection>;
  readonly drag: Store<Drag | null>;
  readonly uploads: Uploads;
  /** The columns as currently shown. */
  readonly columns: () => readonly BoardColumn[];
  readonly handles: Map<string, ColumnHandle>;
  /** Whether tiles can be placed within a column, which requires the manual order. */
  readonly isManualOrder: () => boolean;
  /** The active sorting, such as "by title". */
  readonly sortedBy: () => string;
  /** Explains that tiles cannot be placed while the board is sorted, and offers the manual order. */
  readonly explainSorting: () => void;
  readonly openTile: (tileId: string) => void;
  readonly openMenu: (tile: BoardTile, button: HTMLElement) => void;
  readonly openMove: (ids: readonly string[]) => void;
  readonly openPasteText: (tile: BoardTile) => void;
  /** Opens the Generate tab for these tiles. */
  readonly openGenerate: (ids: readonly string[]) => void;
  /** Announces a sentence to screen readers. */
  readonly announce: (sentence: string) => void;
};

const Context = createContext<BoardContext | null>(null);

export const BoardContextProvider = Context.Provider;

export function useBoard(): BoardContext {
  const board = useContext(Context);
  if (board === null) throw new Error("useBoard must be used inside BoardContextProvider.");
  return board;
}

/** The selected tiles if `id` is one of them, otherwise only `id`; in board order. */
export function getTargetIds(board: BoardContext, id: string): readonly string[] {
  const { ids } = board.selection.get();
  if (!ids.has(id)) return [id];
  return board.columns().flatMap((column) => column.tiles.flatMap((tile) => (ids.has(tile.id) ? [tile.id] : [])));
}

/** Focuses a tile's card as soon as it is rendered in `columnId`, or in any column. Gives up after half a second. */
export function focusTile(board: BoardContext, tileId: string, columnId?: string, frames = 30): void {
  for (const { id, tiles } of board.columns()) {
    const index = columnId === undefined || id === columnId ? tiles.findIndex((tile) => tile.id === tileId) : -1;
    if (index >= 0) return board.handles.get(id)?.focus(index);
  }
  if (frames > 0) requestAnimationFrame(() => focusTile(board, tileId, columnId, frames - 1));
}
