import type { Actor } from "#domain/core/access.ts";
import { getErrorMessage } from "#domain/core/errors/error.ts";
import type { Log } from "#domain/core/log.ts";
import { MAX_THROTTLE_ENTRIES } from "#domain/settings/log-in-throttle.ts";
import type { Store } from "#domain/store.ts";
import { createJumpDetector } from "#domain/core/system.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import { type Deps, RESTORE_WINDOW_MS, type StoreDeps } from "../deps.ts";

const HOUR_MS = 3_600_000;
const FIRST_MS = 60_000;
/** Nothing is purged for this long after the clock jumped, so that a wrong date can be corrected before recent deletions are lost. */
const PAUSE_AFTER_CLOCK_JUMP_MS = 24 * HOUR_MS;
const USE_FLUSH_MS = 10_000;

/** `mayRun` is false while nothing can be stored. */
type HousekeepingDeps = StoreDeps & Pick<Deps, "log"> & { readonly mayRun?: () => boolean };

/**
 * Once an hour, purges tiles and boards deleted more than 30 days ago, deliveries, generations and changes of that age, and expired records,
 * and shrinks the database.
 */
export function startHousekeeping(
  { store, clock, log, mayRun }: HousekeepingDeps,
  { firstMs = FIRST_MS, intervalMs = HOUR_MS, monotonic = (): number => performance.now() } = {},
): Pick<Loop, "stop"> {
  const hasJumped = createJumpDetector(clock, monotonic);
  let pausedUntil = 0;
  return startLoop({
    firstMs,
    intervalMs,
    mayRun,
    async run(signal) {
      if (hasJumped()) pausedUntil = monotonic() + PAUSE_AFTER_CLOCK_JUMP_MS;
      if (monotonic() < pausedUntil) return;
      const erased = await store.purge(clock.now() - RESTORE_WINDOW_MS, clock.now());
      if (erased > 0) log.info({ erased }, "erased deletions, deliveries and changes older than 30 days");
      await store.logInThrottle.trim(MAX_THROTTLE_ENTRIES, clock.now());
      const bytes = await store.releaseFreeSpace(signal);
      if (bytes > 0) log.info({ bytes }, "returned unused space of the database to the file system");
    },
    onError: (error) => log.error({ error: getErrorMessage(error) }, "housekeeping failed; retrying in an hour"),
  });
}

type UseDeps = { readonly store: Pick<Store, "apiKeys" | "inboundAddresses">; readonly log: Log; readonly mayRun?: () => boolean };

/** Collects the last use of each API key and inbound address in memory and stores it every 10 seconds, so that read requests do not write. */
export function trackUse({ store, log, mayRun }: UseDeps, flushMs = USE_FLUSH_MS): { record(actor: Actor): void; stop(): Promise<void> } {
  const keys = new LastUses((uses) => store.apiKeys.touch(uses));
  const addresses = new LastUses((uses) => store.inboundAddresses.touch(uses));
  const flush = async (): Promise<void> => {
    await keys.flush();
    await addresses.flush();
  };
  const logFailure = (error: unknown): void =>
    log.error({ error: getErrorMessage(error) }, "the last use of API keys and inbound addresses could not be stored");
  const loop = startLoop({ run: flush, mayRun, firstMs: flushMs, intervalMs: flushMs, onError: logFailure });
  return {
    record(actor) {
      if (actor.kind === "key") keys.add(actor.businessId, actor.keyId);
      else if (actor.kind === "address") addresses.add(actor.businessId, actor.addressId);
    },
    async stop() {
      await loop.stop();
      await flush().catch(logFailure);
    },
  };
}

/** Times of last use that are not stored yet. */
class LastUses {
  readonly #store: (uses: ReadonlyMap<string, number>) => Promise<void>;
  #uses = new Map<string, number>();

  constructor(store: (uses: ReadonlyMap<string, number>) => Promise<void>) {
    this.#store = store;
  }

  add(businessId: string, id: string): void {
    this.#uses.set(`${businessId} ${id}`, Date.now());
  }

  async flush(): Promise<void> {
    if (this.#uses.size === 0) return;
    const collected = this.#uses;
    this.#uses = new Map();
    try {
      await this.#store(collected);
    } catch (error) {
      // Stored with the next flush, unless it was used again since.
      for (const [key, at] of collected) if (!this.#uses.has(key)) this.#uses.set(key, at);
      throw error;
    }
  }
}
