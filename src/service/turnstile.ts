import { AppError } from "#domain/core/error.ts";

/** Lets work in a few at a time, in turns of those who ask. */
export type Turnstile = {
  /** Runs the work once it is its turn; throws the signal's reason where the caller goes away first, `rate_limited` where too many wait. */
  run<T>(caller: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
};

export type TurnstileLimits = {
  /** At work at once. */
  readonly atOnce: number;
  /** Of one caller, at work or waiting. */
  readonly perCaller: number;
};

/**
 * A queue in which the caller with fewest at work comes first, so that whoever asks a hundred things at once delays nobody else's
 * one question.
 */
export function createTurnstile({ atOnce, perCaller }: TurnstileLimits): Turnstile {
  const running = new Map<string, number>();
  const waiting: { readonly caller: string; readonly enter: () => void }[] = [];
  let inside = 0;

  const countOf = (caller: string): number => running.get(caller) ?? 0;
  const admit = (): void => {
    while (inside < atOnce && waiting.length > 0) {
      let next = 0;
      for (const [place, { caller }] of waiting.entries()) {
        if (countOf(caller) < countOf((waiting[next] as { caller: string }).caller)) next = place;
      }
      const [entry] = waiting.splice(next, 1);
      if (entry === undefined) return;
      inside++;
      running.set(entry.caller, countOf(entry.caller) + 1);
      entry.enter();
    }
  };
  const leave = (caller: string): void => {
    inside--;
    const left = countOf(caller) - 1;
    if (left > 0) running.set(caller, left);
    else running.delete(caller);
    admit();
  };
  const wait = (caller: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const goAway = (): void => {
        const place = waiting.indexOf(entry);
        if (place < 0) return;
        waiting.splice(place, 1);
        reject(signal.reason);
      };
      const entry = {
        caller,
        enter: () => {
          signal.removeEventListener("abort", goAway);
          resolve();
        },
      };
      signal.addEventListener("abort", goAway, { once: true });
      waiting.push(entry);
      admit();
    });
  return {
    async run(caller, signal, work) {
      signal.throwIfAborted();
      const queued = waiting.filter((entry) => entry.caller === caller).length;
      if (countOf(caller) + queued >= perCaller) {
        throw new AppError("rate_limited", "Too many questions of this key are being answered at once. Try again in 1 s.", 1);
      }
      await wait(caller, signal);
      try {
        return await work();
      } finally {
        leave(caller);
      }
    },
  };
}
