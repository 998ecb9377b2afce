import { MIN_RATE, type RateLimits } from "#runtime/turns/rate-watch.ts";

/** When a transfer counts as too slow. */
export type TransferLimits = RateLimits & {
  /** Time in which the origin must begin to answer, in milliseconds: DNS, connection and headers of all redirects together. */
  readonly headersMs: number;
};

export const TRANSFER_LIMITS: TransferLimits = { ...MIN_RATE, headersMs: 10_000 };

/** Thrown for a body that arrives too slowly. */
export class TooSlowError extends Error {
  constructor() {
    super("The body arrives too slowly.");
    this.name = "TooSlowError";
  }
}
