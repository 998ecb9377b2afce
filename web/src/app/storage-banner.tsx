import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { hasStatus } from "../api/client/client.ts";
import { readStorageProblem } from "../api/client/storage-problem.ts";

/** The first check does not compete with the first content of the page. */
const FIRST_CHECK_MS = 2_000;
const POLL_INTERVAL_MS = 60_000;
/** While there is a problem. */
const PROBLEM_POLL_INTERVAL_MS = 10_000;

/** Shown while the server can't store anything, so that nobody writes what can't be saved. */
export function StorageBanner() {
  const problem = useStorageProblem();
  return (
    <div role="status" aria-live="polite">
      {problem !== null && <div className="border-t border-warn/40 bg-warn-soft px-4 py-1.5 text-center text-sm text-warn">{problem}</div>}
    </div>
  );
}

/** Returns the sentence of the server about its storage; null while it works. A write that failed for it is followed by a check. */
function useStorageProblem(): string | null {
  const client = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const check = async (): Promise<void> => {
      clearTimeout(timer);
      const found = await readStorageProblem();
      if (isOver) return;
      clearTimeout(timer);
      timer = setTimeout(() => void check(), found === null ? POLL_INTERVAL_MS : PROBLEM_POLL_INTERVAL_MS);
      setProblem(found);
    };
    timer = setTimeout(() => void check(), FIRST_CHECK_MS);
    const unsubscribe = client.getMutationCache().subscribe(({ type, mutation }) => {
      if (type === "updated" && hasStatus(mutation.state.error, 503, 507)) void check();
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
      unsubscribe();
    };
  }, [client]);
  return problem;
}
