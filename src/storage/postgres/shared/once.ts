import type { Once, OnceOutcome } from "#domain/core/once.ts";
import { keyUsedElsewhere } from "../../shared/changes.ts";
import type { Transaction } from "../engine/database.ts";

/**
 * Runs `create` unless its idempotency key was used before; to be called at the beginning of a unit of work. Whoever comes second
 * waits at the insertion until the first has committed, and finds its answer then.
 */
export async function createOnce<T>(
  tx: Transaction,
  once: Once<T> | undefined,
  now: number,
  create: () => Promise<T>,
): Promise<OnceOutcome<T>> {
  if (once === undefined) return { replayed: false, value: await create() };
  const key = [once.businessId, once.apiKeyId, once.path, once.key] as const;
  const isFirst = await tx.run(
    `INSERT INTO once (business_id, api_key_id, path, key, request_hash, body, expires_at) VALUES ($1, $2, $3, $4, $5, '', $6)
     ON CONFLICT (business_id, api_key_id, path, key) DO UPDATE SET request_hash = excluded.request_hash, body = '', expires_at = excluded.expires_at
     WHERE once.expires_at <= $7`,
    ...key,
    once.requestHash,
    once.expiresAt,
    now,
  );
  if (isFirst === 0) {
    const earlier = await tx.get<{ request_hash: string; body: string }>(
      "SELECT request_hash, body FROM once WHERE business_id = $1 AND api_key_id = $2 AND path = $3 AND key = $4",
      ...key,
    );
    if (earlier?.request_hash !== once.requestHash) throw keyUsedElsewhere();
    return { replayed: true, body: earlier.body };
  }
  const value = await create();
  const body = once.render(value);
  await tx.run(
    body === null
      ? "DELETE FROM once WHERE business_id = $1 AND api_key_id = $2 AND path = $3 AND key = $4 AND $5::text IS NULL"
      : "UPDATE once SET body = $5 WHERE business_id = $1 AND api_key_id = $2 AND path = $3 AND key = $4",
    ...key,
    body,
  );
  return { replayed: false, value };
}
