import { useEffect, useState } from "react";
import { durationOf } from "../../ui/time/times.ts";

/** How long it is since then, as a clock that runs. */
export function Elapsed({ since }: { readonly since: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span aria-hidden="true" className="text-quiet tabular-nums">
      {durationOf((now - Date.parse(since)) / 1_000)}
    </span>
  );
}
