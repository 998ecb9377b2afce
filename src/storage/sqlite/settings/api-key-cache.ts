import type { ApiKey, ApiKeyStore } from "#domain/settings/api-key.ts";
import { readKeyByHash } from "../../sql/settings/api-keys.ts";
import type { Connection } from "../engine/database.ts";
import { runUnit } from "../engine/driver.ts";

const MAX_KEYS = 10_000;

/** Caches keys until a setting changes, which this process or another may do. */
export function createKeyLookUp(db: Connection): ApiKeyStore["findByHash"] {
  const cache = { version: -1, keys: new Map<string, ApiKey | null>() };
  return (hash) => {
    const version = db.settingsVersion();
    // Unknown hashes are cached too, so the number is bounded against somebody who tries many.
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
