import { type PageCommand, sendCommand } from "../../ui/commands.ts";
import type { Undo } from "../actions/use-undo.ts";
import type { BoardContext } from "../board-context.ts";
import { NO_SELECTION } from "../model/selection.ts";
import { hasNoControl, isCovered, isEmptyComposer, isTyping } from "./dom.ts";
import { leaveToField } from "./field-undo.ts";
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
  action();
}

type Action = (() => unknown) | undefined;

/** The action of a key with Ctrl or Cmd. */
function findModifierAction(event: KeyboardEvent, key: string, board: BoardContext, undo: Undo, getColumn: () => string): Action {
  if (key === "k") return () => sendCommand("palette");
  if (event.shiftKey ? key === "z" : key === "y") return findHistoryAction(event.target, undo, "redo");
  if (key === "z") return findHistoryAction(event.target, undo, "undo");
  if (isTyping(event.target) || isCovered()) return undefined;
  return key === "a" ? () => selectColumn(board, getColumn()) : undefined;
}

/** Undo and redo belong to the field with the focus, otherwise to the board. */
function findHistoryAction(target: EventTarget | null, undo: Undo, verb: "undo" | "redo"): Action {
  const isComposer = isEmptyComposer(target);
  const canStep = verb === "undo" ? undo.canUndo() : undo.canRedo();
  if (isTyping(target) && !(isComposer && canStep)) {
    leaveToField(isComposer ? undo[verb] : () => undo.say(`There is nothing to ${verb} in this field.`));
    return undefined;
  }
  return isCovered() ? () => undo.say(`To ${verb} changes on the board, close this first.`) : undo[verb];
}

/** The action of a key without modifiers. */
function findPlainAction(event: KeyboardEvent, key: string, board: BoardContext, getColumn: () => string): Action {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isCovered()) return undefined;
  const command = COMMANDS[key];
  if (command !== undefined) return () => sendCommand(command);
  const selected = [...board.selection.get().ids];
  const selectionAction = selected.length > 0 ? SELECTION_ACTIONS[key] : undefined;
  if (selectionAction !== undefined) return () => selectionAction(board, selected);
  if (key === "ArrowDown" && hasNoControl(event.target)) return () => board.handles.get(getColumn())?.focus(0);
  return undefined;
}

const COMMANDS: Readonly<Record<string, PageCommand>> = {
  "/": "palette",
  "?": "help",
  n: "new-tile",
  z: "new-zone",
  a: "ask",
};

/** Shortcuts for the selection while no card has the focus, such as while a distant card is being rendered. */
const SELECTION_ACTIONS: Readonly<Record<string, (board: BoardContext, ids: readonly string[]) => void>> = {
  Escape: (board) => board.selection.set(NO_SELECTION),
  Delete: (board, ids) => board.actions.remove(ids),
  Backspace: (board, ids) => board.actions.remove(ids),
  m: (board, ids) => board.openMove(ids),
  r: (board, ids) => board.actions.retry(ids),
};
