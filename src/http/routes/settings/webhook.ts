import type { Actor } from "#domain/core/access.ts";
import { notFound } from "#domain/core/errors/error.ts";
import { authorizeBusiness } from "#service/access.ts";
import type { StoreDeps } from "#service/deps.ts";
import {
  OVERLAP_MS,
  clearWebhook,
  requireWebhook,
  rotateWebhook,
  sendTestEvent,
  setWebhook,
  updateWebhook,
} from "#service/settings/webhooks.ts";
import { contentEtag } from "../../response/etag.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";
import { OK } from "../../wire/schema.ts";
import { DELIVERY_RESPONSES } from "../../wire/events/delivery.ts";
import { WEBHOOK_INPUTS, WEBHOOK_RESPONSES, presentWebhook, readEvents } from "../../wire/settings/webhook.ts";

const TAG = "Settings: webhook";
const HOUR_MS = 3_600_000;

const readWebhookRoute = defineRoute({
  method: "GET",
  path: "/api/settings/webhook",
  operationId: "getWebhook",
  isTagged: true,
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
  description:
    "Replaces the current webhook. Waiting events are kept if the address is the same. The signing secret is shown only in this response. Owners only.",
  isMembersOnly: true,
  body: WEBHOOK_INPUTS.set,
  response: WEBHOOK_RESPONSES.withSecret,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "own"),
  async handle({ deps, authorized, body, reply }) {
    const options = {
      ...(body.events === undefined ? {} : { events: readEvents(body.events) }),
      ...(body.retries === undefined ? {} : { retries: body.retries }),
    };
    const { webhook, secret } = await setWebhook(deps, authorized.target.id, { url: body.url, ...options, actor: authorized });
    const presented = presentWebhook(webhook, deps.clock.now());
    // The tag of what GET returns, which is this without the secret.
    reply.header("ETag", contentEtag(JSON.stringify({ webhook: presented })));
    return { webhook: presented, secret };
  },
});

const updateWebhookRoute = defineRoute({
  method: "PATCH",
  path: "/api/settings/webhook",
  operationId: "updateWebhook",
  tag: TAG,
  summary: "Update the webhook",
  description: "Changes the address, the events or the retries. The secret does not change. Owners only.",
  isMembersOnly: true,
  body: WEBHOOK_INPUTS.update,
  mayBeMissing: true,
  response: WEBHOOK_RESPONSES.webhook,
  guard: authorizeWebhook,
  async handle({ deps, authorized, body }) {
    const patch = {
      ...(body.url === undefined ? {} : { url: body.url }),
      ...(body.events === undefined ? {} : { events: readEvents(body.events) }),
      ...(body.retries === undefined ? {} : { retries: body.retries }),
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
  mayBeMissing: true,
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
  description: "Pending deliveries fail. The delivery log is kept. Owners only.",
  isMembersOnly: true,
  mayBeMissing: true,
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
  mayBeMissing: true,
  response: DELIVERY_RESPONSES.deliveryId,
  guard: authorizeWebhook,
  handle: async ({ deps, authorized }) => ({ delivery: { id: await sendTestEvent(deps, authorized.target.id, authorized) } }),
});

/** Authorizes an owner, and requires that a webhook is set. */
async function authorizeWebhook(deps: StoreDeps, actor: Actor) {
  const scope = await authorizeBusiness(deps, actor, "own");
  await requireWebhook(deps.store, scope.target.id);
  return scope;
}

export function webhookRoutes(): AnyRoute[] {
  return [readWebhookRoute, setWebhookRoute, updateWebhookRoute, rotateSecretRoute, removeWebhookRoute, sendTestRoute];
}
