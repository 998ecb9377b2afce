import type { Actor } from "#domain/access.ts";
import type { AuditEntry } from "#domain/store.ts";
import { actorName } from "../../shared/changes.ts";
import { AUDIT_COLUMNS, type AuditRow, auditOf } from "../../shared/rows.ts";
import type { Connection } from "../engine/database.ts";

/** Notes a change of settings; to be called inside the unit of work that makes it. */
export function recordAudit(db: Connection, actor: Actor, action: string, subject: string, now: number): void {
  insertAudit(db, { businessId: actor.businessId, actor: actorName(actor), action, subject, at: now });
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
