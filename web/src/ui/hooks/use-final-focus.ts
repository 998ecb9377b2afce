import { useLayoutEffect, useRef } from "react";

/**
 * Where a dialog returns the focus: to the element that had it, or nowhere. Base UI would choose an element of its own, such as the first
 * field of the page, if none had the focus or if it is gone.
 */
export function useFinalFocus(isOpen: boolean): () => HTMLElement | false {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isOpen) opener.current = document.activeElement;
  }, [isOpen]);
  return () => {
    const { current } = opener;
    const isElement = current instanceof HTMLElement && current.isConnected && current !== document.body;
    // The main part of the page has the focus after a click beside everything; its shortcuts work without focus as well.
    return isElement && current.id !== "main" && current;
  };
}
