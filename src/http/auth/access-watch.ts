import type { Actor } from "#domain/core/access.ts";
import { AppError } from "#domain/core/errors/error.ts";
import type { Clock } from "#domain/core/system.ts";
import type { Store } from "#domain/store.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";

/** Watches the callers of streams, whose access was checked only when the stream began. */
export type AccessWatch = {
  /** Returns a signal that aborts, with the error for the caller, when the key is revoked or expires or the session ends. */
  follow(actor: Actor): FollowedAccess;
  /** Checks all followed callers now instead of at the next interval, after a call that may have ended the access of one. */
  check(): void;
};

export type FollowedAccess = { readonly signal: AbortSignal; stop(): void };

type AccessStore = Pick<Store, "refreshSnapshot"> & {
  readonly apiKeys: Pick<Store["apiKeys"], "findEnded">;
  readonly people: Pick<Store["people"], "findEndedSessions">;
};
type Caller = Extract<Actor, { readonly kind: "key" | "member" }>;
type WatchedCaller = { readonly actor: Caller; readonly end: () => void };

/** How often to look for changes by other processes, which take effect within a second. */
const CHECK_INTERVAL_MS = 500;
/** Later expiries are noticed by the checks. A timer can't wait longer than 24 days. */
const MAX_TIMER_MS = 3_600_000;

/**
 * Reads the keys and sessions of all followed callers by two statements per check, and only while there are any. `onError` is called for the
 * first of several checks that fail; the checks go on, and find later what changed meanwhile.
 */
export function createAccessWatch(store: AccessStore, clock: Clock, onError: (error: unknown) => void): AccessWatch {
  const watched = new Set<WatchedCaller>();
  let loop: Loop | undefined;

  async function endWatched(): Promise<void> {
    store.refreshSnapshot();
    const keys = new Map<string, { businessId: string; id: string }>();
    const sessions = new Map<string, { businessId: string; id: string }>();
    for (const { actor } of watched) {
      if (actor.kind === "key") keys.set(actor.keyId, { businessId: actor.businessId, id: actor.keyId });
      else sessions.set(actor.sessionId, { businessId: actor.businessId, id: actor.sessionId });
    }
    const now = clock.now();
    const [endedKeys, endedSessions] = await Promise.all([
      keys.size === 0 ? [] : store.apiKeys.findEnded([...keys.values()], now),
      sessions.size === 0 ? [] : store.people.findEndedSessions([...sessions.values()], now),
    ]);
    const ended = new Set([...endedKeys, ...endedSessions]);
    for (const { actor, end } of [...watched]) if (ended.has(actor.kind === "key" ? actor.keyId : actor.sessionId)) end();
  }

  function remove(one: WatchedCaller): void {
    if (!watched.delete(one) || watched.size > 0) return;
    void loop?.stop();
    loop = undefined;
  }

  return {
    follow(actor) {
      const access = new AbortController();
      if (actor.kind === "operator" || actor.kind === "address") return { signal: access.signal, stop() {} };
      const end = (): void => {
        stop();
        access.abort(endedError(actor));
      };
      const one = { actor, end };
      const leftMs = actor.kind === "key" && actor.expiresAt !== null ? actor.expiresAt - clock.now() : Infinity;
      const timer = leftMs > MAX_TIMER_MS ? undefined : setTimeout(end, Math.max(0, leftMs)).unref();
      function stop(): void {
        clearTimeout(timer);
        remove(one);
      }
      watched.add(one);
      loop ??= startLoop({
        run: endWatched,
        intervalMs: CHECK_INTERVAL_MS,
        firstMs: CHECK_INTERVAL_MS,
        onError: (error, failures) => failures === 1 && onError(error),
      });
      return { signal: access.signal, stop };
    },
    check: () => loop?.wake(),
  };
}

const endedError = ({ kind }: Caller): AppError =>
  kind === "key" ? new AppError("key_invalid", "Invalid API key.") : new AppError("not_logged_in", "Your session has ended. Log in again.");
