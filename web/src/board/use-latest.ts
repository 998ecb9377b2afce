import { useCallback, useLayoutEffect, useRef } from "react";

/** A function, the same one always, that answers the value of the last drawing. */
export function useLatest<T>(value: T): () => T {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return useCallback(() => latest.current, []);
}
