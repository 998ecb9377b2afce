import { AppError, invalid } from "#domain/core/error.ts";
import { type GenerationError, type GenerationFailure, INTERRUPTED } from "#domain/answers/generation.ts";
import { ModelError, type ModelFailure } from "#domain/model/model.ts";

const CODES: Readonly<Record<ModelFailure, GenerationFailure>> = {
  unreachable: "model_unreachable",
  rate_limited: "model_rate_limited",
  timeout: "model_timeout",
  refused: "model_refused",
  cut_off: "model_cut_off",
  wrong_answer: "model_wrong_answer",
};

/** Why a process's generations end with it. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

const INTERNAL: GenerationError = {
  code: "internal",
  message: "Something went wrong on the server while this was made. Send the request again.",
};

/** What is kept of anything that ended a generation. A fault of ours tells nothing of its inside. */
export function generationErrorOf(error: unknown): GenerationError {
  if (error instanceof Stopped) return INTERRUPTED;
  if (error instanceof AppError && error.code === "invalid") return { code: "no_content", message: error.message };
  if (error instanceof AppError && error.code === "budget_spent") return { code: "budget_spent", message: error.message };
  if (!(error instanceof ModelError)) return INTERNAL;
  const { failure, message, retryAfterSeconds } = error;
  return { code: CODES[failure], message, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** Seconds after which a model that is away or busy is asked again, where it tells none. */
const AWAY_SECONDS = 5;
const BUSY_SECONDS = 30;

/** How a caller that waited is told of a failure. */
export function refusalOf({ code, message, retryAfterSeconds }: GenerationError): Error {
  switch (code) {
    case "no_content":
      return invalid(message);
    case "budget_spent":
      return new AppError("budget_spent", message);
    case "model_unreachable":
      return new AppError("model_unavailable", message, retryAfterSeconds ?? AWAY_SECONDS);
    case "model_rate_limited":
      return new AppError("model_unavailable", message, retryAfterSeconds ?? BUSY_SECONDS);
    case "model_timeout":
      return new AppError("model_too_slow", message);
    case "model_refused":
    case "model_cut_off":
    case "model_wrong_answer":
      return new AppError("model_failed", message);
    case "interrupted":
      return new AppError("unavailable", message, 1);
    case "internal":
      return new Error(message);
  }
}
