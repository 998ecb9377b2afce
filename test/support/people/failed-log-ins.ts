import { type Attempter, createLogInThrottle } from "#service/people/log-in-throttle.ts";
import type { TestService } from "../service.ts";

/**
 * Notes failed log-ins as if they had been made over the last minutes, the last one now: the next has to wait for the longest
 * delay, however slow the machine is. `apartMs` is longer than that delay, and too short for a failure to be forgiven.
 */
export async function noteFailures(service: TestService, createAttempter: (n: number) => Attempter, apartMs = 61_000): Promise<void> {
  const { store } = service.appContext.deps;
  const end = Date.now();
  for (let n = 15; n >= 0; n--) await createLogInThrottle({ store, clock: { now: () => end - n * apartMs } }).begin(createAttempter(n));
}
