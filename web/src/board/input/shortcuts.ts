import { type Command, sendCommand } from "../../ui/commands.ts";
import type { Undo } from "../actions/use-undo.ts";
import type { BoardContext } from "../board-context.ts";
import { NO_SELECTION } from "../model/selection.ts";
import { ensureFocus, isCovered, isEmptyComposer, isTyping } from "./dom.ts";
import { selectColumn } from "./select-column.ts";

/** Runs the keyboard shortcut of an event, if there is one. `getColumn` returns the id of the current column. */
export function handleShortcut(event: KeyboardEvent, board: BoardContext, undo: Undo, getColumn: () => string): void {
  if (event.defaultPrevented || event.isComposing || board.drag.get() !== null) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action =
    (event.ctrlKey || event.metaKey) && !event.altKey
      ? findModifierAction(event, key, board, undo, getColumn)
      : findPlainAction(event, key, board, getColumn);
  if (action === undefined) return;
  event.preventDefault();
  // The panel beside the board returns the focus to where it was, which may be nowhere.
  if (action !== openAsk) ensureFocus();
  action();
}

const openAsk = (): void => sendCommand("ask");

type Action = (() => unknown) | undefined;

/** The action of a key with Ctrl or Cmd. */
function findModifierAction(event: KeyboardEvent, key: string, board: BoardContext, undo: Undo, getColumn: () => string): Action {
  if (key === "k") return () => sendCommand("palette");
  if (isCovered()) return undefined;
  const isRedo = event.shiftKey ? key === "z" : key === "y";
  const isUndo = key === "z" && !event.shiftKey;
  const step = isUndo ? undo.undo : isRedo ? undo.redo : undefined;
  if (step !== undefined && isEmptyComposer(event.target)) {
    if (isUndo ? undo.canUndo() : undo.canRedo()) return step;
    // Without a step of the board, the key does in the field what the browser knows; if that is nothing, the page says so.
    setTimeout(() => isEmptyComposer(event.target) && step());
  }
  if (isTyping(event.target)) return undefined;
  return step ?? (key === "a" ? () => selectColumn(board, getColumn()) : undefined);
}

/** The action of a key without modifiers. */
function findPlainAction(event: KeyboardEvent, key: string, board: BoardContext, getColumn: () => string): Action {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isCovered()) return undefined;
  if (key === "a") return openAsk;
  const command = COMMANDS[key];
  if (command !== undefined) return () => sendCommand(command);
  const selected = [...board.selection.get().ids];
  const selectionAction = selected.length > 0 ? SELECTION_ACTIONS[key] : undefined;
  if (selectionAction !== undefined) return () => selectionAction(board, selected);
  if (key === "ArrowDown" && event.target === document.body) return () => board.handles.get(getColumn())?.focus(0);
  return undefined;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  "/": "palette",
  "?": "help",
  n: "new-tile",
  z: "new-zone",
};

/** Shortcuts for the selection while no card has the focus, such as while a distant card is being rendered. */
const SELECTION_ACTIONS: Readonly<Record<string, (board: BoardContext, ids: readonly string[]) => void>> = {
  Escape: (board) => board.selection.set(NO_SELECTION),
  Delete: (board, ids) => board.actions.remove(ids),
  Backspace: (board, ids) => board.actions.remove(ids),
  m: (board, ids) => board.openMove(ids),
  r: (board, ids) => board.actions.retry(ids),
};
