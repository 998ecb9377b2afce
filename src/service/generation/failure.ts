import { AppError, invalid } from "#domain/core/errors/error.ts";
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

/** Thrown when the process stops; its generations end as interrupted. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

/** Thrown when the generation has ended already, because it was cancelled or another process ended it. Nothing is stored then. */
export class GenerationEndedError extends Error {
  override readonly name = "GenerationEndedError";
}

const INTERNAL: GenerationError = {
  code: "internal",
  message: "An internal error occurred during the generation. Send the request again.",
};

/** Converts the error that ended a generation into its stored form. Internal errors reveal no details. */
export function toGenerationError(error: unknown): GenerationError {
  if (error instanceof InterruptedError) return INTERRUPTED;
  if (error instanceof AppError && error.kind === "invalid") return { code: "no_content", message: error.message };
  if (error instanceof AppError && error.code === "budget_spent") return { code: "budget_spent", message: error.message };
  if (!(error instanceof ModelError)) return INTERNAL;
  const { failure, message, retryAfterSeconds } = error;
  return { code: CODES[failure], message, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** Default retry delays for an unreachable or busy model whose provider gives none. */
const UNREACHABLE_RETRY_SECONDS = 5;
const RATE_LIMITED_RETRY_SECONDS = 30;

/** Converts a stored failure into the error for a waiting caller. */
export function toCallerError({ code, message, retryAfterSeconds }: GenerationError): Error {
  switch (code) {
    case "no_content":
      return invalid(message, "no_content");
    case "budget_spent":
      return new AppError("budget_spent", message);
    case "model_unreachable":
      return new AppError("model_unavailable", message, retryAfterSeconds ?? UNREACHABLE_RETRY_SECONDS);
    case "model_rate_limited":
      return new AppError("model_unavailable", message, retryAfterSeconds ?? RATE_LIMITED_RETRY_SECONDS);
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
