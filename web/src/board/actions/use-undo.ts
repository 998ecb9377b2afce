import { useState } from "react";
import type { BoardFocus, Place } from "../model/place.ts";
import { closeToast, showToast } from "../../ui/toasts.ts";

/** An action on the board. `undo` and `redo` report their own failure and reject; the step is then forgotten. */
export type UndoStep = {
  readonly text: string;
  /** What the action changed; it gets the focus after an undo or redo. */
  readonly place: Place;
  readonly undo: () => Promise<unknown>;
  readonly redo: () => Promise<unknown>;
};

export type Undo = {
  /** Does an action for the first time and keeps it, with a notification unless `isQuiet`. */
  readonly run: (step: UndoStep, isQuiet?: boolean) => void;
  /** Keeps an action that was done, or that is being done until `action` resolves. */
  readonly add: (step: UndoStep, action?: Promise<unknown>) => void;
  /** Says why nothing was undone, in place of the last notification. */
  readonly say: (text: string) => void;
  readonly canUndo: () => boolean;
  readonly canRedo: () => boolean;
  /** Undoes the last action, or says that there is none. */
  readonly undo: () => void;
  /** Does the last undone action again, or says that there is none. */
  readonly redo: () => void;
};

const MAX_STEPS = 50;

/** The history of the board's actions, while the board is open. */
export function useUndo(focus: BoardFocus): Undo {
  const [undo] = useState(() => createUndo(focus));
  return undo;
}

export function createUndo(focus: Pick<BoardFocus, "move" | "expect">): Undo {
  let done: readonly UndoStep[] = [];
  let undone: readonly UndoStep[] = [];
  let shown: { readonly step: UndoStep | null; readonly toastId: string } | null = null;

  function hide(): void {
    if (shown !== null) closeToast(shown.toastId);
    shown = null;
  }

  /** Shows a notification in place of the last one, whose action would be out of order. */
  function show(text: string, step: UndoStep | null = null, action?: { readonly label: string; readonly onPress: () => void }): void {
    hide();
    shown = { step, toastId: showToast({ text, ...(action !== undefined && { action }) }) };
  }

  function keep(step: UndoStep): void {
    hide();
    done = [...done, step].slice(-MAX_STEPS);
    undone = [];
  }

  /** Forgets the step if its request fails: nothing is known about its state then. */
  function follow(step: UndoStep, result: Promise<unknown>): void {
    result.catch(() => {
      done = done.filter((one) => one !== step);
      undone = undone.filter((one) => one !== step);
      if (shown?.step === step) hide();
    });
  }

  function undo(): void {
    const step = done.at(-1);
    if (step === undefined) return show("There is nothing to undo.");
    done = done.slice(0, -1);
    undone = [...undone, step];
    show(`Undone: ${step.text}`, step, { label: "Redo", onPress: redo });
    focus.move(step.place);
    follow(step, step.undo());
  }

  function redo(): void {
    const step = undone.at(-1);
    if (step === undefined) return show("There is nothing to redo.");
    undone = undone.slice(0, -1);
    done = [...done, step];
    show(step.text, step, { label: "Undo", onPress: undo });
    focus.move(step.place);
    follow(step, step.redo());
  }

  return {
    run(step, isQuiet = false) {
      keep(step);
      if (!isQuiet) show(step.text, step, { label: "Undo", onPress: undo });
      focus.expect(step.place);
      follow(step, step.redo());
    },
    add(step, action = Promise.resolve()) {
      keep(step);
      follow(step, action);
    },
    say: (text) => show(text),
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    undo,
    redo,
  };
}
