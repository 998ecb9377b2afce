import { getErrorMessage } from "#domain/core/errors/error.ts";
import type { Log } from "#domain/core/log.ts";
import type { Clock } from "#domain/core/system.ts";
import type { Meter } from "#domain/metrics/meter.ts";
import type { Store } from "#domain/store.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";

/** How often to look for events that other processes recorded. */
const POLL_INTERVAL_MS = 1_000;
/** Gathers the events of calls that arrive together. */
const DEBOUNCE_MS = 5;
/** Each run writes once, so under load several calls share a run. */
const MIN_INTERVAL_MS = 25;

type SequencerDeps = {
  readonly store: Pick<Store, "feed">;
  readonly clock: Clock;
  readonly meter: Pick<Meter, "countDelivery">;
  readonly log: Log;
  readonly mayRun?: () => boolean;
};

/** Gives recorded events their positions in the change feed, so that readers see them. Every process does so, for the events of all. */
export function startSequencer({ store, clock, meter, log, mayRun }: SequencerDeps): Pick<Loop, "stop"> {
  return startLoop({
    intervalMs: POLL_INTERVAL_MS,
    debounceMs: DEBOUNCE_MS,
    minIntervalMs: MIN_INTERVAL_MS,
    mayRun,
    wake: (wake) => store.feed.onRecorded(wake),
    async run() {
      const { overflow, hasMore } = await store.feed.sequence(clock.now());
      if (overflow > 0) meter.countDelivery("overflow", overflow);
      return hasMore ? 0 : undefined;
    },
    onError: (error) => log.error({ error: getErrorMessage(error) }, "the change feed could not be continued; retrying soon"),
  });
}
