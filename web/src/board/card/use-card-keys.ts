import type { KeyboardEvent } from "react";
import { selectColumn } from "../input/select-column.ts";
import { type BoardContext, getTargetIds, useBoard, withWholeColumn } from "../board-context.ts";
import { extendSelection, toggleTile } from "../model/selection.ts";
import { type BoardColumn, type BoardTile, isPlaceholder } from "../model/tile.ts";

/** Keyboard shortcuts of a focused card. They apply to the selection if the card is part of it. */
export function useCardKeys(tile: BoardTile, columnId: string, index: number): (event: KeyboardEvent) => void {
  const board = useBoard();
  return (event) => {
    if (event.nativeEvent.isComposing || event.altKey) return;
    if (!isHandled(board, tile, columnId, index, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function isHandled(board: BoardContext, tile: BoardTile, columnId: string, index: number, event: KeyboardEvent): boolean {
  const column = board.columns().find(({ id }) => id === columnId);
  if (column === undefined) return false;
  const isNew = isPlaceholder(tile.id);
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== "a") return false;
    selectColumn(board, columnId);
    return true;
  }
  const step = STEPS[event.key];
  if (step !== undefined) {
    const go = ({ tiles }: BoardColumn): void => goTo(board, columnId, tiles, step(index, tiles.length - 1), isRange ? tile : null);
    const isRange = event.shiftKey && !isNew;
    if (event.key === "End") withWholeColumn(board, columnId, go);
    else go(column);
    return true;
  }
  const act = event.shiftKey || (isNew && !event.key.startsWith("Arrow")) ? undefined : KEY_HANDLERS[event.key];
  act?.(board, tile, columnId, index);
  return act !== undefined;
}

/** Focuses the card at an index. With the start of a range, selects the tiles up to it. */
function goTo(board: BoardContext, columnId: string, tiles: readonly BoardTile[], index: number, rangeStart: BoardTile | null): void {
  const end = tiles[index];
  if (rangeStart !== null && end !== undefined) {
    const ids = tiles.map(({ id }) => id);
    board.selection.set((selection) =>
      extendSelection(selection.ids.size === 0 ? toggleTile(selection, rangeStart.id) : selection, end.id, ids),
    );
  }
  board.handles.get(columnId)?.focus(index);
}

const STEPS: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
  PageDown: (index, last) => Math.min(index + 8, last),
  PageUp: (index) => Math.max(index - 8, 0),
};

type KeyHandler = (board: BoardContext, tile: BoardTile, columnId: string, index: number) => void;

const remove: KeyHandler = (board, tile) => board.actions.remove(getTargetIds(board, tile.id));

const KEY_HANDLERS: Readonly<Record<string, KeyHandler>> = {
  ArrowLeft: (board, _, columnId, index) => focusAdjacentColumn(board, columnId, -1, index),
  ArrowRight: (board, _, columnId, index) => focusAdjacentColumn(board, columnId, 1, index),
  x: (board, tile) => board.selection.set((selection) => toggleTile(selection, tile.id)),
  m: (board, tile) => board.openMove(getTargetIds(board, tile.id)),
  r: (board, tile) => board.actions.retry(getTargetIds(board, tile.id)),
  Delete: remove,
  Backspace: remove,
};

/** Focuses the card at about the same height in an adjacent column. */
export function focusAdjacentColumn(board: BoardContext, columnId: string, step: 1 | -1, index: number): void {
  const columns = board.columns();
  const next = columns[columns.findIndex(({ id }) => id === columnId) + step];
  if (next !== undefined) board.handles.get(next.id)?.focus(Math.min(index, Math.max(0, next.tiles.length - 1)));
}
