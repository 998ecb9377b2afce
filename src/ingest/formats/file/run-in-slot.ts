import type { Semaphore } from "#runtime/turns/semaphore.ts";
import type { ExtractContext } from "../../extract/extractor.ts";

/**
 * Runs `work` when there is a slot for this business. The attempt's clock is paused during the wait (decision 25). Throws the signal's
 * reason if it is aborted.
 */
export async function runInSlot<T>(
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
