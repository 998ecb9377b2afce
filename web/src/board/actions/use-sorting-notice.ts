import { useCallback, useRef } from "react";
import { closeToast, showToast } from "../../ui/toasts.ts";

/** Returns a function that explains why tiles cannot be placed while the board is sorted, and offers to restore manual order. */
export function useSortingNotice(sortedBy: () => string, setManualOrder: () => void): () => void {
  const shown = useRef<string | null>(null);
  return useCallback(() => {
    // Show one such notification at a time, even while an arrow key repeats.
    if (shown.current !== null) closeToast(shown.current);
    shown.current = showToast({
      text: `The board is sorted ${sortedBy()}, so tiles cannot be placed manually.`,
      action: { label: "Use manual order", onPress: setManualOrder },
    });
  }, [sortedBy, setManualOrder]);
}
