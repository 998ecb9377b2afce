import type { Actor } from "#domain/core/access.ts";
import { authorizeBusiness } from "#service/access.ts";
import { requireDelivery } from "#service/events/deliveries.ts";
import { redeliver, redeliverFailed } from "#service/settings/webhooks.ts";
import type { StoreDeps } from "#service/deps.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";
import { readDeliveryPage } from "../../listing/deliveries.ts";
import { createDisconnectSignal } from "../../response/connection/disconnect.ts";
import {
  DELIVERY_QUERY,
  DELIVERY_RESPONSES,
  presentDelivery,
  readDeliveryFilter,
  readRedelivery,
  REDELIVERY_BODY,
} from "../../wire/events/delivery.ts";

const TAG = "Settings: webhook";

const listDeliveriesRoute = defineRoute({
  method: "GET",
  path: "/api/settings/webhook/deliveries",
  operationId: "listDeliveries",
  tag: TAG,
  summary: "List deliveries",
  description: "Returns all deliveries, newest first. Owners only.",
  isMembersOnly: true,
  query: DELIVERY_QUERY,
  response: DELIVERY_RESPONSES.deliveries,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "own"),
  handle: ({ deps, authorized, query }) => readDeliveryPage(deps, authorized.target.id, readDeliveryFilter(query), query),
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
  response: DELIVERY_RESPONSES.delivery,
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
  response: DELIVERY_RESPONSES.deliveryId,
  guard: (deps, actor, { deliveryId = "" }) => authorizeDelivery(deps, actor, deliveryId),
  handle: async ({ deps, authorized: { scope, delivery } }) => ({
    delivery: { id: await redeliver(deps, scope.target.id, delivery.id, scope) },
  }),
});

const redeliverAllRoute = defineRoute({
  method: "POST",
  path: "/api/settings/webhook/deliveries/redeliver",
  operationId: "redeliverEvents",
  tag: TAG,
  summary: "Resend failed events",
  description:
    "Sends the failed deliveries of this time again, to the current address, ten a second, under their own ids. Unknown fields are 400. Owners only.",
  isMembersOnly: true,
  isStrict: true,
  body: REDELIVERY_BODY,
  response: DELIVERY_RESPONSES.scheduled,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "own"),
  async handle({ deps, authorized, body, reply }) {
    const time = readRedelivery(body, deps.clock.now());
    return { scheduled: await redeliverFailed(deps, authorized, time, authorized, createDisconnectSignal(reply)) };
  },
});

async function authorizeDelivery(deps: StoreDeps, actor: Actor, deliveryId: string) {
  const scope = await authorizeBusiness(deps, actor, "own");
  return { scope, delivery: await requireDelivery(deps, scope.target.id, deliveryId) };
}

/** Creates the routes of the delivery log. */
export function deliveryRoutes(): AnyRoute[] {
  return [listDeliveriesRoute, readDeliveryRoute, redeliverAllRoute, redeliverRoute];
}
