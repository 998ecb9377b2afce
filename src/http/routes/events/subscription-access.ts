import type { Actor, Authorized } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import type { Subscription } from "#domain/events/subscription.ts";
import { authorizeBusiness } from "#service/access.ts";
import type { StoreDeps } from "#service/deps.ts";
import { requireSubscription } from "#service/events/subscriptions.ts";
import { nameActors } from "#service/settings/audit.ts";
import type { Tag } from "../../openapi/tags.ts";
import type { HttpDeps, PathParams } from "../../route.ts";
import { presentSubscription } from "../../wire/events/subscription.ts";

/** The same calls exist for keys, which see their own webhooks, and for owners, who see all of them. */
export type Access = {
  readonly base: "/api/webhooks" | "/api/settings/webhooks";
  readonly tag: Tag;
  /** Ends the names of the operations. */
  readonly suffix: "" | "AsOwner";
  readonly who: string;
  /** Owners need a session, which no key replaces. */
  readonly need: "subscribe" | "own";
  readonly caller: { readonly isKeysOnly: true } | { readonly isMembersOnly: true };
};

export const ACCESSES: readonly Access[] = [
  {
    base: "/api/webhooks",
    tag: "Webhooks",
    suffix: "",
    who: "Of this key only.",
    need: "subscribe",
    caller: { isKeysOnly: true },
  },
  {
    base: "/api/settings/webhooks",
    tag: "Settings: webhook",
    suffix: "AsOwner",
    who: "Of all keys and owners. Owners only.",
    need: "own",
    caller: { isMembersOnly: true },
  },
];

type Scope = Authorized<Business, "subscribe">;

/** Returns the guard of calls about all webhooks of the caller. */
export const authorizeSubscriber =
  ({ need }: Pick<Access, "need">) =>
  (deps: StoreDeps, actor: Actor): Promise<Scope> =>
    authorizeBusiness(deps, actor, need);

/** Returns the guard of calls about the webhook that the path names. It throws 403, then 404. */
export const authorizeSubscription =
  (access: Pick<Access, "need">) =>
  async (deps: StoreDeps, actor: Actor, { webhookId = "" }: PathParams) => {
    const scope = await authorizeSubscriber(access)(deps, actor);
    return { scope, subscription: await requireSubscription(deps, scope, webhookId) };
  };

/** Presents subscriptions with the names of their owners. */
export async function presentAll({ store, clock }: HttpDeps, businessId: string, subscriptions: readonly Subscription[]) {
  const owners = subscriptions.map(({ createdBy }) => createdBy);
  const getOwner = await nameActors(store, businessId, owners);
  return subscriptions.map((one) => presentSubscription(one, getOwner(one.createdBy), clock.now()));
}

export async function presentOne(deps: HttpDeps, subscription: Subscription) {
  const [presented] = await presentAll(deps, subscription.businessId, [subscription]);
  return presented as NonNullable<typeof presented>;
}
