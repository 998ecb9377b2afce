import { AppError, isUnavailable } from "#domain/core/errors/error.ts";
import type { Meter, QuestionOutcome } from "#domain/metrics/meter.ts";

type Answered = { readonly answered: boolean; readonly mode: "model" | "extractive" };

/** Answers a question, and counts it with its time, the wait for a turn included. Throws what `ask` throws. */
export async function meterQuestion<A extends Answered>(
  meter: Pick<Meter, "countQuestion">,
  signal: AbortSignal,
  ask: () => Promise<A>,
): Promise<A> {
  const since = performance.now();
  const getSeconds = (): number => (performance.now() - since) / 1_000;
  try {
    const answer = await ask();
    meter.countQuestion({ outcome: answer.answered ? "answered" : "not_answered", mode: answer.mode, seconds: getSeconds() });
    return answer;
  } catch (error) {
    meter.countQuestion({ outcome: findOutcome(error, signal), mode: "none", seconds: getSeconds() });
    throw error;
  }
}

function findOutcome(error: unknown, signal: AbortSignal): QuestionOutcome {
  if (signal.aborted) return "cancelled";
  return error instanceof AppError && !isUnavailable(error) ? "refused" : "failed";
}
