import { createFairQueue, type FairQueue } from "#runtime/fair-queue.ts";

/** Waits until a request of this owner to this host may start. Rejects with the signal's reason. */
export type HostThrottle = (host: string, owner: string, signal: AbortSignal) => Promise<void>;

type Gate = {
  /** When the next request may start. */
  nextStart: number;
  readonly waiting: FairQueue<() => void>;
};

const MAX_HOSTS = 1_000;

/**
 * Keeps requests of this process to one host `minIntervalMs` apart. Owners take turns, and those of one owner keep their order. Hosts do
 * not wait for each other.
 */
export function createHostThrottle(minIntervalMs: number, now: () => number = () => performance.now()): HostThrottle {
  const gates = new Map<string, Gate>();
  const forgetUntil = (time: number): void => {
    for (const [host, gate] of gates) if (gate.waiting.size === 0 && gate.nextStart <= time) gates.delete(host);
  };
  const open = (host: string): Gate => {
    const time = now();
    if (gates.size >= MAX_HOSTS) forgetUntil(time);
    const gate = gates.get(host) ?? { nextStart: time, waiting: createFairQueue<() => void>() };
    gates.set(host, gate);
    return gate;
  };
  const startNext = (gate: Gate): void => {
    const start = gate.waiting.take();
    // Without a waiting request, the unused turn is free.
    if (start === undefined) return;
    gate.nextStart = now() + minIntervalMs;
    if (gate.waiting.size > 0) setTimeout(startNext, minIntervalMs, gate);
    start();
  };
  return async (host, owner, signal) => {
    signal.throwIfAborted();
    const gate = open(host);
    const waitMs = gate.nextStart - now();
    if (gate.waiting.size === 0 && waitMs <= 0) {
      gate.nextStart = now() + minIntervalMs;
      gate.waiting.recordTurn(owner);
      return;
    }
    const turn = Promise.withResolvers<void>();
    const leave = (): void => {
      if (gate.waiting.remove(turn.resolve)) turn.reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    gate.waiting.add(owner, turn.resolve);
    if (gate.waiting.size === 1) setTimeout(startNext, Math.max(0, waitMs), gate);
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  };
}
