import type { Actor } from "#domain/core/access.ts";
import type { DeliveryCursor } from "#domain/settings/webhook.ts";
import { authorizeBusiness } from "#service/access.ts";
import { redeliver, requireDelivery } from "#service/settings/webhooks.ts";
import type { StoreDeps } from "#service/deps.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";
import { SETTINGS_PAGE_QUERY } from "../../wire/settings/audit.ts";
import { WEBHOOK_RESPONSES, presentDelivery, presentDeliverySummary } from "../../wire/settings/webhook.ts";

const TAG = "Settings: webhook";
const DEFAULT_PAGE_SIZE = 50;

const listDeliveriesRoute = defineRoute({
  method: "GET",
  path: "/api/settings/webhook/deliveries",
  operationId: "listDeliveries",
  tag: TAG,
  summary: "List deliveries",
  description: "Returns all deliveries, newest first. Owners only.",
  isMembersOnly: true,
  query: SETTINGS_PAGE_QUERY,
  response: WEBHOOK_RESPONSES.deliveries,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "own"),
  async handle({ deps, authorized, query }) {
    const { id } = authorized.target;
    const listing = `deliveries ${id}`;
    const after = query.cursor === undefined ? null : (deps.cursors.read(listing, query.cursor) as unknown as DeliveryCursor);
    const { deliveries, next } = await deps.store.webhooks.deliveryPage(id, query.limit ?? DEFAULT_PAGE_SIZE, after);
    return { deliveries: deliveries.map(presentDeliverySummary), nextCursor: next === null ? null : deps.cursors.write(listing, next) };
  },
});

const readDeliveryRoute = defineRoute({
  method: "GET",
  path: "/api/settings/webhook/deliveries/:deliveryId",
  operationId: "getDelivery",
  isTagged: true,
  tag: TAG,
  summary: "Get a delivery",
  description: "Includes the exact body, the headers with masked signatures, and the start of the response. Owners only.",
  isMembersOnly: true,
  response: WEBHOOK_RESPONSES.delivery,
  guard: (deps, actor, { deliveryId = "" }) => authorizeDelivery(deps, actor, deliveryId),
  handle: async ({ authorized }) => ({ delivery: presentDelivery(authorized.delivery) }),
});

const redeliverRoute = defineRoute({
  method: "POST",
  path: "/api/settings/webhook/deliveries/:deliveryId/redeliver",
  operationId: "redeliverEvent",
  tag: TAG,
  summary: "Resend an event",
  description:
    "Creates a new delivery to the current address of the webhook. Returns 409 while the original delivery is in progress. Owners only.",
  isMembersOnly: true,
  response: WEBHOOK_RESPONSES.deliveryId,
  guard: (deps, actor, { deliveryId = "" }) => authorizeDelivery(deps, actor, deliveryId),
  handle: async ({ deps, authorized: { scope, delivery } }) => ({
    delivery: { id: await redeliver(deps, scope.target.id, delivery.id, scope) },
  }),
});

async function authorizeDelivery(deps: StoreDeps, actor: Actor, deliveryId: string) {
  const scope = await authorizeBusiness(deps, actor, "own");
  return { scope, delivery: await requireDelivery(deps, scope.target.id, deliveryId) };
}

/** Creates the routes of the delivery log. */
export function deliveryRoutes(): AnyRoute[] {
  return [listDeliveriesRoute, readDeliveryRoute, redeliverRoute];
}
