import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { BoardTile } from "../model/tile.ts";

/** When the focused card is deleted or moved away, focuses the card that takes its place. */
export function useFocusRecovery(scroller: RefObject<HTMLElement | null>, tiles: readonly BoardTile[], focus: (index: number) => void) {
  const lastFocus = useRef<{ readonly tileId: string; readonly index: number } | null>(null);
  useLayoutEffect(() => {
    const focused = lastFocus.current;
    if (focused === null || tiles.some(({ id }) => id === focused.tileId)) return;
    lastFocus.current = null;
    if (document.activeElement === document.body) focus(Math.min(focused.index, tiles.length - 1));
  });
  useEffect(() => {
    const element = scroller.current;
    // Forget the card when the focus moves elsewhere, but not when it is lost because the card was removed.
    const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget instanceof Node && element?.contains(relatedTarget) !== true) lastFocus.current = null;
    };
    element?.addEventListener("focusout", onFocusOut);
    return () => element?.removeEventListener("focusout", onFocusOut);
  }, [scroller]);
  return lastFocus;
}
