import { type EventLoopUtilization, performance } from "node:perf_hooks";

/** From which share of the time on the thread counts as busy, and how often it is looked at. */
const BUSY_SHARE = 0.85;
const POLL_INTERVAL_MS = 50;
/** The least time between two commits while it is busy. */
const MIN_INTERVAL_MS = 3;

/** What a pace reads of the thread; `performance` in earnest. */
export type Loop = { now(): number; eventLoopUtilization(now?: EventLoopUtilization, before?: EventLoopUtilization): EventLoopUtilization };

/**
 * Says when to commit. A quiet thread commits at once; a busy one lets writers share, since every commit costs as much as some ten
 * units and makes listings of its boards stale.
 */
export class Pace {
  readonly #loop: Loop;
  #before: EventLoopUtilization;
  #lookedAt: number;
  #committedAt = Number.NEGATIVE_INFINITY;
  #isBusy = false;

  constructor(loop: Loop = performance) {
    this.#loop = loop;
    this.#before = loop.eventLoopUtilization();
    this.#lookedAt = loop.now();
  }

  /** How many milliseconds the next commit should wait. */
  wait(): number {
    const now = this.#loop.now();
    if (now - this.#lookedAt >= POLL_INTERVAL_MS) {
      const current = this.#loop.eventLoopUtilization();
      this.#isBusy = this.#loop.eventLoopUtilization(current, this.#before).utilization >= BUSY_SHARE;
      this.#before = current;
      this.#lookedAt = now;
    }
    return this.#isBusy ? Math.max(0, this.#committedAt + MIN_INTERVAL_MS - now) : 0;
  }

  noteCommit(): void {
    this.#committedAt = this.#loop.now();
  }
}
