import type { Actor } from "#domain/core/access.ts";
import { invalid, notFound } from "#domain/core/error.ts";
import { EVENT_TYPES, type DeliveryCursor, type EventType } from "#domain/settings/webhook.ts";
import { grantBusiness } from "#service/access.ts";
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
import { SETTINGS_OUTPUTS, type SettingsInputs } from "../../wire/settings-schemas.ts";
import { presentDelivery, presentDeliverySummary, presentWebhook } from "../../wire/settings-presenters.ts";

const TAG = "Settings: webhook";
const PAGE = 50;
const HOUR_MS = 3_600_000;

export function settingsWebhookRoutes(inputs: SettingsInputs): AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/settings/webhook",
      tag: TAG,
      summary: "Read the webhook",
      description: "For owners. Null where none is set; its secret is never shown again.",
      isMembersOnly: true,
      response: SETTINGS_OUTPUTS.webhookOrNull,
      guard: (deps, actor) => grantBusiness(deps, actor, "own"),
      async handle({ deps, authorized }) {
        const webhook = await deps.store.webhooks.find(authorized.target.id);
        return { webhook: webhook === null ? null : presentWebhook(webhook, deps.clock.now()) };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/webhook",
      tag: TAG,
      summary: "Set the webhook",
      description: "For owners. Replaces the one before. This answer is the only one that shows the signing secret.",
      isMembersOnly: true,
      body: inputs.webhookSet,
      response: SETTINGS_OUTPUTS.webhookSecret,
      guard: (deps, actor) => grantBusiness(deps, actor, "own"),
      async handle({ deps, authorized, body }) {
        const events = body.events === undefined ? {} : { events: readEvents(body.events) };
        const { webhook, secret } = await setWebhook(deps, authorized.target.id, { url: body.url, ...events, actor: authorized });
        return { webhook: presentWebhook(webhook, deps.clock.now()), secret };
      },
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/settings/webhook",
      tag: TAG,
      summary: "Change the webhook's address or events",
      description: "For owners. The secret stays.",
      isMembersOnly: true,
      body: inputs.webhookUpdate,
      response: SETTINGS_OUTPUTS.webhook,
      guard: grantWebhook,
      async handle({ deps, authorized, body }) {
        const patch = {
          ...(body.url === undefined ? {} : { url: body.url }),
          ...(body.events === undefined ? {} : { events: readEvents(body.events) }),
        };
        const webhook = await updateWebhook(deps, authorized.target.id, patch, authorized);
        return { webhook: presentWebhook(webhook, deps.clock.now()) };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/webhook/rotate",
      tag: TAG,
      summary: "Make a new signing secret",
      description: "For owners. Shown in this answer alone; the earlier one goes on signing beside it for the overlap.",
      isMembersOnly: true,
      body: inputs.webhookRotate,
      response: SETTINGS_OUTPUTS.webhookSecret,
      guard: grantWebhook,
      async handle({ deps, authorized, body }) {
        const overlapMs = body.overlap_hours === undefined ? OVERLAP_MS : body.overlap_hours * HOUR_MS;
        const { webhook, secret } = await rotateWebhook(deps, authorized.target.id, overlapMs, authorized);
        return { webhook: presentWebhook(webhook, deps.clock.now()), secret };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/settings/webhook",
      tag: TAG,
      summary: "Remove the webhook",
      description: "For owners. What waits to be sent is sent no more; the log stays.",
      isMembersOnly: true,
      response: SETTINGS_OUTPUTS.ok,
      guard: (deps, actor) => grantBusiness(deps, actor, "own"),
      async handle({ deps, authorized }) {
        if (!(await clearWebhook(deps, authorized.target.id, authorized))) throw notFound("Webhook");
        return { ok: true };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/webhook/test",
      tag: TAG,
      summary: "Send a test event",
      description: "For owners. An event `test` with `{ message }`, signed and logged like any other.",
      isMembersOnly: true,
      response: SETTINGS_OUTPUTS.recorded,
      guard: grantWebhook,
      handle: async ({ deps, authorized }) => ({ delivery: { id: await sendTestEvent(deps, authorized.target.id, authorized) } }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/settings/webhook/deliveries",
      tag: TAG,
      summary: "List deliveries",
      description: "For owners. Every attempt, the newest first.",
      isMembersOnly: true,
      query: inputs.page,
      response: SETTINGS_OUTPUTS.deliveries,
      guard: (deps, actor) => grantBusiness(deps, actor, "own"),
      async handle({ deps, authorized, query }) {
        const { id } = authorized.target;
        const listing = `deliveries ${id}`;
        const after = query.cursor === undefined ? null : (deps.cursors.read(listing, query.cursor) as unknown as DeliveryCursor);
        const { deliveries, next } = await pageDeliveries(deps, id, query.limit ?? PAGE, after);
        return { deliveries: deliveries.map(presentDeliverySummary), nextCursor: next === null ? null : deps.cursors.write(listing, next) };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/settings/webhook/deliveries/:deliveryId",
      tag: TAG,
      summary: "Read a delivery",
      description: "For owners. With the exact body, the headers (signatures masked) and the start of the answer.",
      isMembersOnly: true,
      response: SETTINGS_OUTPUTS.delivery,
      guard: (deps, actor, { deliveryId = "" }) => grantDelivery(deps, actor, deliveryId),
      handle: async ({ authorized }) => ({ delivery: presentDelivery(authorized.delivery) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/webhook/deliveries/:deliveryId/redeliver",
      tag: TAG,
      summary: "Send an event once more",
      description: "For owners. As a delivery of its own, to the address that is set now; 409 while the earlier one is under way.",
      isMembersOnly: true,
      response: SETTINGS_OUTPUTS.recorded,
      guard: (deps, actor, { deliveryId = "" }) => grantDelivery(deps, actor, deliveryId),
      handle: async ({ deps, authorized: { scope, delivery } }) => ({
        delivery: { id: await redeliver(deps, scope.target.id, delivery.id, scope) },
      }),
    }),
  ];
}

/** The owner's grant, where a webhook is set. */
async function grantWebhook(deps: HttpDeps, actor: Actor) {
  const scope = await grantBusiness(deps, actor, "own");
  await requireWebhook(deps.store, scope.target.id);
  return scope;
}

async function grantDelivery(deps: HttpDeps, actor: Actor, deliveryId: string) {
  const scope = await grantBusiness(deps, actor, "own");
  return { scope, delivery: await requireDelivery(deps, scope.target.id, deliveryId) };
}

/** The events named, each once; none at all turns everything off. */
function readEvents(named: readonly unknown[]): EventType[] {
  const wrong = named.find((one) => !EVENT_TYPES.some((type) => type === one));
  if (wrong !== undefined || named.includes(undefined)) throw invalid(`events must be some of ${EVENT_TYPES.join(", ")}.`);
  return EVENT_TYPES.filter((type) => named.includes(type));
}
