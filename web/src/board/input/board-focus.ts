import { useEffect, useState } from "react";
import type { BoardColumn } from "../model/tile.ts";
import type { BoardFocus, Place } from "../model/place.ts";
import { isCovered, isTyping } from "./dom.ts";

/** The place that has or had the focus. The numbers are where it was last, or -1, and find what took its place. */
type Spot = { readonly tileId: string | null; readonly columnId: string | null; readonly column: number; readonly index: number };

/** The columns by id. */
type Handles = ReadonlyMap<string, { readonly focus: (index: number) => void; readonly stop: () => number }>;

type FocusState = BoardFocus & { readonly observe: () => () => void };

/**
 * Keeps the focus on the board: when the focused element disappears, the focus goes to the tile that it belonged to, else to the tile that
 * took its place, else to the heading of the zone. Never to a text field, where the next shortcut would be typed.
 */
export function useBoardFocus(columns: () => readonly BoardColumn[], handles: Handles): BoardFocus {
  const [focus] = useState(() => createBoardFocus(columns, handles));
  useEffect(() => focus.observe(), [focus]);
  return focus;
}

function createBoardFocus(columns: () => readonly BoardColumn[], handles: Handles): FocusState {
  let spot: Spot | null = null;
  let isMoving = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Runs once a closing dialog has returned the focus. */
  function schedule(): void {
    clearTimeout(timer);
    timer = setTimeout(settle);
  }

  function settle(): void {
    if (spot === null || isCovered()) return;
    spot = findSpot(columns(), spot) ?? spot;
    if (isMoving ? spot.column < 0 : document.activeElement !== document.body) return;
    const isAllowed = !isMoving || !isTyping(document.activeElement);
    isMoving = false;
    if (isAllowed) focusSpot(columns(), handles, spot);
  }

  function expect(place: Place): void {
    const unknown = { tileId: null, columnId: null, ...place, column: -1, index: -1 };
    spot = findSpot(columns(), unknown) ?? unknown;
  }

  function onFocusIn({ target }: FocusEvent): void {
    if (!(target instanceof HTMLElement)) return;
    const tileId = target.closest<HTMLElement>("[data-tile]")?.dataset["tile"] ?? null;
    const columnId = target.closest<HTMLElement>("[data-column]")?.dataset["column"] ?? null;
    // A dialog that closes returns the focus to the tile that it moved.
    if (isMoving && tileId !== null && tileId === spot?.tileId) return;
    isMoving = false;
    if (columnId !== null) spot = findSpot(columns(), { tileId, columnId, column: -1, index: -1 });
    // A click beside everything.
    else if (target.id === "main") spot = null;
  }

  return {
    expect,
    move(place) {
      isMoving = true;
      expect(place);
      schedule();
    },
    enter(columnId) {
      const index = handles.get(columnId)?.stop() ?? 0;
      focusSpot(columns(), handles, { tileId: null, columnId, column: -1, index });
    },
    observe() {
      const observer = new MutationObserver(() => (isMoving || document.activeElement === document.body) && schedule());
      observer.observe(document.body, { childList: true, subtree: true });
      document.addEventListener("focusin", onFocusIn);
      return () => {
        observer.disconnect();
        document.removeEventListener("focusin", onFocusIn);
        clearTimeout(timer);
      };
    },
  };
}

/** Where a tile or zone is now; null if it is not shown. */
function findSpot(columns: readonly BoardColumn[], { tileId, columnId }: Spot): Spot | null {
  for (const [column, { id, tiles }] of columns.entries()) {
    const index = tileId === null ? -1 : tiles.findIndex((tile) => tile.id === tileId);
    if (tileId === null ? id === columnId : index >= 0) return { tileId, columnId: id, column, index };
  }
  return null;
}

/** Focuses the card at a place, or the nearest heading. */
function focusSpot(columns: readonly BoardColumn[], handles: Handles, { columnId, column: at, index }: Spot): void {
  const column = columns.find(({ id }) => id === columnId) ?? columns[Math.min(at, columns.length - 1)];
  if (column === undefined) return;
  if (index >= 0 && column.id === columnId && column.tiles.length > 0)
    handles.get(column.id)?.focus(Math.min(index, column.tiles.length - 1));
  else document.querySelector<HTMLElement>(`[data-column="${CSS.escape(column.id)}"] [data-heading]`)?.focus();
}
