import type { Once, OnceOutcome } from "#domain/core/once.ts";
import { keyUsedElsewhere } from "../../shared/changes.ts";
import type { Connection } from "../engine/database.ts";

/** Runs `create` unless its idempotency key was used before; to be called inside a unit of work. */
export function createOnce<T>(db: Connection, once: Once<T> | undefined, now: number, create: () => T): OnceOutcome<T> {
  if (once === undefined) return { replayed: false, value: create() };
  const earlier = db.get<{ request_hash: string; body: string; expires_at: number }>(
    "SELECT request_hash, body, expires_at FROM once WHERE business_id = ? AND api_key_id = ? AND path = ? AND key = ?",
    once.businessId,
    once.apiKeyId,
    once.path,
    once.key,
  );
  if (earlier !== undefined && earlier.expires_at > now) {
    if (earlier.request_hash === once.requestHash) return { replayed: true, body: earlier.body };
    throw keyUsedElsewhere();
  }
  const value = create();
  const body = once.render(value);
  if (body !== null) {
    db.run(
      `INSERT INTO once (business_id, api_key_id, path, key, request_hash, body, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET request_hash = excluded.request_hash, body = excluded.body, expires_at = excluded.expires_at`,
      once.businessId,
      once.apiKeyId,
      once.path,
      once.key,
      once.requestHash,
      body,
      once.expiresAt,
    );
  }
  return { replayed: false, value };
}
