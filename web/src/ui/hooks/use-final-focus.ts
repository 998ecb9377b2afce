import { useLayoutEffect, useRef } from "react";

/**
 * Where a dialog returns the focus: to the element that had it, or nowhere. Base UI would choose an earlier element or the first field of
 * the page if none had the focus, or if it is gone. It calls the result when the dialog has disappeared.
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
    return current instanceof HTMLElement && current.isConnected && !isNothing && !hasMovedOn(current) && current;
  };
}

const getDialog = (element: Element): Element | null => element.closest("[role=dialog], [role=alertdialog]");

/** Whether another element got the focus while the dialog disappeared. Taking it away would lose what is typed there. */
function hasMovedOn(opener: Element): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body || activeElement.id === "main") return false;
  return getDialog(activeElement) === getDialog(opener);
}
