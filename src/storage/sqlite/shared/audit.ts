import { type Actor, actorId } from "#domain/core/access.ts";
import type { AuditEntry, AuditPage } from "#domain/store.ts";
import { AUDIT_COLUMNS, type AuditRow, auditOf, auditPageOf } from "../../shared/rows/rows.ts";
import type { Connection } from "../engine/database.ts";

/** Notes a change of settings; to be called inside the unit of work that makes it. */
export function recordAudit(db: Connection, actor: Actor, action: string, subject: string, now: number): void {
  insertAudit(db, { businessId: actor.businessId, actor: actorId(actor), action, subject, at: now });
}

export function insertAudit(db: Connection, entry: AuditEntry): void {
  db.run(
    "INSERT INTO audit (business_id, actor, action, subject, at) VALUES (?, ?, ?, ?, ?)",
    entry.businessId,
    entry.actor,
    entry.action,
    entry.subject,
    entry.at,
  );
}

/** The newest changes of settings, newest first. */
export function listAudit(db: Connection, businessId: string, limit: number): AuditEntry[] {
  return db
    .all<AuditRow>(`SELECT ${AUDIT_COLUMNS} FROM audit WHERE business_id = ? ORDER BY number DESC LIMIT ?`, businessId, limit)
    .map(auditOf);
}

/** A page of them, of those numbered below `after`. */
export function pageAudit(db: Connection, businessId: string, limit: number, after: number | null): AuditPage {
  const rows = db.all<AuditRow & { number: number }>(
    `SELECT ${AUDIT_COLUMNS}, number FROM audit WHERE business_id = ? AND number < ? ORDER BY number DESC LIMIT ?`,
    businessId,
    after ?? Number.MAX_SAFE_INTEGER,
    limit + 1,
  );
  return auditPageOf(rows, limit);
}
