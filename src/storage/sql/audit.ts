import { type Actor, actorId } from "#domain/core/access.ts";
import type { AuditEntry, AuditPage } from "#domain/store.ts";
import { insert, Mapping, plain } from "./mapping.ts";
import { all, type Unit } from "./unit.ts";

const ENTRIES = new Mapping<AuditEntry>({ businessId: plain, actor: plain, action: plain, subject: plain, at: plain });

/** Records a change of settings, as a part of the unit of work that makes it. */
export const recordAudit = (actor: Actor, action: string, subject: string, now: number): Unit<void> =>
  insertAudit({ businessId: actor.businessId, actor: actorId(actor), action, subject, at: now });

export function* insertAudit(entry: AuditEntry): Unit<void> {
  yield* insert("audit", { ...entry });
}

/** The latest changes of settings, newest first. */
export const listAudit = (businessId: string, limit: number): Unit<AuditEntry[]> =>
  ENTRIES.list("audit WHERE business_id = @businessId ORDER BY number DESC LIMIT @limit", { businessId, limit });

/** A page of them, of those numbered below `after`. */
export function* pageAudit(businessId: string, limit: number, after: number | null): Unit<AuditPage> {
  const rows = yield* all<AuditEntry & { readonly number: number }>(
    `SELECT ${ENTRIES.columns}, number FROM audit WHERE business_id = @businessId AND number < @after ORDER BY number DESC LIMIT @count`,
    { businessId, after: after ?? Number.MAX_SAFE_INTEGER, count: limit + 1 },
  );
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? (shown.at(-1)?.number ?? null) : null;
  return { entries: shown.map(({ number: _number, ...entry }) => entry), next };
}
