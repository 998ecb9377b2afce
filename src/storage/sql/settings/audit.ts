import { type Actor, actorId } from "#domain/core/access.ts";
import type { AuditEntry, AuditPage } from "#domain/store.ts";
import type { Dialect } from "../driver.ts";
import { insert, Mapping, plainFields } from "../mapping.ts";
import { all, type Unit } from "../unit.ts";

const ENTRIES = new Mapping<AuditEntry & { readonly number: number }>(
  plainFields("businessId", "actor", "action", "subject", "at", "number"),
);

/**
 * The entries that are kept whatever their age, as long as they are among the newest of their action: a restore of an older backup tells by
 * them that a member or a webhook was removed since. Keys are never deleted, and an old invitation has expired.
 */
export const KEPT_ACTIONS = [
  "member.create",
  "business.claim",
  "invitation.accept",
  "member.remove",
  "webhook.set",
  "webhook.clear",
  "subscription.create",
  "subscription.delete",
] as const;

/** Returns who changed keys or the webhook, as the audit log names them. */
export const getAuditActor = (by: "operator" | { readonly actor: Actor }): string => (by === "operator" ? by : actorId(by.actor));

/** Records a change by its caller. Call it in the unit of work that makes the change. */
export const recordAudit = (actor: Actor, action: string, subject: string, now: number): Unit<void> =>
  insertAudit({ businessId: actor.businessId, actor: actorId(actor), action, subject, at: now });

export function* insertAudit(entry: AuditEntry): Unit<void> {
  yield* insert("audit", { ...entry });
}

/** Returns a page of entries with numbers below `after`; null starts with the newest. */
export function* pageAudit(businessId: string, limit: number, after: number | null): Unit<AuditPage> {
  const rows = yield* ENTRIES.list("audit WHERE business_id = @businessId AND number < @after ORDER BY number DESC LIMIT @count", {
    businessId,
    after: after ?? Number.MAX_SAFE_INTEGER,
    count: limit + 1,
  });
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? (page.at(-1)?.number ?? null) : null;
  return { entries: page.map(({ number: _number, ...entry }) => entry), next };
}

/** Returns the names of keys and the addresses of members by id. */
export function* readActorNames({ isAnyOf }: Dialect, businessId: string, ids: readonly string[]): Unit<ReadonlyMap<string, string>> {
  const rows = yield* all<{ readonly id: string; readonly name: string }>(
    `SELECT id, name FROM api_key WHERE business_id = @businessId AND ${isAnyOf("id", "ids")}
     UNION ALL SELECT id, email FROM member WHERE business_id = @businessId AND ${isAnyOf("id", "ids")}`,
    { businessId, ids },
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
