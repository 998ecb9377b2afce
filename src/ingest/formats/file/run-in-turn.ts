import type { Semaphore } from "#runtime/semaphore.ts";
import type { ExtractContext } from "../../extract/extractor.ts";

/**
 * Runs `work` once there is a slot for this business. The wait does not count against the attempt, whose clock is stopped (decision 25).
 * Throws the signal's reason.
 */
export async function runInTurn<T>(
  semaphore: Semaphore,
  { business, clock }: Pick<ExtractContext, "business" | "clock">,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const endWait = clock.pause();
  try {
    return await semaphore.run(
      () => {
        endWait();
        return work();
      },
      { owner: business, signal },
    );
  } finally {
    endWait();
  }
}
