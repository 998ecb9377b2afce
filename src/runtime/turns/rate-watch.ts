/** When a transfer counts as too slow. */
export type RateLimits = {
  /** Time in which bytes may arrive at any speed, in milliseconds. */
  readonly graceMs: number;
  /** The bytes that must arrive in each period of `windowMs` milliseconds after that. */
  readonly windowMs: number;
  readonly minBytes: number;
};

/** 1 KiB a second. */
export const MIN_RATE: RateLimits = { graceMs: 5_000, windowMs: 10_000, minBytes: 10 * 1_024 };

export type RateWatch = {
  /** Counts bytes that arrived. */
  readonly count: (bytes: number) => void;
  /** Stops the time, while the reader is busy and not the sender. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly stop: () => void;
};

/** Calls `onSlow` once, when fewer than `minBytes` arrived in a period. */
export function watchRate({ graceMs, windowMs, minBytes }: RateLimits, onSlow: () => void): RateWatch {
  let arrived = 0;
  let isGrace = true;
  let timer: NodeJS.Timeout | undefined;
  let startedAt = 0;
  let leftMs = graceMs;
  const start = (ms: number): void => {
    leftMs = ms;
    startedAt = performance.now();
    timer = setTimeout(endPeriod, ms);
  };
  const endPeriod = (): void => {
    timer = undefined;
    if (!isGrace && arrived < minBytes) return onSlow();
    isGrace = false;
    arrived = 0;
    start(windowMs);
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  start(graceMs);
  return {
    count: (bytes) => void (arrived += bytes),
    pause() {
      if (timer !== undefined) leftMs = Math.max(0, leftMs - (performance.now() - startedAt));
      stop();
    },
    resume: () => void (timer ?? start(leftMs)),
    stop,
  };
}
