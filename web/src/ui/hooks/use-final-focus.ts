import { useLayoutEffect, useRef } from "react";

/**
 * Where a dialog returns the focus: to the element that had it, or nowhere. Base UI would choose an earlier element or the first field of
 * the page if none had the focus, or if it is gone.
 */
export function useFinalFocus(isOpen: boolean): () => HTMLElement | boolean {
  const opener = useRef<{ readonly element: Element | null; readonly isMenu: boolean }>(null);
  useLayoutEffect(() => {
    const element = document.activeElement;
    if (isOpen) opener.current = { element, isMenu: element?.closest("[role=menu]") != null };
  }, [isOpen]);
  return () => {
    if (opener.current === null) return false;
    const { element, isMenu } = opener.current;
    // Base UI knows the button of a menu that is closed.
    if (isMenu) return true;
    // The main part of the page has the focus after a click beside everything; its shortcuts work without focus as well.
    const isNothing = element === document.body || element?.id === "main";
    return element instanceof HTMLElement && element.isConnected && !isNothing && element;
  };
}
