import { useState } from "react";
import { closeToast, showToast } from "../../ui/toasts.ts";

export type Undo = {
  /**
   * Shows a notification with an Undo action, which also becomes the target of the undo shortcut. Returns a function that removes the
   * offer, for actions that fail.
   */
  readonly offer: (text: string, back: () => void) => () => void;
  /** Runs the last offered undo; false if there is none. */
  readonly run: () => boolean;
};

/** Keeps the last action that can be undone. */
export function useUndo(): Undo {
  const [undo] = useState((): Undo => {
    let last: { readonly toastId: string; readonly back: () => void } | null = null;
    return {
      offer(text, back) {
        const undoNow = (): void => {
          last = null;
          back();
        };
        // Undoing an older action may conflict with the newer one, so only one offer is kept.
        if (last !== null) closeToast(last.toastId);
        const offered = { toastId: showToast({ text, action: { label: "Undo", onPress: undoNow } }), back: undoNow };
        last = offered;
        return () => {
          closeToast(offered.toastId);
          if (last === offered) last = null;
        };
      },
      run() {
        if (last === null) return false;
        closeToast(last.toastId);
        last.back();
        return true;
      },
    };
  });
  return undo;
}
