import type { ApiKey, ApiKeyStore } from "#domain/settings/api-key.ts";
import { runFor } from "#runtime/turns/current-owner.ts";
import { readKeyByHash } from "../../sql/settings/api-keys.ts";
import type { Database } from "../engine/database.ts";
import { runUnit } from "../engine/driver.ts";
import type { NotificationBus } from "../engine/notification-bus.ts";

/** How long a key is cached, in milliseconds. A revocation whose notification is lost takes effect after this time. */
const MAX_AGE_MS = 500;
const MAX_KEYS = 10_000;
/** Keys that were never found take turns at the connections as one business, so that whoever guesses keys does not delay the others. */
const UNKNOWN = "unknown keys";

/** `change` is the number of changes that had been announced when the key was read. */
type CachedKey = { readonly key: ApiKey; readonly until: number; readonly change: number };

/** Tuning: caches keys for a short time, and until a process announces a change of keys. This saves a round trip in each call. */
export function createKeyLookup(db: Database, bus: NotificationBus): ApiKeyStore["findByHash"] {
  // Entries that are out of date tell which keys exist.
  const cache = new Map<string, CachedKey>();
  // Counts changes, so that the result of a read that overlaps with a change is not cached.
  let changes = 0;
  bus.subscribe((topic) => {
    if (topic === "keys") changes++;
  });

  async function read(hash: string): Promise<ApiKey | null> {
    const before = changes;
    const startedAt = performance.now();
    const key = await runUnit(db, readKeyByHash(hash));
    // Unknown keys are not cached, since another node may create them at any moment.
    if (key !== null && changes === before) {
      if (cache.size >= MAX_KEYS) cache.clear();
      cache.set(hash, { key, until: startedAt + MAX_AGE_MS, change: changes });
    }
    return key;
  }

  return (hash) => {
    const entry = cache.get(hash);
    if (entry === undefined) return runFor(UNKNOWN, () => read(hash));
    return entry.change === changes && entry.until > performance.now() ? entry.key : read(hash);
  };
}
