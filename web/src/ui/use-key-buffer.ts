import { useCallback, useLayoutEffect, useRef } from "react";

/**
 * Keeps what is typed while a field that `isBuffering` is still loading, so that no letter of it is taken for a shortcut or written
 * elsewhere. Answers what hands it over and ends this, for the field to call when it has the focus. Escape calls `onLeave`.
 */
export function useKeyBuffer(isBuffering: boolean, onLeave: () => void): () => string {
  const typed = useRef("");
  const end = useRef<(() => void) | null>(null);
  const leave = useRef(onLeave);
  useLayoutEffect(() => {
    leave.current = onLeave;
  });
  useLayoutEffect(() => {
    if (!isBuffering) return undefined;
    const off = new AbortController();
    typed.current = "";
    end.current = () => off.abort();
    document.addEventListener("keydown", hold, { capture: true, signal: off.signal });
    return () => off.abort();

    function hold(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape") leave.current();
      else if (event.key === "Backspace") typed.current = [...typed.current].slice(0, -1).join("");
      else if ([...event.key].length === 1) typed.current += event.key;
    }
  }, [isBuffering]);
  return useCallback(() => {
    end.current?.();
    const words = typed.current;
    typed.current = "";
    return words;
  }, []);
}
