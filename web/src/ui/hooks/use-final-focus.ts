import { useLayoutEffect, useRef } from "react";

/**
 * Where a dialog returns the focus: to the element that had it, or nowhere. Base UI would choose an earlier element or the first field of
 * the page if none had the focus, or if it is gone.
 */
export function useFinalFocus(isOpen: boolean): () => HTMLElement | false {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (!isOpen) return;
    opener.current = document.activeElement;
    // A menu that closes at the same time returns the focus to its button first.
    if (opener.current === document.body)
      queueMicrotask(() => {
        const { activeElement } = document;
        if (activeElement?.closest("[role=dialog], [role=alertdialog]") === null) opener.current = activeElement;
      });
  }, [isOpen]);
  return () => {
    const { current } = opener;
    // The main part of the page has the focus after a click beside everything; its shortcuts work without focus as well.
    const isNothing = current === document.body || current?.id === "main";
    return current instanceof HTMLElement && current.isConnected && !isNothing && current;
  };
}
