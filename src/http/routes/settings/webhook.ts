import type { Actor } from "#domain/core/access.ts";
import { notFound } from "#domain/core/error.ts";
import type { DeliveryCursor } from "#domain/settings/webhook.ts";
import { authorizeBusiness } from "#service/access.ts";
import {
  OVERLAP_MS,
  clearWebhook,
  pageDeliveries,
  redeliver,
  requireDelivery,
  requireWebhook,
  rotateWebhook,
  sendTestEvent,
  setWebhook,
  updateWebhook,
} from "#service/settings/webhooks.ts";
import { type AnyRoute, type HttpDeps, defineRoute } from "../../route.ts";
import { OK } from "../../wire/schema.ts";
import { SETTINGS_PAGE_QUERY } from "../../wire/settings/audit.ts";
import {
  WEBHOOK_INPUTS,
  WEBHOOK_RESPONSES,
  presentDelivery,
  presentDeliverySummary,
  presentWebhook,
  readEvents,
} from "../../wire/settings/webhook.ts";

const TAG = "Settings: webhook";
const DEFAULT_PAGE_SIZE = 50;
const HOUR_MS = 3_600_000;

const readWebhookRoute = defineRoute({
  method: "GET",
  path: "/api/settings/webhook",
  operationId: "getWebhook",
  tag: TAG,
  summary: "Get the webhook",
  description: "Returns null if no webhook is set. The secret is not returned. Owners only.",
  isMembersOnly: true,
  response: WEBHOOK_RESPONSES.webhookOrNull,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "own"),
  async handle({ deps, authorized }) {
    const webhook = await deps.store.webhooks.find(authorized.target.id);
    return { webhook: webhook === null ? null : presentWebhook(webhook, deps.clock.now()) };
  },
});

const setWebhookRoute = defineRoute({
  method: "POST",
  path: "/api/settings/webhook",
  operationId: "setWebhook",
  tag: TAG,
  summary: "Set the webhook",
  description: "Replaces the current webhook. The signing secret is shown only in this response. Owners only.",
  isMembersOnly: true,
  body: WEBHOOK_INPUTS.set,
  response: WEBHOOK_RESPONSES.withSecret,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "own"),
  async handle({ deps, authorized, body }) {
    const events = body.events === undefined ? {} : { events: readEvents(body.events) };
    const { webhook, secret } = await setWebhook(deps, authorized.target.id, { url: body.url, ...events, actor: authorized });
    return { webhook: presentWebhook(webhook, deps.clock.now()), secret };
  },
});

const updateWebhookRoute = defineRoute({
  method: "PATCH",
  path: "/api/settings/webhook",
  operationId: "updateWebhook",
  tag: TAG,
  summary: "Update the webhook",
  description: "Changes the address or the events. The secret does not change. Owners only.",
  isMembersOnly: true,
  body: WEBHOOK_INPUTS.update,
  response: WEBHOOK_RESPONSES.webhook,
  guard: authorizeWebhook,
  async handle({ deps, authorized, body }) {
    const patch = {
      ...(body.url === undefined ? {} : { url: body.url }),
      ...(body.events === undefined ? {} : { events: readEvents(body.events) }),
    };
    const webhook = await updateWebhook(deps, authorized.target.id, patch, authorized);
    return { webhook: presentWebhook(webhook, deps.clock.now()) };
  },
});

const rotateSecretRoute = defineRoute({
  method: "POST",
  path: "/api/settings/webhook/rotate",
  operationId: "rotateWebhookSecret",
  tag: TAG,
  summary: "Rotate the signing secret",
  description: "The new secret is shown only in this response. Both secrets sign during the overlap. Owners only.",
  isMembersOnly: true,
  body: WEBHOOK_INPUTS.rotate,
  response: WEBHOOK_RESPONSES.withSecret,
  guard: authorizeWebhook,
  async handle({ deps, authorized, body }) {
    const overlapMs = body.overlap_hours === undefined ? OVERLAP_MS : body.overlap_hours * HOUR_MS;
    const { webhook, secret } = await rotateWebhook(deps, authorized.target.id, overlapMs, authorized);
    return { webhook: presentWebhook(webhook, deps.clock.now()), secret };
  },
});

const removeWebhookRoute = defineRoute({
  method: "DELETE",
  path: "/api/settings/webhook",
  operationId: "removeWebhook",
  tag: TAG,
  summary: "Remove the webhook",
  description: "Pending deliveries are canceled. The delivery log is kept. Owners only.",
  isMembersOnly: true,
  response: OK,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "own"),
  async handle({ deps, authorized }) {
    if (!(await clearWebhook(deps, authorized.target.id, authorized))) throw notFound("Webhook");
    return { ok: true };
  },
});

const sendTestRoute = defineRoute({
  method: "POST",
  path: "/api/settings/webhook/test",
  operationId: "sendTestEvent",
  tag: TAG,
  summary: "Send a test event",
  description: "Sends an event named `test` with `{ message }`, signed and logged like every event. Owners only.",
  isMembersOnly: true,
  response: WEBHOOK_RESPONSES.deliveryId,
  guard: authorizeWebhook,
  handle: async ({ deps, authorized }) => ({ delivery: { id: await sendTestEvent(deps, authorized.target.id, authorized) } }),
});

const listDeliveriesRoute = defineRoute({
  method: "GET",
  path: "/api/settings/webhook/deliveries",
  operationId: "listDeliveries",
  tag: TAG,
  summary: "List deliveries",
  description: "Returns every delivery attempt, newest first. Owners only.",
  isMembersOnly: true,
  query: SETTINGS_PAGE_QUERY,
  response: WEBHOOK_RESPONSES.deliveries,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "own"),
  async handle({ deps, authorized, query }) {
    const { id } = authorized.target;
    const listing = `deliveries ${id}`;
    const after = query.cursor === undefined ? null : (deps.cursors.read(listing, query.cursor) as unknown as DeliveryCursor);
    const { deliveries, next } = await pageDeliveries(deps, id, query.limit ?? DEFAULT_PAGE_SIZE, after);
    return { deliveries: deliveries.map(presentDeliverySummary), nextCursor: next === null ? null : deps.cursors.write(listing, next) };
  },
});

const readDeliveryRoute = defineRoute({
  method: "GET",
  path: "/api/settings/webhook/deliveries/:deliveryId",
  operationId: "getDelivery",
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

/** Authorizes an owner, and requires that a webhook is set. */
async function authorizeWebhook(deps: HttpDeps, actor: Actor) {
  const scope = await authorizeBusiness(deps, actor, "own");
  await requireWebhook(deps.store, scope.target.id);
  return scope;
}

async function authorizeDelivery(deps: HttpDeps, actor: Actor, deliveryId: string) {
  const scope = await authorizeBusiness(deps, actor, "own");
  return { scope, delivery: await requireDelivery(deps, scope.target.id, deliveryId) };
}

export function webhookRoutes(): AnyRoute[] {
  return [
    readWebhookRoute,
    setWebhookRoute,
    updateWebhookRoute,
    rotateSecretRoute,
    removeWebhookRoute,
    sendTestRoute,
    listDeliveriesRoute,
    readDeliveryRoute,
    redeliverRoute,
  ];
}
