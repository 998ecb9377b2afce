import { useCallback, useLayoutEffect, useRef } from "react";

/** A stable function that returns the value of the latest render. */
export function useLatest<T>(value: T): () => T {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return useCallback(() => latest.current, []);
}
