import {
  createSubscription,
  listSubscriptions,
  removeSubscription,
  rotateSubscription,
  updateSubscription,
} from "#service/events/subscriptions.ts";
import { OVERLAP_MS } from "#service/settings/webhooks.ts";
import { presentIdOnly, readIdempotencyKey } from "../../request/idempotency.ts";
import { contentEtag } from "../../response/etag.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";
import { OK } from "../../wire/schema.ts";
import { WEBHOOK_INPUTS } from "../../wire/settings/webhook.ts";
import { readNewSubscription, readSubscriptionPatch, SUBSCRIPTION_INPUTS, SUBSCRIPTION_RESPONSES } from "../../wire/events/subscription.ts";
import { type Access, ACCESSES, authorizeSubscriber, authorizeSubscription, presentAll, presentOne } from "./subscription-access.ts";

const HOUR_MS = 3_600_000;

const listRoute = ({ base, tag, suffix, who, caller, ...access }: Access) =>
  defineRoute({
    method: "GET",
    path: base,
    operationId: `listWebhooks${suffix}`,
    tag,
    summary: "List webhooks",
    description: `Oldest first. ${who}`,
    ...caller,
    response: SUBSCRIPTION_RESPONSES.webhooks,
    guard: authorizeSubscriber(access),
    handle: async ({ deps, actor, authorized }) => ({
      webhooks: await presentAll(deps, actor.businessId, await listSubscriptions(deps, authorized)),
    }),
  });

const createRoute = ({ base, tag, suffix, who, caller, ...access }: Access) =>
  defineRoute({
    method: "POST",
    path: base,
    operationId: `createWebhook${suffix}`,
    tag,
    summary: "Create a webhook",
    description:
      "Sends events that happen from now on to this address. The signing secret is shown only in this response. A business can have 100. A repeated call with the same Idempotency-Key returns 409. " +
      who,
    ...caller,
    body: SUBSCRIPTION_INPUTS.create,
    headers: ["Idempotency-Key"],
    returnsSecret: true,
    response: SUBSCRIPTION_RESPONSES.withSecret,
    guard: authorizeSubscriber(access),
    async handle({ deps, actor, authorized, body, request, reply }) {
      const idempotency = readIdempotencyKey(request, actor, deps.clock.now(), presentIdOnly);
      const { webhook, secret } = await createSubscription(deps, authorized, readNewSubscription(body), idempotency);
      const presented = await presentOne(deps, webhook);
      // The tag of what GET returns, which is this without the secret.
      reply.header("ETag", contentEtag(JSON.stringify({ webhook: presented })));
      return { webhook: presented, secret };
    },
  });

const readRoute = ({ base, tag, suffix, who, caller, ...access }: Access) =>
  defineRoute({
    method: "GET",
    path: `${base}/:webhookId`,
    operationId: `getOneWebhook${suffix}`,
    isTagged: true,
    tag,
    summary: "Get a webhook",
    description: `The secret is not returned. ${who}`,
    ...caller,
    response: SUBSCRIPTION_RESPONSES.webhook,
    guard: authorizeSubscription(access),
    handle: async ({ deps, authorized }) => ({ webhook: await presentOne(deps, authorized.subscription) }),
  });

const updateRoute = ({ base, tag, suffix, who, caller, ...access }: Access) =>
  defineRoute({
    method: "PATCH",
    path: `${base}/:webhookId`,
    operationId: `updateOneWebhook${suffix}`,
    tag,
    summary: "Update a webhook",
    description: `Pausing ends what waits for its next attempt; events while it is paused are not sent later. The secret does not change. ${who}`,
    ...caller,
    body: SUBSCRIPTION_INPUTS.update,
    response: SUBSCRIPTION_RESPONSES.webhook,
    guard: authorizeSubscription(access),
    async handle({ deps, authorized: { scope, subscription }, body }) {
      const patch = readSubscriptionPatch(body);
      return { webhook: await presentOne(deps, await updateSubscription(deps, scope, subscription, patch)) };
    },
  });

const deleteRoute = ({ base, tag, suffix, who, caller, ...access }: Access) =>
  defineRoute({
    method: "DELETE",
    path: `${base}/:webhookId`,
    operationId: `deleteWebhook${suffix}`,
    tag,
    summary: "Delete a webhook",
    description: `What waits to be sent to it is not sent. ${who}`,
    ...caller,
    response: OK,
    guard: authorizeSubscription(access),
    async handle({ deps, authorized: { scope, subscription } }) {
      await removeSubscription(deps, scope, subscription.businessId, subscription.id);
      return { ok: true };
    },
  });

const rotateRoute = ({ base, tag, suffix, who, caller, ...access }: Access) =>
  defineRoute({
    method: "POST",
    path: `${base}/:webhookId/rotate`,
    operationId: `rotateOneWebhookSecret${suffix}`,
    tag,
    summary: "Rotate the signing secret of a webhook",
    description: `The new secret is shown only in this response. Both secrets sign during the overlap. ${who}`,
    ...caller,
    body: WEBHOOK_INPUTS.rotate,
    response: SUBSCRIPTION_RESPONSES.withSecret,
    guard: authorizeSubscription(access),
    async handle({ deps, authorized: { scope, subscription }, body }) {
      const overlapMs = body.overlap_hours === undefined ? OVERLAP_MS : body.overlap_hours * HOUR_MS;
      const { webhook, secret } = await rotateSubscription(deps, scope, subscription, overlapMs);
      return { webhook: await presentOne(deps, webhook), secret };
    },
  });

/** Creates the routes of webhooks that keys and owners register. */
export function subscriptionRoutes(): AnyRoute[] {
  const creators = [listRoute, createRoute, readRoute, updateRoute, deleteRoute, rotateRoute];
  return ACCESSES.flatMap((access) => creators.map((create) => create(access)));
}
