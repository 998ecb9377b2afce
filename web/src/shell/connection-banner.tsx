import { useMutationState } from "@tanstack/react-query";
import { useEffect } from "react";
import { checkConnectionNow, useIsConnected } from "../api/client/connection.ts";
import { formatCount } from "../text/plural.ts";

/**
 * Shown while the server is unreachable, with the number of pending changes. Closing the page would lose them, so the browser asks first.
 */
export function ConnectionBanner() {
  const isConnected = useIsConnected();
  const waiting = useMutationState({ filters: { status: "pending" }, select: ({ state }) => state.isPaused }).filter(Boolean).length;
  const isWaiting = waiting > 0;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isWaiting]);
  return (
    <div role="status" aria-live="polite">
      {!isConnected && (
        <div className="flex flex-wrap items-center justify-center gap-x-3 border-t border-warn/40 bg-warn-soft px-4 py-1.5 text-sm text-warn">
          <span>
            No connection.{" "}
            {waiting === 0
              ? "Your changes will be sent when it is back."
              : `${formatCount(waiting, "change is waiting", "changes are waiting")} to be sent.`}
          </span>
          <button
            type="button"
            onClick={checkConnectionNow}
            className="min-h-8 rounded-md px-2 font-semibold underline underline-offset-2 pointer-coarse:min-h-11"
          >
            Retry now
          </button>
        </div>
      )}
    </div>
  );
}
