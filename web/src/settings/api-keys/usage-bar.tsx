import { cn } from "../../ui/class-names.ts";
import { formatCount } from "../../text/plural.ts";

/** The tokens that a key used this month, against its budget if it has one. */
export function UsageBar({ used, calls, budget }: { readonly used: number; readonly calls: number; readonly budget: number | null }) {
  if (budget === null && used === 0) return null;
  const tokens = budget === null ? formatCount(used, "token") : `${used.toLocaleString("en")} of ${formatCount(budget, "token")}`;
  const summary = `${tokens} this month, ${formatCount(calls, "call")}`;
  if (budget === null) return <p className="text-sm text-quiet">{summary}</p>;
  const share = budget === 0 ? 1 : Math.min(1, used / budget);
  const isSpent = used >= budget;
  return (
    <div className="flex max-w-md flex-col gap-1">
      <div
        role="meter"
        aria-label="Budget used"
        aria-valuemin={0}
        aria-valuemax={budget}
        aria-valuenow={Math.min(used, budget)}
        aria-valuetext={summary}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div
          className={cn("h-full rounded-full", isSpent ? "bg-danger" : share > 0.8 ? "bg-warn" : "bg-accent")}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      <p className={cn("text-sm", isSpent ? "text-danger" : "text-quiet")}>
        {summary}
        {isSpent && " · budget used up until next month"}
      </p>
    </div>
  );
}
