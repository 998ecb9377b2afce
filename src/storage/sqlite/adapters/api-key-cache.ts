import type { ApiKey, ApiKeyStore } from "#domain/settings/api-key.ts";
import { readKeyByHash } from "../../sql/settings/api-keys.ts";
import type { Connection } from "../engine/database.ts";
import { runUnit } from "../engine/driver.ts";

const MAX_KEYS = 10_000;

/** Tuning: caches keys until a setting changes or another process commits, so that a call needs no statement to find its key. */
export function createKeyLookup(db: Connection): ApiKeyStore["findByHash"] {
  const cache = { version: -1, keys: new Map<string, ApiKey | null>() };
  return (hash) => {
    const version = db.settingsVersion();
    // Unknown hashes are cached too, so the size is limited against guessing.
    if (cache.version !== version || cache.keys.size > MAX_KEYS) {
      cache.version = version;
      cache.keys.clear();
    }
    let key = cache.keys.get(hash);
    if (key === undefined) {
      key = runUnit(db, readKeyByHash(hash));
      cache.keys.set(hash, key);
    }
    return key;
  };
}
