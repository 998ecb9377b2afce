import { AppError } from "#domain/core/error.ts";
import { createSemaphore, type Semaphore } from "#runtime/semaphore.ts";

export type QuestionQueueLimits = {
  /** Questions answered at once. */
  readonly slots: number;
  /** Questions of one caller, running or waiting. */
  readonly maxPerCaller: number;
};

/**
 * Limits how many questions are answered at once. The caller with the fewest running questions goes first, so that one caller's hundred
 * questions do not delay the single question of another.
 */
export const createQuestionQueue = ({ slots, maxPerCaller }: QuestionQueueLimits): Semaphore =>
  createSemaphore({
    slots,
    maxPerOwner: maxPerCaller,
    refuse: () => new AppError("rate_limited", "Too many questions of this API key or member are being answered. Try again in 1 s.", 1),
  });
