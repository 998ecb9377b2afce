import type { Authorized } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import type { AuditEntry } from "#domain/store.ts";
import type { Deps } from "../deps.ts";

/** The operator, a key or a member, with a name for display. */
export type NamedActor = { readonly kind: "operator" | "key" | "member"; readonly id: string; readonly name: string };

/** A settings change with the display name of the actor. */
export type NamedAuditEntry = Omit<AuditEntry, "actor" | "businessId"> & { readonly actor: NamedActor };

/** Returns a page of the audit log, newest first. `after` is the `next` of the previous page. */
export async function readAudit(
  { store }: Pick<Deps, "store">,
  { target }: Authorized<Business, "administer">,
  limit: number,
  after: number | null,
): Promise<{ readonly entries: readonly NamedAuditEntry[]; readonly next: number | null }> {
  const page = await store.auditPage(target.id, limit, after);
  const toNamedActor = await nameActors(
    store,
    target.id,
    page.entries.map(({ actor }) => actor),
  );
  return {
    entries: page.entries.map(({ actor, action, subject, at }) => ({ actor: toNamedActor(actor), action, subject, at })),
    next: page.next,
  };
}

/** Returns the function that names these actors, as the audit log knows them. */
export async function nameActors(
  store: Pick<Deps["store"], "actorNames">,
  businessId: string,
  ids: readonly string[],
): Promise<(id: string) => NamedActor> {
  const names = await store.actorNames(businessId, [...new Set(ids)]);
  return (id) => {
    if (id === "operator") return { kind: "operator", id, name: "Operator" };
    return id.startsWith("key_")
      ? { kind: "key", id, name: names.get(id) ?? "An API key" }
      : { kind: "member", id, name: names.get(id) ?? "A former member" };
  };
}
