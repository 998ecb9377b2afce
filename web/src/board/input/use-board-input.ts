import { useEffect, useRef } from "react";
import { useCommand } from "../../ui/commands.ts";
import { showToast } from "../../ui/toasts.ts";
import type { Undo } from "../actions/use-undo.ts";
import type { BoardContext } from "../board-context.ts";
import { parseEntries, readTransferText } from "../model/parse-input.ts";
import { NO_ZONE } from "../model/tile.ts";
import { focusComposer, getColumnId, isCovered, isTyping } from "./dom.ts";
import { guardFieldHistory } from "./field-undo.ts";
import { handleShortcut } from "./shortcuts.ts";

/** Keyboard shortcuts, pastes and drops that apply to the whole board. */
export function useBoardInput(board: BoardContext, undo: Undo, onNewZone: () => void): void {
  const hovered = useRef<string | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const getColumn = (): string => getCurrentColumn(board, hovered.current);
    document.addEventListener("pointerover", (event) => (hovered.current = getColumnId(event.target) ?? hovered.current), { signal });
    document.addEventListener("paste", (event) => addPasted(board, getColumn(), event), { signal });
    document.addEventListener("keydown", (event) => handleShortcut(event, board, undo, getColumn), { signal });
    document.addEventListener("beforeinput", guardFieldHistory, { signal });
    // Without this, the browser would navigate to a file dropped outside the columns.
    window.addEventListener("dragover", (event) => isOutside(event) && event.preventDefault(), { signal });
    window.addEventListener("drop", (event) => isOutside(event) && addDropped(board, getColumn(), event), { signal });
    return () => controller.abort();
  }, [board, undo]);

  useCommand("new-tile", () => {
    if (!focusComposer(getCurrentColumn(board, hovered.current))) onNewZone();
  });
  useCommand("new-zone", onNewZone);
  useCommand("undo", undo.undo);
  useCommand("redo", undo.redo);
}

/** The focused column, otherwise the one under the pointer, otherwise the first. */
function getCurrentColumn(board: BoardContext, hovered: string | null): string {
  const columns = board.columns();
  const exists = (id: string | null): id is string => columns.some((column) => column.id === id);
  return [getColumnId(document.activeElement), hovered].find(exists) ?? columns[0]?.id ?? NO_ZONE;
}

function addPasted(board: BoardContext, columnId: string, event: ClipboardEvent): void {
  if (isTyping(event.target) || isCovered() || event.clipboardData === null) return;
  if (addTransfer(board, columnId, event.clipboardData)) event.preventDefault();
}

function addDropped(board: BoardContext, columnId: string, event: DragEvent): void {
  event.preventDefault();
  if (event.dataTransfer !== null) addTransfer(board, columnId, event.dataTransfer);
}

/** Adds the files, links or text of a paste or drop, and reports where. Returns false if it contains none. */
function addTransfer(board: BoardContext, columnId: string, data: DataTransfer): boolean {
  const files = [...data.files];
  const entries = files.length > 0 ? [] : parseEntries(readTransferText(data));
  if (entries.length + files.length === 0) return false;
  const name = board.columns().find(({ id }) => id === columnId)?.name;
  void board.actions.add(columnId, entries, files).then((isAdded) => {
    if (isAdded)
      showToast({ text: name === undefined || columnId === NO_ZONE ? "Added without a zone." : `Added to ${name}.`, kind: "good" });
  });
  return true;
}

const isOutside = (event: DragEvent): boolean => !event.defaultPrevented && !isTyping(event.target);
