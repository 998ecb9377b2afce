import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import { keyReused } from "./errors.ts";
import type { Driver } from "../driver.ts";
import { forgetOldestResponses } from "./stored-bytes.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { run, type Unit } from "../unit.ts";

type RecordKey = Pick<IdempotencyRecord<unknown>, "businessId" | "apiKeyId" | "path" | "key">;

const RECORDS = new Mapping<{ readonly requestHash: string; readonly body: string }>(plainFields("requestHash", "body"));
const IS_KEY = "business_id = @businessId AND api_key_id = @apiKeyId AND path = @path AND key = @key";
const toParams = ({ businessId, apiKeyId, path, key }: RecordKey) => ({ businessId, apiKeyId, path, key });

type Creation<T> = {
  readonly idempotency: IdempotencyRecord<T> | undefined;
  readonly now: number;
  readonly create: () => Unit<T>;
  /** Runs the unit of work; by default `driver.write`. */
  readonly write?: <V>(unit: () => Unit<V>) => Promise<V>;
};

/** Runs `create` in a unit of work, unless its idempotency key was used before. Throws 409 for the key of another request. */
export async function createIdempotently<T>(driver: Driver, creation: Creation<T>): Promise<IdempotentOutcome<T>> {
  const { idempotency, now, create, write = driver.write } = creation;
  if (idempotency === undefined) return { replayed: false, value: await write(create) };
  // A unit may run twice, so only what its last run has stored is counted, and after the commit.
  const { outcome, bytes } = await write(() => createOrReplay(idempotency, now, create));
  const { businessId } = idempotency;
  if (driver.storedBytes.add(businessId, bytes)) {
    try {
      while ((await driver.write(() => forgetOldestResponses(businessId))) > 0);
      driver.storedBytes.reset(businessId);
    } catch {
      // The creation is committed, so it must not fail. The next response is checked again, and the driver reports errors of the storage.
    }
  }
  return outcome;
}

/**
 * Runs `create` unless its idempotency key was used before. Call it first in a unit of work: on PostgreSQL, a second call with the same
 * key waits at the INSERT until the first has committed, and then returns its response. Throws 409 for the key of another request.
 */
function* createOrReplay<T>(
  idempotency: IdempotencyRecord<T>,
  now: number,
  create: () => Unit<T>,
): Unit<{ readonly outcome: IdempotentOutcome<T>; readonly bytes: number }> {
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
    const record = yield* RECORDS.find(`once WHERE ${IS_KEY}`, params);
    if (record?.requestHash !== requestHash) throw keyReused();
    return { outcome: { replayed: true, body: record.body }, bytes: 0 };
  }
  const value = yield* create();
  const body = idempotency.render(value);
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  if (body === null) yield* run(`DELETE FROM once WHERE ${IS_KEY}`, params);
  else yield* run(`UPDATE once SET body = @body, bytes = @bytes WHERE ${IS_KEY}`, { ...params, body, bytes });
  return { outcome: { replayed: false, value }, bytes };
}

/** Returns the response stored for the same request under the same key, or null. */
export function* findStoredResponse(record: RecordKey & { readonly requestHash: string }, now: number): Unit<string | null> {
  const from = `once WHERE ${IS_KEY} AND request_hash = @requestHash AND expires_at > @now`;
  const stored = yield* RECORDS.find(from, { ...toParams(record), requestHash: record.requestHash, now });
  return stored?.body ?? null;
}
