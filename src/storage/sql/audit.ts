import { type Actor, actorId } from "#domain/core/access.ts";
import type { AuditEntry, AuditPage } from "#domain/store.ts";
import { AUDIT_COLUMNS, type AuditRow, auditOf, auditPageOf } from "../shared/rows/rows.ts";
import { all, run, type Unit } from "./unit.ts";

/** Records a change of settings, as a part of the unit of work that makes it. */
export const recordAudit = (actor: Actor, action: string, subject: string, now: number): Unit<void> =>
  insertAudit({ businessId: actor.businessId, actor: actorId(actor), action, subject, at: now });

export function* insertAudit({ businessId, actor, action, subject, at }: AuditEntry): Unit<void> {
  yield* run("INSERT INTO audit (business_id, actor, action, subject, at) VALUES (@businessId, @actor, @action, @subject, @at)", {
    businessId,
    actor,
    action,
    subject,
    at,
  });
}

/** The latest changes of settings, newest first. */
export function* listAudit(businessId: string, limit: number): Unit<AuditEntry[]> {
  const rows = yield* all<AuditRow>(
    `SELECT ${AUDIT_COLUMNS} FROM audit WHERE business_id = @businessId ORDER BY number DESC LIMIT @limit`,
    { businessId, limit },
  );
  return rows.map(auditOf);
}

/** A page of them, of those numbered below `after`. */
export function* pageAudit(businessId: string, limit: number, after: number | null): Unit<AuditPage> {
  const rows = yield* all<AuditRow & { number: number }>(
    `SELECT ${AUDIT_COLUMNS}, number FROM audit WHERE business_id = @businessId AND number < @after ORDER BY number DESC LIMIT @count`,
    { businessId, after: after ?? Number.MAX_SAFE_INTEGER, count: limit + 1 },
  );
  return auditPageOf(rows, limit);
}
