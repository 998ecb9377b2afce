import { readSamples } from "#service/events/samples.ts";
import { redeliverFailedToSubscription, redeliverToSubscription, sendSample } from "#service/events/subscriptions.ts";
import { requireDelivery } from "#service/events/deliveries.ts";
import { readDeliveryPage } from "../../listing/deliveries.ts";
import { createDisconnectSignal } from "../../response/connection/disconnect.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";
import {
  DELIVERY_QUERY,
  DELIVERY_RESPONSES,
  presentDelivery,
  readDeliveryFilter,
  readRedelivery,
  REDELIVERY_BODY,
} from "../../wire/events/delivery.ts";
import { presentSample, SAMPLES_QUERY, SUBSCRIPTION_RESPONSES } from "../../wire/events/subscription.ts";
import { type Access, ACCESSES, authorizeSubscriber, authorizeSubscription } from "./subscription-access.ts";

const samplesRoute = ({ base, tag, suffix, who, caller, ...access }: Access) =>
  defineRoute({
    method: "GET",
    path: `${base}/samples`,
    operationId: `listWebhookSamples${suffix}`,
    tag,
    summary: "List sample events",
    description: `Returns the three latest events of this kind among the newest 2,000 of the business, newest first, or one made up. ${who}`,
    ...caller,
    query: SAMPLES_QUERY,
    response: SUBSCRIPTION_RESPONSES.samples,
    guard: authorizeSubscriber(access),
    async handle({ deps, actor, query }) {
      const boardId = actor.kind === "key" ? actor.boardId : null;
      const samples = await readSamples(deps, actor.businessId, boardId, query.event ?? "tile.ready");
      return { samples: samples.map(presentSample) };
    },
  });

const testRoute = ({ base, tag, suffix, who, caller, ...access }: Access) =>
  defineRoute({
    method: "POST",
    path: `${base}/:webhookId/test`,
    operationId: `testWebhook${suffix}`,
    tag,
    summary: "Send a sample to a webhook",
    description: `Sends a sample of its first event, once. 409 while it is paused. ${who}`,
    ...caller,
    response: DELIVERY_RESPONSES.deliveryId,
    guard: authorizeSubscription(access),
    handle: async ({ deps, authorized: { scope, subscription } }) => ({ delivery: { id: await sendSample(deps, scope, subscription) } }),
  });

const listRoute = ({ base, tag, suffix, who, caller, ...access }: Access) =>
  defineRoute({
    method: "GET",
    path: `${base}/:webhookId/deliveries`,
    operationId: `listWebhookDeliveries${suffix}`,
    tag,
    summary: "List deliveries of a webhook",
    description: `Newest first. ${who}`,
    ...caller,
    query: DELIVERY_QUERY,
    response: DELIVERY_RESPONSES.deliveries,
    guard: authorizeSubscription(access),
    handle: ({ deps, authorized: { subscription }, query }) =>
      readDeliveryPage(deps, subscription.businessId, readDeliveryFilter(query, subscription.id), query),
  });

const readRoute = ({ base, tag, suffix, who, caller, ...access }: Access) =>
  defineRoute({
    method: "GET",
    path: `${base}/:webhookId/deliveries/:deliveryId`,
    operationId: `getWebhookDelivery${suffix}`,
    isTagged: true,
    tag,
    summary: "Get a delivery of a webhook",
    description: `With its attempts, body, headers with masked signatures, and the start of the response. ${who}`,
    ...caller,
    response: DELIVERY_RESPONSES.delivery,
    async guard(deps, actor, params) {
      const { subscription } = await authorizeSubscription(access)(deps, actor, params);
      return requireDelivery(deps, subscription.businessId, params["deliveryId"] ?? "", subscription.id);
    },
    handle: async ({ authorized }) => ({ delivery: presentDelivery(authorized) }),
  });

const redeliverRoute = ({ base, tag, suffix, who, caller, ...access }: Access) =>
  defineRoute({
    method: "POST",
    path: `${base}/:webhookId/deliveries/:deliveryId/redeliver`,
    operationId: `redeliverWebhookEvent${suffix}`,
    tag,
    summary: "Resend an event to a webhook",
    description: `Creates a new delivery. 409 while the original delivery is in progress, or the webhook is paused. ${who}`,
    ...caller,
    response: DELIVERY_RESPONSES.deliveryId,
    guard: async (deps, actor, params) => ({
      ...(await authorizeSubscription(access)(deps, actor, params)),
      deliveryId: params["deliveryId"] ?? "",
    }),
    handle: async ({ deps, authorized: { scope, subscription, deliveryId } }) => ({
      delivery: { id: await redeliverToSubscription(deps, scope, subscription, deliveryId) },
    }),
  });

const redeliverAllRoute = ({ base, tag, suffix, who, caller, ...access }: Access) =>
  defineRoute({
    method: "POST",
    path: `${base}/:webhookId/deliveries/redeliver`,
    operationId: `redeliverWebhookEvents${suffix}`,
    tag,
    summary: "Resend failed events to a webhook",
    description: `Sends the failed deliveries of this time again, ten a second, under their own ids. Unknown fields are 400. ${who}`,
    ...caller,
    isStrict: true,
    body: REDELIVERY_BODY,
    response: DELIVERY_RESPONSES.scheduled,
    guard: authorizeSubscription(access),
    async handle({ deps, authorized: { scope, subscription }, body, reply }) {
      const time = readRedelivery(body, deps.clock.now());
      const signal = createDisconnectSignal(reply);
      return { scheduled: await redeliverFailedToSubscription(deps, scope, subscription, time, scope, signal) };
    },
  });

/** Creates the routes of samples and deliveries of webhooks that keys and owners register. */
export function subscriptionDeliveryRoutes(): AnyRoute[] {
  const creators = [samplesRoute, testRoute, listRoute, readRoute, redeliverAllRoute, redeliverRoute];
  return ACCESSES.flatMap((access) => creators.map((create) => create(access)));
}
