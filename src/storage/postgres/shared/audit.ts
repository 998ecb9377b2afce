import { type Actor, actorId } from "#domain/core/access.ts";
import type { AuditEntry, AuditPage } from "#domain/store.ts";
import { AUDIT_COLUMNS, type AuditRow, auditOf, auditPageOf } from "../../shared/rows/rows.ts";
import type { Reader, Transaction } from "../engine/database.ts";

/** Notes a change of settings; to be called inside the unit of work that makes it. */
export function recordAudit(tx: Transaction, actor: Actor, action: string, subject: string, now: number): Promise<void> {
  return insertAudit(tx, { businessId: actor.businessId, actor: actorId(actor), action, subject, at: now });
}

export async function insertAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.run(
    "INSERT INTO audit (business_id, actor, action, subject, at) VALUES ($1, $2, $3, $4, $5)",
    entry.businessId,
    entry.actor,
    entry.action,
    entry.subject,
    entry.at,
  );
}

/** The newest changes of settings, newest first. */
export async function listAudit(db: Reader, businessId: string, limit: number): Promise<AuditEntry[]> {
  const rows = await db.all<AuditRow>(
    `SELECT ${AUDIT_COLUMNS} FROM audit WHERE business_id = $1 ORDER BY number DESC LIMIT $2`,
    businessId,
    limit,
  );
  return rows.map(auditOf);
}

/** A page of them, of those numbered below `after`. */
export async function pageAudit(db: Reader, businessId: string, limit: number, after: number | null): Promise<AuditPage> {
  const rows = await db.all<AuditRow & { number: number }>(
    `SELECT ${AUDIT_COLUMNS}, number FROM audit WHERE business_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3`,
    businessId,
    after ?? Number.MAX_SAFE_INTEGER,
    limit + 1,
  );
  return auditPageOf(rows, limit);
}
