import { Mapping, plainFields } from "../mapping.ts";
import { get, run, type Unit } from "../unit.ts";

/** Maximum size of the stored responses of one business. Beyond it, the oldest are forgotten. */
const MAX_BYTES = 64 * 1_048_576;
/** Bytes that are stored between two checks of a business, and forgotten at least. */
const STEP_BYTES = MAX_BYTES / 16;
/** Rows that one unit of work changes. */
const BATCH_ROWS = 500;
/** Businesses that are counted. Beyond it, counting begins anew. */
const MAX_COUNTED = 10_000;

const RESPONSES = new Mapping<{ readonly expiresAt: number; readonly bytes: number }>(plainFields("expiresAt", "bytes"));

/** Counts the responses that one store has committed. */
export class StoredBytes {
  /** Bytes since the last check of each business. */
  readonly #unchecked = new Map<string, number>();

  /** Counts a committed response, and returns whether the responses of the business should be checked. */
  add(businessId: string, bytes: number): boolean {
    if (this.#unchecked.size >= MAX_COUNTED) this.#unchecked.clear();
    const total = (this.#unchecked.get(businessId) ?? 0) + bytes;
    this.#unchecked.set(businessId, total);
    return total >= STEP_BYTES;
  }

  /** Begins to count anew after a check. */
  reset(businessId: string): void {
    this.#unchecked.delete(businessId);
  }
}

/**
 * Forgets the oldest responses of a business while they have more than `MAX_BYTES`. Their keys are kept, so that nothing is created
 * twice. Returns the number of rows.
 */
export function* forgetOldestResponses(businessId: string, maxBytes = MAX_BYTES): Unit<number> {
  const isOwn = "business_id = @businessId AND bytes > 0";
  const stored = yield* get<{ total: number }>(`SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) AS total FROM once WHERE ${isOwn}`, {
    businessId,
  });
  let excess = (stored?.total ?? 0) - maxBytes;
  if (excess <= 0) return 0;
  excess += Math.min(STEP_BYTES, maxBytes);
  const oldest = yield* RESPONSES.list(`once WHERE ${isOwn} ORDER BY expires_at LIMIT ${BATCH_ROWS}`, { businessId });
  let last = 0;
  for (const { expiresAt, bytes } of oldest) {
    last = expiresAt;
    excess -= bytes;
    if (excess <= 0) break;
  }
  return yield* run(`UPDATE once SET body = '', bytes = 0 WHERE ${isOwn} AND expires_at <= @last`, { businessId, last });
}
