/** When a transfer counts as too slow. */
export type TransferLimits = {
  /** Time in which the origin must begin to answer, in milliseconds: DNS, connection and headers of all redirects together. */
  readonly headersMs: number;
  /** Time after the headers in which a body may arrive at any speed, in milliseconds. */
  readonly graceMs: number;
  /** The bytes that must arrive in each period of `windowMs` milliseconds after that, unless the body ends. */
  readonly windowMs: number;
  readonly minBytes: number;
};

/** The minimum speed is 1 KiB a second. */
export const TRANSFER_LIMITS: TransferLimits = { headersMs: 10_000, graceMs: 5_000, windowMs: 10_000, minBytes: 10 * 1_024 };

/** Thrown for a body that arrives too slowly. */
export class TooSlowError extends Error {
  constructor() {
    super("The body arrives too slowly.");
    this.name = "TooSlowError";
  }
}

export type RateWatch = {
  /** Counts bytes that arrived. */
  readonly count: (bytes: number) => void;
  readonly stop: () => void;
};

/** Calls `onSlow` once, when fewer than `minBytes` arrived in a period. */
export function watchRate({ graceMs, windowMs, minBytes }: TransferLimits, onSlow: (error: TooSlowError) => void): RateWatch {
  let arrived = 0;
  const endPeriod = (): void => {
    if (arrived < minBytes) return onSlow(new TooSlowError());
    arrived = 0;
    timer = setTimeout(endPeriod, windowMs);
  };
  let timer = setTimeout(() => {
    arrived = 0;
    timer = setTimeout(endPeriod, windowMs);
  }, graceMs);
  return { count: (bytes) => void (arrived += bytes), stop: () => clearTimeout(timer) };
}
