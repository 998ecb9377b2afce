import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How long after the start it is looked for a quiet moment, and how often, in milliseconds. */
const FIRST_MS = 3_000;
const AGAIN_MS = 1_000;
const TRIES = 60;
/** The share of a second that the process may have worked in for a collection of some 50 ms to disturb nobody. */
const QUIET = 0.05;

/**
 * Has threads started from here on keep to the limits they are given. V8's flags bind every thread of a process and go before those
 * limits: the room for what is new that `npm start` gives the main thread (`--max-semi-space-size`) would be each reader's too, 32 MB
 * instead of 8. The flag is read when a heap is made, so that the main thread keeps what it has.
 */
export function boundThreads(): void {
  setFlagsFromString("--max-semi-space-size=0");
}

/**
 * Gives back, once and in a quiet moment, what reading the program's own files took: V8 keeps the room that its young generation grew
 * to at the start (162 MB resident at idle, 128 afterwards).
 */
export function releaseStartupMemory(): void {
  let tries = 0;
  let earlier = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, earlier);
    earlier = now;
    if (++tries * AGAIN_MS < FIRST_MS || (utilization > QUIET && tries < TRIES)) return;
    clearInterval(timer);
    if (utilization > QUIET) return;
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as (options: object) => void;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
  }, AGAIN_MS);
  timer.unref();
}
