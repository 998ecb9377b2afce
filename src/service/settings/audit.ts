import type { Authorized } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import type { AuditEntry } from "#domain/store.ts";
import type { Deps } from "../deps.ts";

/** A settings change with the display name of the actor. */
export type NamedAuditEntry = Omit<AuditEntry, "actor" | "businessId"> & {
  readonly actor: { readonly kind: "operator" | "key" | "member"; readonly id: string; readonly name: string };
};

/** Returns a page of the audit log, newest first. `after` is the `next` of the previous page. */
export async function readAudit(
  { store }: Pick<Deps, "store">,
  { target }: Authorized<Business, "administer">,
  limit: number,
  after: number | null,
): Promise<{ readonly entries: readonly NamedAuditEntry[]; readonly next: number | null }> {
  const page = await store.auditPage(target.id, limit, after);
  const names = await store.actorNames(target.id, [...new Set(page.entries.map(({ actor }) => actor))]);
  const toNamedActor = (id: string): NamedAuditEntry["actor"] => {
    if (id === "operator") return { kind: "operator", id, name: "Operator" };
    return id.startsWith("key_")
      ? { kind: "key", id, name: names.get(id) ?? "An API key" }
      : { kind: "member", id, name: names.get(id) ?? "A former member" };
  };
  return {
    entries: page.entries.map(({ actor, action, subject, at }) => ({ actor: toNamedActor(actor), action, subject, at })),
    next: page.next,
  };
}
