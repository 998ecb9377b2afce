import { useCallback, useLayoutEffect, useRef } from "react";

/**
 * Buffers typed characters while a field is still loading (`isBuffering`), so that they do not trigger shortcuts. The returned function
 * ends buffering and returns the text; the field calls it when it gets the focus. Escape calls `onLeave`.
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
    const controller = new AbortController();
    typed.current = "";
    end.current = () => controller.abort();
    document.addEventListener("keydown", bufferKey, { capture: true, signal: controller.signal });
    return () => controller.abort();

    function bufferKey(event: KeyboardEvent): void {
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
    const text = typed.current;
    typed.current = "";
    return text;
  }, []);
}
