import { useEffect, useState } from "react";
import { formatDuration } from "../../ui/time/format-time.ts";

/** The time since then, updated every second. */
export function Elapsed({ since }: { readonly since: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span aria-hidden="true" className="text-quiet tabular-nums">
      {formatDuration((now - Date.parse(since)) / 1_000)}
    </span>
  );
}
