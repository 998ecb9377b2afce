/** Waits for a host's turn; rejects with the signal's reason. */
export type Pace = (host: string, signal: AbortSignal) => Promise<void>;

const MAX_HOSTS = 1_000;

/**
 * Keeps the requests of this process to one host `gapMs` apart, in the order in which they ask. Hosts do not wait for one
 * another.
 */
export function createPace(gapMs: number, now: () => number = () => performance.now()): Pace {
  const turns = new Map<string, number>();
  const forget = (time: number): void => {
    for (const [host, turn] of turns) if (turn <= time) turns.delete(host);
  };
  return async (host, signal) => {
    const time = now();
    if (turns.size >= MAX_HOSTS) forget(time);
    const turn = Math.max(time, turns.get(host) ?? 0);
    turns.set(host, turn + gapMs);
    if (turn <= time) return;
    try {
      await sleep(turn - time, signal);
    } catch (error) {
      // The turn goes back where nobody stands behind it.
      if (turns.get(host) === turn + gapMs) turns.set(host, turn);
      throw error;
    }
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
