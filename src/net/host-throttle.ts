import { delay } from "#runtime/wait.ts";

/** Waits until a request to this host may start. Rejects with the signal's reason. */
export type HostThrottle = (host: string, signal: AbortSignal) => Promise<void>;

const MAX_HOSTS = 1_000;

/** Keeps requests of this process to one host `minIntervalMs` apart, in the order of the calls. Hosts do not wait for each other. */
export function createHostThrottle(minIntervalMs: number, now: () => number = () => performance.now()): HostThrottle {
  /** When the next request of each host may start. */
  const nextStarts = new Map<string, number>();
  const forgetUntil = (time: number): void => {
    for (const [host, start] of nextStarts) if (start <= time) nextStarts.delete(host);
  };
  return async (host, signal) => {
    const time = now();
    if (nextStarts.size >= MAX_HOSTS) forgetUntil(time);
    const start = Math.max(time, nextStarts.get(host) ?? 0);
    nextStarts.set(host, start + minIntervalMs);
    if (start <= time) return;
    try {
      await delay(start - time, signal);
    } catch (error) {
      // Release the unused slot if no later request waits behind it.
      if (nextStarts.get(host) === start + minIntervalMs) nextStarts.set(host, start);
      throw error;
    }
  };
}
