import { useState } from "react";
import { closeToast, showToast } from "../../ui/toasts.ts";

export type Undo = {
  /**
   * Tells what happened, with a way back that lasts as long as the note, and by its key. Answers what takes the note away again, for
   * when it turns out not to have happened.
   */
  readonly offer: (text: string, back: () => void) => () => void;
  /** Takes back what was last offered; false where there is nothing. */
  readonly take: () => boolean;
};

/** Remembers the last thing that can be taken back. */
export function useUndo(): Undo {
  const [undo] = useState((): Undo => {
    let last: { readonly toastId: string; readonly back: () => void } | null = null;
    return {
      offer(text, back) {
        const run = (): void => {
          last = null;
          back();
        };
        // The way back from what came before may no longer lead there.
        if (last !== null) closeToast(last.toastId);
        const offered = { toastId: showToast({ text, action: { label: "Undo", onPress: run } }), back: run };
        last = offered;
        return () => {
          closeToast(offered.toastId);
          if (last === offered) last = null;
        };
      },
      take() {
        if (last === null) return false;
        closeToast(last.toastId);
        last.back();
        return true;
      },
    };
  });
  return undo;
}
