import { useEffect, useState } from "react";

/** The time since `since`, from one second on. Hidden from screen readers because it changes constantly. */
export function ElapsedTime({ since }: { readonly since: string }) {
  const seconds = useElapsedSeconds(since);
  if (!(seconds >= 1)) return null;
  return (
    <span aria-hidden="true" className="ml-auto shrink-0 text-quiet tabular-nums">
      {seconds < 100 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`}
    </span>
  );
}

/** The whole seconds since an ISO 8601 time, updated every second. */
export function useElapsedSeconds(since: string): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.floor((now - Date.parse(since)) / 1_000);
}
