import { type BoardContext, type DropTarget, getTargetIds } from "../board-context.ts";
import type { BoardColumn, BoardTile } from "../model/tile.ts";
import { formatCount } from "../../text/plural.ts";
import { truncate } from "../model/format.ts";

/** Instructions for screen readers. */
export const HANDLE_HELP = "Press Space to pick up the tile, the arrow keys to move it, Space again to drop it, and Escape to cancel.";

/** Added while the board is sorted. */
const SORTED_HELP =
  "The left and right arrow keys move it to another zone. Its position within a zone cannot be changed while the board is sorted.";
/** The keys that move within a column. */
const COLUMN_KEYS: readonly string[] = ["ArrowUp", "ArrowDown", "Home", "End"];

/** Picks up a tile, or the selection, and moves it with the keyboard until it is dropped or cancelled. */
export function startKeyboardDrag(board: BoardContext, tile: BoardTile, columnId: string): void {
  if (board.drag.get() !== null) return;
  const ids = getTargetIds(board, tile.id);
  const what = ids.length === 1 ? truncate(tile.title) : formatCount(ids.length, "tile");
  const start = getStartTarget(board, ids, tile.id, columnId);
  board.drag.set({ ids, target: start, by: "keyboard" });
  board.announce(`${what} picked up. ${describeTarget(board, ids, start)}${board.isManualOrder() ? "" : ` ${SORTED_HELP}`}`);
  const controller = new AbortController();
  const { signal } = controller;
  document.addEventListener("keydown", onKey, { capture: true, signal });
  document.addEventListener("pointerdown", () => leave(), { capture: true, signal });

  function onKey(event: KeyboardEvent): void {
    const target = board.drag.get()?.target ?? start;
    if (event.key === "Tab") return leave();
    const next = getNextTarget(board, ids, target, event.key);
    if (next === undefined && ![" ", "Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return leave();
    if (next === undefined) return drop(target);
    if (next === null) {
      if (!board.isManualOrder() && COLUMN_KEYS.includes(event.key)) board.explainSorting();
      return;
    }
    board.drag.set({ ids, target: next, by: "keyboard" });
    revealTarget(board, next);
    board.announce(describeTarget(board, ids, next));
  }

  function end(): void {
    controller.abort();
    board.drag.set(null);
  }

  function leave(): void {
    end();
    board.announce(`${what} was not moved.`);
  }

  function drop(target: DropTarget): void {
    end();
    const isInPlace = target.columnId === start.columnId && target.beforeId === start.beforeId;
    if (isInPlace && !board.isManualOrder()) board.explainSorting();
    if (isInPlace && ids.length === 1) return leave();
    board.actions.move(ids, target);
    board.announce(`${what} dropped. ${describeTarget(board, ids, target)}`);
    board.focus.move({ tileId: tile.id });
  }
}

function isNotIn(ids: readonly string[]): (tile: BoardTile) => boolean {
  const moved = new Set(ids);
  return ({ id }) => !moved.has(id);
}

/** The tiles of a column that are not being moved. */
const getStationaryTiles = (column: BoardColumn | undefined, ids: readonly string[]): readonly BoardTile[] =>
  column?.tiles.filter(isNotIn(ids)) ?? [];

function getStartTarget(board: BoardContext, ids: readonly string[], tileId: string, columnId: string): DropTarget {
  if (!board.isManualOrder()) return { columnId, beforeId: null };
  const column = board.columns().find(({ id }) => id === columnId);
  const from = column?.tiles.findIndex(({ id }) => id === tileId) ?? -1;
  const next = column?.tiles.slice(from + 1).find(isNotIn(ids));
  return { columnId, beforeId: next?.id ?? null };
}

/** The target of an arrow key: null if there is none in that direction, undefined for other keys. */
function getNextTarget(board: BoardContext, ids: readonly string[], target: DropTarget, key: string): DropTarget | null | undefined {
  const columns = board.columns();
  const at = columns.findIndex(({ id }) => id === target.columnId);
  const rest = getStationaryTiles(columns[at], ids);
  const index = target.beforeId === null ? rest.length : rest.findIndex(({ id }) => id === target.beforeId);
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const adjacent = columns[at + (key === "ArrowLeft" ? -1 : 1)];
    if (adjacent === undefined) return null;
    return { columnId: adjacent.id, beforeId: board.isManualOrder() ? (getStationaryTiles(adjacent, ids)[index]?.id ?? null) : null };
  }
  const step = { ArrowUp: -1, ArrowDown: 1, Home: -index, End: rest.length - index }[key];
  if (step === undefined) return undefined;
  const next = index + step;
  if (!board.isManualOrder() || next < 0 || next > rest.length) return null;
  return { columnId: target.columnId, beforeId: rest[next]?.id ?? null };
}

function revealTarget(board: BoardContext, { columnId, beforeId }: DropTarget): void {
  const column = board.columns().find(({ id }) => id === columnId);
  const index = beforeId === null ? (column?.tiles.length ?? 0) - 1 : (column?.tiles.findIndex(({ id }) => id === beforeId) ?? -1);
  document.querySelector(`[data-column="${CSS.escape(columnId)}"]`)?.scrollIntoView({ inline: "nearest", block: "nearest" });
  if (index >= 0 && board.isManualOrder()) board.handles.get(columnId)?.reveal(index);
}

function describeTarget(board: BoardContext, ids: readonly string[], { columnId, beforeId }: DropTarget): string {
  const column = board.columns().find(({ id }) => id === columnId);
  const name = column?.name ?? "the board";
  if (!board.isManualOrder()) return `In ${name}, sorted ${board.sortedBy()}.`;
  const rest = getStationaryTiles(column, ids);
  // The number of a column that is loaded in part includes tiles that are being moved.
  const unseen = column?.loaded === "all" ? 0 : Math.max(0, (column?.total ?? 0) - (column?.tiles.length ?? 0));
  const count = rest.length + unseen;
  const index = beforeId === null ? count : rest.findIndex(({ id }) => id === beforeId);
  return `In ${name}, position ${index + 1} of ${count + 1}.`;
}
