import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import { keyUsedElsewhere } from "../shared/changes.ts";
import { get, run, type Unit } from "./unit.ts";

const IS_KEY = "business_id = @businessId AND api_key_id = @apiKeyId AND path = @path AND key = @key";

/**
 * Runs `create` unless its idempotency key was used before; must come first in its unit of work. On PostgreSQL a second call with the same
 * key waits at the insertion until the first has committed, and finds its response then. Throws a conflict for a key of another request.
 */
export function* createIdempotently<T>(
  idempotency: IdempotencyRecord<T> | undefined,
  now: number,
  create: () => Unit<T>,
): Unit<IdempotentOutcome<T>> {
  if (idempotency === undefined) return { replayed: false, value: yield* create() };
  const { businessId, apiKeyId, path, key, requestHash, expiresAt } = idempotency;
  const isFirst = yield* run(
    `INSERT INTO once (business_id, api_key_id, path, key, request_hash, body, expires_at)
     VALUES (@businessId, @apiKeyId, @path, @key, @requestHash, '', @expiresAt)
     ON CONFLICT (business_id, api_key_id, path, key) DO UPDATE
     SET request_hash = excluded.request_hash, body = '', expires_at = excluded.expires_at WHERE once.expires_at <= @now`,
    { businessId, apiKeyId, path, key, requestHash, expiresAt, now },
  );
  if (isFirst === 0) {
    const record = yield* get<{ request_hash: string; body: string }>(`SELECT request_hash, body FROM once WHERE ${IS_KEY}`, {
      businessId,
      apiKeyId,
      path,
      key,
    });
    if (record?.request_hash !== requestHash) throw keyUsedElsewhere();
    return { replayed: true, body: record.body };
  }
  const value = yield* create();
  const body = idempotency.render(value);
  if (body === null) yield* run(`DELETE FROM once WHERE ${IS_KEY}`, { businessId, apiKeyId, path, key });
  else yield* run(`UPDATE once SET body = @body WHERE ${IS_KEY}`, { businessId, apiKeyId, path, key, body });
  return { replayed: false, value };
}
