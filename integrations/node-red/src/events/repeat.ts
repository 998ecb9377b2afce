import type { EventSource } from "./source.ts";

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/**
 * Repeats the step until the node is closed, and after an error later and later. Errors that last, such as that of a revoked key, are
 * repeated too: an owner can correct them on the server, without a change here.
 */
export async function repeat(step: () => Promise<void>, { report, signal }: Pick<EventSource, "report" | "signal">): Promise<void> {
  for (let failures = 0; !signal.aborted;) {
    try {
      await step();
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      report.failed(error as Error);
      await pause(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures++), signal);
    }
  }
}

/** Waits, or less if the node is closed. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    }
    signal.addEventListener("abort", end);
  });
}
