import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import { keyReused } from "../shared/errors.ts";
import { countStoredBytes, forgetOldestResponses } from "./idempotency-bytes.ts";
import { get, run, type Unit } from "./unit.ts";

type RecordKey = Pick<IdempotencyRecord<unknown>, "businessId" | "apiKeyId" | "path" | "key">;

const IS_KEY = "business_id = @businessId AND api_key_id = @apiKeyId AND path = @path AND key = @key";
const toParams = ({ businessId, apiKeyId, path, key }: RecordKey) => ({ businessId, apiKeyId, path, key });

/**
 * Runs `create` unless its idempotency key was used before. Call it first in a unit of work: on PostgreSQL, a second call with the same
 * key waits at the INSERT until the first has committed, and then returns its response. Throws 409 for the key of another request.
 */
export function* createIdempotently<T>(
  idempotency: IdempotencyRecord<T> | undefined,
  now: number,
  create: () => Unit<T>,
): Unit<IdempotentOutcome<T>> {
  if (idempotency === undefined) return { replayed: false, value: yield* create() };
  const { requestHash, expiresAt } = idempotency;
  const params = toParams(idempotency);
  const inserted = yield* run(
    `INSERT INTO once (business_id, api_key_id, path, key, request_hash, body, expires_at)
     VALUES (@businessId, @apiKeyId, @path, @key, @requestHash, '', @expiresAt)
     ON CONFLICT (business_id, api_key_id, path, key) DO UPDATE
     SET request_hash = excluded.request_hash, body = '', bytes = 0, expires_at = excluded.expires_at WHERE once.expires_at <= @now`,
    { ...params, requestHash, expiresAt, now },
  );
  if (inserted === 0) {
    const record = yield* get<{ request_hash: string; body: string }>(`SELECT request_hash, body FROM once WHERE ${IS_KEY}`, params);
    if (record?.request_hash !== requestHash) throw keyReused();
    return { replayed: true, body: record.body };
  }
  const value = yield* create();
  const body = idempotency.render(value);
  if (body === null) yield* run(`DELETE FROM once WHERE ${IS_KEY}`, params);
  else yield* storeResponse(params, body);
  return { replayed: false, value };
}

function* storeResponse(params: ReturnType<typeof toParams>, body: string): Unit<void> {
  const bytes = Buffer.byteLength(body);
  yield* run(`UPDATE once SET body = @body, bytes = @bytes WHERE ${IS_KEY}`, { ...params, body, bytes });
  if (countStoredBytes(params.businessId, bytes)) yield* forgetOldestResponses(params.businessId);
}

/** Returns the response stored for the same request under the same key, or null. */
export function* findStoredResponse(record: RecordKey & { readonly requestHash: string }, now: number): Unit<string | null> {
  const row = yield* get<{ body: string }>(`SELECT body FROM once WHERE ${IS_KEY} AND request_hash = @requestHash AND expires_at > @now`, {
    ...toParams(record),
    requestHash: record.requestHash,
    now,
  });
  return row?.body ?? null;
}
