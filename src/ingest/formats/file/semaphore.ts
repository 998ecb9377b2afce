/** Lets so many pieces of work through at once; the others wait in the order in which they came. */
export type Semaphore = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Makes a gate of `places`. Who waits leaves with the signal's reason when it is aborted. */
export function createSemaphore(places: number): Semaphore {
  const waiting: (() => void)[] = [];
  const state = { free: places };

  const enter = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (state.free > 0) return void state.free--;
    const turn = Promise.withResolvers<void>();
    const leave = (): void => {
      const place = waiting.indexOf(turn.resolve);
      if (place < 0) return;
      waiting.splice(place, 1);
      turn.reject(signal.reason);
    };
    waiting.push(turn.resolve);
    signal.addEventListener("abort", leave, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  };
  const exit = (): void => {
    const next = waiting.shift();
    // The place goes from hand to hand, so that nobody slips in between.
    if (next === undefined) state.free++;
    else next();
  };
  return async (signal, work) => {
    await enter(signal);
    try {
      return await work();
    } finally {
      exit();
    }
  };
}
