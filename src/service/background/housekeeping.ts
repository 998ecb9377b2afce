import type { Actor } from "#domain/core/access.ts";
import { messageOf } from "#domain/core/error.ts";
import { MAX_THROTTLE_ENTRIES } from "#domain/settings/log-in-throttle.ts";
import type { Store } from "#domain/store.ts";
import { createJumpDetector } from "#domain/core/system.ts";
import { type Deps, RESTORE_WINDOW_MS } from "../deps.ts";

type Log = { info(fields: object, message: string): void; error(fields: object, message: string): void };

const HOUR_MS = 3_600_000;
const FIRST_MS = 60_000;
/** After a jump of the clock nothing is erased for so long, so that a wrong date can be corrected before it costs what was deleted lately. */
const SETTLE_MS = 24 * HOUR_MS;
const USE_FLUSH_MS = 10_000;

/** Pictures of tiles that are kept: what a board shows again, and no burden on the database's file. */
const MAX_THUMBNAILS = { rows: 20_000, bytes: 256 * 1_048_576 } as const;

/** Erases, once an hour, what was deleted more than 30 days ago, deliveries that old, and what is remembered no longer. */
export function startHousekeeping(
  { store, clock }: Pick<Deps, "store" | "clock">,
  log: Log,
  { firstMs = FIRST_MS, everyMs = HOUR_MS, monotonic = (): number => performance.now() } = {},
): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const hasJumped = createJumpDetector(clock, monotonic);
  let settledAt = 0;

  async function clean(): Promise<void> {
    if (hasJumped()) settledAt = monotonic() + SETTLE_MS;
    if (monotonic() < settledAt) return;
    try {
      const erased = await store.purge(clock.now() - RESTORE_WINDOW_MS, clock.now());
      if (erased > 0) log.info({ erased }, "erased what was deleted, and deliveries made, over 30 days ago");
      await store.logInThrottle.trim(MAX_THROTTLE_ENTRIES, clock.now());
      const forgotten = await store.thumbnails.trim(MAX_THUMBNAILS);
      if (forgotten > 0) log.info({ forgotten }, "forgot the oldest pictures of tiles");
    } catch (error) {
      log.error({ error: messageOf(error) }, "housekeeping failed; it is tried again in an hour");
    }
  }

  const again = (): void => {
    running = clean();
  };
  const first = setTimeout(again, firstMs).unref();
  const timer = setInterval(again, everyMs).unref();
  return {
    async stop() {
      clearTimeout(first);
      clearInterval(timer);
      await running;
    },
  };
}

/** Gathers when keys were last used and writes it every few seconds, so that a call that reads does not write. */
export function trackKeyUse(store: Store, log: Log): { note(actor: Actor): void; stop(): Promise<void> } {
  let uses = new Map<string, number>();
  let seen = new WeakSet<Actor>();

  async function flush(): Promise<void> {
    if (uses.size === 0) return;
    const gathered = uses;
    uses = new Map();
    seen = new WeakSet();
    try {
      await store.apiKeys.touch(gathered);
    } catch (error) {
      log.error({ error: messageOf(error) }, "the last use of keys could not be noted");
    }
  }

  const timer = setInterval(() => void flush(), USE_FLUSH_MS).unref();
  return {
    note(actor) {
      // To the nearest flush is near enough.
      if (actor.kind !== "key" || seen.has(actor)) return;
      seen.add(actor);
      uses.set(`${actor.businessId} ${actor.keyId}`, Date.now());
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
