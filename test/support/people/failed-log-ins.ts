import { type AttemptOrigin, createLogInThrottle } from "#service/people/log-in-throttle.ts";
import type { TestService } from "../service.ts";

/**
 * Records failed log-ins over the last minutes, the last one now, so that the next attempt has to wait for the longest delay, even on a
 * slow machine. `intervalMs` is longer than that delay, and too short for a failure to expire.
 */
export async function recordFailures(
  service: TestService,
  createAttempter: (n: number) => AttemptOrigin,
  intervalMs = 61_000,
): Promise<void> {
  const { store } = service.appContext.deps;
  const end = Date.now();
  for (let n = 15; n >= 0; n--) await createLogInThrottle({ store, clock: { now: () => end - n * intervalMs } }).begin(createAttempter(n));
}
