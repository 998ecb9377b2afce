import { createContext, useContext } from "react";
import { getErrorMessage } from "../api/client/client.ts";
import type { LoadExtent } from "../api/tiles/load-tiles.ts";
import type { TagChange } from "../ui/tags/tags.ts";
import { showToast } from "../ui/toasts.ts";
import type { BoardFocus } from "./model/place.ts";
import type { InputEntry } from "./model/parse-input.ts";
import type { Selection } from "./model/selection.ts";
import type { ValueStore } from "./model/store.ts";
import type { BoardColumn, BoardTile } from "./model/tile.ts";
import type { Uploads } from "./model/uploads.ts";

/** Where dragged tiles would be dropped: before a tile, or at the end of the column. */
export type DropTarget = { readonly columnId: string; readonly beforeId: string | null };

export type Drag = {
  readonly ids: readonly string[];
  readonly target: DropTarget | null;
  readonly by: "pointer" | "keyboard";
};

export type TileOperations = {
  /**
   * Creates tiles from typed, pasted or dropped content at the top of a column; false if none was created. Failures offer a retry, unless
   * all failed and the caller keeps the input in its field (`keepsInput`).
   */
  add(columnId: string, entries: readonly InputEntry[], files?: readonly File[], keepsInput?: boolean): Promise<boolean>;
  move(ids: readonly string[], target: DropTarget): void;
  remove(ids: readonly string[]): void;
  retry(ids: readonly string[]): void;
  tag(ids: readonly string[], change: TagChange): void;
};

export type LoadColumn = (columnId: string, extent: LoadExtent) => Promise<void>;

/** Functions that return the current values. */
export type BoardSnapshot = {
  readonly tiles: () => readonly BoardTile[];
  readonly columns: () => readonly BoardColumn[];
  readonly isManualOrder: () => boolean;
  readonly load: LoadColumn;
};

/** What a column offers to keyboard navigation. */
export type ColumnHandle = {
  /** Focuses a card, or the input field of an empty column. */
  focus(index: number): void;
  reveal(index: number): void;
  /** The index of the card where Tab stops. */
  stop(): number;
};

/** State and actions shared by all parts of a board. The object is stable while the board is open. */
export type BoardContext = {
  readonly boardId: string;
  readonly actions: TileOperations;
  readonly selection: ValueStore<Selection>;
  readonly drag: ValueStore<Drag | null>;
  readonly uploads: Uploads;
  /** The columns as currently shown. */
  readonly columns: () => readonly BoardColumn[];
  readonly focus: BoardFocus;
  readonly handles: Map<string, ColumnHandle>;
  /** Loads tiles of a column; resolves when `columns` returns them. Rejects if a request fails. */
  readonly load: LoadColumn;
  /** Whether tiles can be placed within a column, which requires the manual order. */
  readonly isManualOrder: () => boolean;
  /** The active sorting, such as "by title". */
  readonly sortedBy: () => string;
  /** Explains that tiles cannot be placed while the board is sorted, and offers the manual order. */
  readonly explainSorting: () => void;
  readonly openTile: (tileId: string) => void;
  readonly openMenu: (tile: BoardTile, button: HTMLElement) => void;
  readonly openMove: (ids: readonly string[]) => void;
  readonly openTags: (ids: readonly string[]) => void;
  /** Shows only tiles with this tag. */
  readonly filterByTag: (tag: string) => void;
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

/** Runs an action that needs every tile of a column, after the rest was loaded. */
export function withWholeColumn(board: BoardContext, columnId: string, act: (column: BoardColumn) => void): void {
  const find = (): BoardColumn | undefined => board.columns().find(({ id }) => id === columnId);
  const actNow = (): void => {
    const column = find();
    if (column !== undefined) act(column);
  };
  if (find()?.loaded === "all") actNow();
  else board.load(columnId, "all").then(actNow, (error: unknown) => showLoadError(error));
}

/** `onRetry` is offered if nothing else on the page would load the tiles. */
export const showLoadError = (error: unknown, onRetry?: () => void): string =>
  showToast({
    text: `Some tiles could not be loaded. ${getErrorMessage(error)}`,
    kind: "problem",
    ...(onRetry !== undefined && { action: { label: "Try again", onPress: onRetry }, timeout: RETRY_TOAST_MS }),
  });
/** A day: what failed stays missing until it is tried again. */
const RETRY_TOAST_MS = 86_400_000;
