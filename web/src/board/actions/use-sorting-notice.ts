import { useCallback, useRef } from "react";
import { closeToast, showToast } from "../../ui/toasts.ts";

/** Returns what says why a tile keeps its place while the board is sorted; the note offers to go back to the board's own order. */
export function useSortingNotice(sortedBy: () => string, setOwnOrder: () => void): () => void {
  const shown = useRef<string | null>(null);
  return useCallback(() => {
    // One such note at a time, however often an arrow key is pressed.
    if (shown.current !== null) closeToast(shown.current);
    shown.current = showToast({
      text: `The board is sorted ${sortedBy()}, so tiles can't be placed by hand.`,
      action: { label: "Use own order", onPress: setOwnOrder },
    });
  }, [sortedBy, setOwnOrder]);
}
