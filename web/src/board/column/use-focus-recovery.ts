import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { BoardTile } from "../model/tile.ts";

/** Where the focus is within a column: when that card is deleted or moved away under it, the one that takes its place has the focus. */
export function useFocusRecovery(scroller: RefObject<HTMLElement | null>, tiles: readonly BoardTile[], focus: (index: number) => void) {
  const place = useRef<{ readonly tileId: string; readonly index: number } | null>(null);
  useLayoutEffect(() => {
    const was = place.current;
    if (was === null || tiles.some(({ id }) => id === was.tileId)) return;
    place.current = null;
    if (document.activeElement === document.body) focus(Math.min(was.index, tiles.length - 1));
  });
  useEffect(() => {
    const element = scroller.current;
    // A focus that goes elsewhere is not followed; one that is lost with its card tells of no other place.
    const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget instanceof Node && element?.contains(relatedTarget) !== true) place.current = null;
    };
    element?.addEventListener("focusout", onFocusOut);
    return () => element?.removeEventListener("focusout", onFocusOut);
  }, [scroller]);
  return place;
}
