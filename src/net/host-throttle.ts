import { createFairQueue, type FairQueue } from "#runtime/turns/fair-queue.ts";

/** Waits until a request of this owner to this host may start. Rejects with the signal's reason. */
export type HostThrottle = (host: string, owner: string, signal: AbortSignal) => Promise<void>;

type Gate = {
  /** When the next request may start. */
  nextStart: number;
  readonly waiting: FairQueue<() => void>;
  /** Starts the next waiting request; set while any waits. When that request is aborted, it stays set and serves the next one. */
  timer: NodeJS.Timeout | undefined;
};

const MAX_HOSTS = 1_000;

/**
 * Keeps requests of this process to one host `minIntervalMs` apart. Owners take turns, and those of one owner keep their order. Hosts do
 * not wait for each other.
 */
export function createHostThrottle(minIntervalMs: number, now: () => number = () => performance.now()): HostThrottle {
  const gates = new Map<string, Gate>();
  const forgetUntil = (time: number): void => {
    for (const [host, gate] of gates) if (gate.timer === undefined && gate.nextStart <= time) gates.delete(host);
  };
  const open = (host: string): Gate => {
    const time = now();
    if (gates.size >= MAX_HOSTS) forgetUntil(time);
    const gate = gates.get(host) ?? { nextStart: time, waiting: createFairQueue<() => void>(), timer: undefined };
    gates.set(host, gate);
    return gate;
  };
  const schedule = (gate: Gate): void => {
    gate.timer ??= setTimeout(startNext, Math.max(0, gate.nextStart - now()), gate);
  };
  const startNext = (gate: Gate): void => {
    gate.timer = undefined;
    const start = gate.waiting.take();
    // Without a waiting request, the unused turn is free.
    if (start === undefined) return;
    gate.nextStart = now() + minIntervalMs;
    if (gate.waiting.size > 0) schedule(gate);
    start();
  };
  return async (host, owner, signal) => {
    signal.throwIfAborted();
    const gate = open(host);
    if (gate.timer === undefined && gate.nextStart <= now()) {
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
    schedule(gate);
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  };
}
