/** Work that callers who want the same wait for together, a few pieces at once. */
export type SingleFlight<T> = {
  /**
   * Answers what the work under this name makes: that of an earlier caller where it is not done yet, else this one's, once there is
   * room. Throws what the work throws, the signal's reason where the caller goes away, and `refuse()` where too many wait. Work is
   * aborted when all who wait for it have gone.
   */
  join(name: string, signal: AbortSignal, work: (aborted: AbortSignal) => Promise<T>): Promise<T>;
};

export type SharedWorkLimits = {
  /** At work at once. */
  readonly atOnce: number;
  /** Callers that wait, for whatever work. */
  readonly mostWaiting: number;
  /** What callers beyond it are told. */
  readonly refuse: () => Error;
};

type Piece<T> = { readonly done: Promise<T>; readonly abort: AbortController; waiting: number };

export function createSharedWork<T>({ atOnce, mostWaiting, refuse }: SharedWorkLimits): SingleFlight<T> {
  const pieces = new Map<string, Piece<T>>();
  const queue: (() => void)[] = [];
  let running = 0;
  let waiting = 0;

  function leave(): void {
    running--;
    queue.shift()?.();
  }

  /** Resolves when there is room; what is given up before it never takes any. */
  async function enter(aborted: AbortSignal): Promise<void> {
    if (running < atOnce) {
      running++;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const admit = (): void => {
      running++;
      aborted.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = (): void => {
      queue.splice(queue.indexOf(admit), 1);
      reject(aborted.reason);
    };
    aborted.addEventListener("abort", giveUp, { once: true });
    queue.push(admit);
    await promise;
  }

  function begin(name: string, work: (aborted: AbortSignal) => Promise<T>): Piece<T> {
    const abort = new AbortController();
    const run = async (): Promise<T> => {
      await enter(abort.signal);
      try {
        return await work(abort.signal);
      } finally {
        leave();
      }
    };
    const done = run().finally(() => forget(name, piece));
    // Those who wait are told by their own promises; there may be nobody left.
    done.catch(() => {});
    const piece: Piece<T> = { done, abort, waiting: 0 };
    pieces.set(name, piece);
    return piece;
  }

  function forget(name: string, piece: Piece<T>): void {
    if (pieces.get(name) === piece) pieces.delete(name);
  }

  return {
    async join(name, signal, work) {
      signal.throwIfAborted();
      if (waiting >= mostWaiting) throw refuse();
      const piece = pieces.get(name) ?? begin(name, work);
      const gone = Promise.withResolvers<never>();
      const goAway = (): void => gone.reject(signal.reason);
      signal.addEventListener("abort", goAway, { once: true });
      waiting++;
      piece.waiting++;
      try {
        return await Promise.race([piece.done, gone.promise]);
      } finally {
        signal.removeEventListener("abort", goAway);
        waiting--;
        piece.waiting--;
        if (piece.waiting === 0 && signal.aborted) {
          forget(name, piece);
          piece.abort.abort(signal.reason);
        }
      }
    },
  };
}
