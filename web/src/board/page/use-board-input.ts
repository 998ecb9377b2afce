import { useEffect, useRef } from "react";
import { sendCommand, useCommand } from "../../ui/commands.ts";
import { showToast } from "../../ui/toasts.ts";
import type { Undo } from "../actions/use-undo.ts";
import type { BoardContext } from "../board-context.ts";
import { parseEntries, readTransferText } from "../model/parse-input.ts";
import { NO_SELECTION, selectAll } from "../model/selection.ts";
import { isPlaceholder, NO_ZONE } from "../model/tile.ts";

/** Keyboard shortcuts, pastes and drops that apply to the whole board. */
export function useBoardInput(board: BoardContext, undo: Undo, onNewZone: () => void): void {
  const hovered = useRef<string | null>(null);

  useEffect(() => {
    const off = new AbortController();
    const { signal } = off;
    document.addEventListener("pointerover", (event) => (hovered.current = getColumnId(event.target) ?? hovered.current), { signal });
    document.addEventListener("paste", (event) => onPaste(event), { signal });
    document.addEventListener("keydown", (event) => onKeyDown(event), { signal });
    // Without this, the browser would navigate to a file dropped outside the columns.
    window.addEventListener("dragover", (event) => isOutside(event) && event.preventDefault(), { signal });
    window.addEventListener("drop", (event) => isOutside(event) && onDrop(event), { signal });
    return () => off.abort();

    function onPaste(event: ClipboardEvent): void {
      if (isTyping(event.target) || isCovered() || event.clipboardData === null) return;
      const files = [...event.clipboardData.files];
      const entries = files.length > 0 ? [] : parseEntries(readTransferText(event.clipboardData));
      if (entries.length + files.length === 0) return;
      event.preventDefault();
      addTo(currentColumn(), entries, files);
    }

    function onDrop(event: DragEvent): void {
      event.preventDefault();
      if (event.dataTransfer === null) return;
      const files = [...event.dataTransfer.files];
      addTo(currentColumn(), files.length > 0 ? [] : parseEntries(readTransferText(event.dataTransfer)), files);
    }

    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing || board.drag.get() !== null) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if ((event.ctrlKey || event.metaKey) && !event.altKey) {
        if (key === "k") return runAction(event, () => sendCommand("palette"));
        // An empty field has no undo of its own.
        if (key === "z" && !event.shiftKey && isEmptyComposer(event.target) && !isCovered())
          return undo.take() ? event.preventDefault() : undefined;
        if (key === "z" && !event.shiftKey && !isTyping(event.target) && !isCovered()) return runAction(event, undo.take);
        if (key === "a" && !isTyping(event.target) && !isCovered()) return runAction(event, selectColumn);
        return;
      }
      if (event.altKey || isTyping(event.target) || isCovered()) return;
      const action = COMMANDS[key];
      if (action !== undefined) return runAction(event, () => sendCommand(action));
      const selected = [...board.selection.get().ids];
      const toSelected = selected.length > 0 ? SELECTED[key] : undefined;
      if (toSelected !== undefined) return runAction(event, () => toSelected(board, selected));
      if (key === "ArrowDown" && event.target === document.body)
        return runAction(event, () => board.handles.get(currentColumn())?.focus(0));
    }

    function selectColumn(): void {
      const column = board.columns().find(({ id }) => id === currentColumn());
      const ids = column?.tiles.map(({ id }) => id).filter((id) => !isPlaceholder(id)) ?? [];
      board.selection.set((selection) => selectAll(selection, ids));
    }
  }, [board, undo]);

  useCommand("new-tile", () => {
    const id = currentColumn();
    const column = document.querySelector(`[data-column="${CSS.escape(id)}"]`);
    column?.scrollIntoView({ inline: "nearest", block: "nearest" });
    column?.querySelector<HTMLElement>("[data-composer]")?.focus();
    if (column === null) onNewZone();
  });
  useCommand("new-zone", onNewZone);

  function addTo(columnId: string, entries: ReturnType<typeof parseEntries>, files: readonly File[]): void {
    const name = board.columns().find(({ id }) => id === columnId)?.name;
    void board.actions.add(columnId, entries, files).then((isAdded) => {
      if (isAdded)
        showToast({ text: name === undefined || columnId === NO_ZONE ? "Added without a zone." : `Added to ${name}.`, kind: "good" });
    });
  }

  /** The focused column, otherwise the one under the pointer, otherwise the first. */
  function currentColumn(): string {
    const columns = board.columns();
    const isThere = (id: string | null): id is string => columns.some((column) => column.id === id);
    return [getColumnId(document.activeElement), hovered.current].find(isThere) ?? columns[0]?.id ?? NO_ZONE;
  }
}

const COMMANDS: Readonly<Record<string, "palette" | "help" | "new-tile" | "new-zone" | "ask">> = {
  "/": "palette",
  "?": "help",
  n: "new-tile",
  z: "new-zone",
  a: "ask",
};

/** Shortcuts for the selection while no card has the focus, such as while a distant card is being rendered. */
const SELECTED: Readonly<Record<string, (board: BoardContext, ids: readonly string[]) => void>> = {
  Escape: (board) => board.selection.set(NO_SELECTION),
  Delete: (board, ids) => board.actions.remove(ids),
  Backspace: (board, ids) => board.actions.remove(ids),
  m: (board, ids) => board.openMove(ids),
  r: (board, ids) => board.actions.retry(ids),
};

function runAction(event: Event, action: () => unknown): void {
  event.preventDefault();
  // A dialog returns the focus to the active element, which must not be the body.
  if (document.activeElement === document.body) document.querySelector<HTMLElement>(FALLBACK_FOCUS)?.focus({ preventScroll: true });
  action();
}

const getColumnId = (target: EventTarget | null): string | null =>
  (target instanceof Element ? target.closest<HTMLElement>("[data-column]")?.dataset["column"] : null) ?? null;

/** Selector of an element that can take the focus: a card, an input field or a button. */
const FALLBACK_FOCUS = 'main [data-title][tabindex="0"], main [data-composer], main button';

const isOutside = (event: DragEvent): boolean => !event.defaultPrevented && !isTyping(event.target);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])"));

const isEmptyComposer = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement && target.matches("[data-composer]") && target.value === "";

/** Whether a dialog or menu covers the board. */
const isCovered = (): boolean => document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null;
