import { useState } from "react";
import { closeToast, showToast } from "../../ui/toasts.ts";

/** An action that was done: a sentence, and what takes it back and does it again. */
export type Step = { readonly text: string; readonly undo: () => void; readonly redo: () => void };

export type Undo = {
  /** Adds an action that was done, with a notification unless `isQuiet`. Returns a function that removes it, for actions that fail. */
  readonly add: (step: Step, isQuiet?: boolean) => () => void;
  readonly canUndo: () => boolean;
  readonly canRedo: () => boolean;
  /** Undoes the last action, or says that there is none. */
  readonly undo: () => void;
  /** Does the last undone action again, or says that there is none. */
  readonly redo: () => void;
};

const MAX_STEPS = 50;

/** The history of the board's actions, while the board is open. */
export function useUndo(): Undo {
  const [undo] = useState(createUndo);
  return undo;
}

export function createUndo(): Undo {
  let done: readonly Step[] = [];
  let undone: readonly Step[] = [];
  let toastId = "";

  /** Shows a notification in place of the last one, whose action would be out of order. */
  function show(text: string, label: "Undo" | "Redo", onPress: () => void): void {
    closeToast(toastId);
    toastId = showToast({ text, action: { label, onPress } });
  }

  function undo(): void {
    const step = done.at(-1);
    if (step === undefined) return void showToast({ text: "There is nothing to undo." });
    done = done.slice(0, -1);
    undone = [...undone, step];
    step.undo();
    show(`Undone: ${step.text}`, "Redo", redo);
  }

  function redo(): void {
    const step = undone.at(-1);
    if (step === undefined) return void showToast({ text: "There is nothing to redo." });
    undone = undone.slice(0, -1);
    done = [...done, step];
    step.redo();
    show(step.text, "Undo", undo);
  }

  return {
    add(step, isQuiet = false) {
      done = [...done, step].slice(-MAX_STEPS);
      undone = [];
      if (isQuiet) closeToast(toastId);
      else show(step.text, "Undo", undo);
      const shown = toastId;
      return () => {
        done = done.filter((one) => one !== step);
        undone = undone.filter((one) => one !== step);
        closeToast(shown);
      };
    },
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    undo,
    redo,
  };
}
