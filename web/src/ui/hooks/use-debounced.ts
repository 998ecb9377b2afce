import { useEffect, useState } from "react";

/** The last value that has stayed the same for `delay` milliseconds; the first one at once. */
export function useDebounced<T>(value: T, delay: number): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(() => value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return debounced;
}
