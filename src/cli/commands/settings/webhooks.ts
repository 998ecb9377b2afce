import { isoTime } from "#domain/core/system.ts";
import type { Delivery } from "#domain/events/delivery.ts";
import { EVENT_TYPES, MAX_OVERLAP_HOURS } from "#domain/settings/webhook.ts";
import { authorizeBusiness } from "#service/access.ts";
import { redeliverFailedToSubscription, requireSubscription } from "#service/events/subscriptions.ts";
import {
  OVERLAP_MS,
  clearWebhook,
  listDeliveries,
  redeliver,
  redeliverFailed,
  rotateWebhook,
  setWebhook,
} from "#service/settings/webhooks.ts";
import { type Command, type Invocation, UsageError, print } from "../../command.ts";
import { durationOption, eventsOption, sinceOption, textOption } from "../../options.ts";
import { withData } from "../../with-data.ts";

const MAX_DELIVERIES = 1_000;
const HOUR_MS = 3_600_000;
const MAX_OVERLAP = `${MAX_OVERLAP_HOURS}h`;

const presentDelivery = (delivery: Delivery) => ({
  id: delivery.id,
  event: delivery.event,
  url: delivery.url,
  status: delivery.status,
  body: delivery.body,
  responseStatus: delivery.responseStatus,
  responseStart: delivery.responseStart,
  error: delivery.error,
  durationMs: delivery.durationMs,
  createdAt: isoTime(delivery.createdAt),
  sentAt: delivery.sentAt === null ? null : isoTime(delivery.sentAt),
});

const describe = (delivery: Delivery): string =>
  `${isoTime(delivery.createdAt)}  ${delivery.id}  ${delivery.event}  ${delivery.status}  ${delivery.responseStatus ?? delivery.error ?? ""}`;

/** Refuses a single word, which would be read as the name of a host: nearly always it is a mistake. */
function requireHost(url: string): string {
  if (/^[\w-]+$/.test(url.trim()))
    throw new Error(`"${url}" is not a complete url: write the address of the receiver, such as https://hooks.example.com/tessera.`);
  return url;
}

async function redeliverAll(invocation: Invocation): Promise<void> {
  if (invocation.parameters.length > 0) throw new UsageError("--failed takes no id.");
  const readSince = sinceOption(invocation);
  if (readSince === undefined) throw new UsageError("--failed needs --since: a time, or a duration such as 2h.");
  await withData(invocation, async ({ deps, actor }) => {
    const now = deps.clock.now();
    const subscriptionId = textOption(invocation, "webhook");
    const scope = await authorizeBusiness(deps, actor, "own");
    const time = { since: readSince(now), until: now };
    const { signal } = new AbortController();
    const scheduled =
      subscriptionId === undefined
        ? await redeliverFailed(deps, scope, time, "operator", signal)
        : await redeliverFailedToSubscription(
            deps,
            scope,
            await requireSubscription(deps, scope, subscriptionId),
            time,
            "operator",
            signal,
          );
    print(invocation, { scheduled }, scheduled === 1 ? "1 delivery is sent again." : `${scheduled} deliveries are sent again.`);
  });
}

export const WEBHOOK_COMMANDS: readonly Command[] = [
  {
    name: "webhook set",
    parameters: [{ name: "URL", meaning: "The address that events are posted to." }],
    options: { events: { value: "EVENTS", meaning: `Which events, separated by commas: ${EVENT_TYPES.join(", ")}.` } },
    summary: "Sets where events are posted, and shows the secret once.",
    details: "Events are signed with the secret. A receiver on your own network needs its host:port in WEBHOOK_ALLOW.",
    examples: [
      "webhook set https://hooks.example.com/tessera",
      "webhook set https://hooks.example.com/tessera --events tile.ready,tile.failed",
    ],
    installation: "created",
    async run(invocation) {
      const events = eventsOption(invocation, EVENT_TYPES);
      const url = requireHost(invocation.parameters[0] ?? "");
      await withData(invocation, async ({ deps, business }) => {
        const { webhook, secret } = await setWebhook(deps, business.id, {
          url,
          actor: "operator",
          ...(events === undefined ? {} : { events }),
        });
        print(invocation, { webhook: { url: webhook.url, secret } }, [
          secret,
          "Store it safely; it is not shown again. Receivers verify events with it.",
        ]);
      });
    },
  },
  {
    name: "webhook rotate",
    options: { overlap: { value: "DURATION", meaning: `How long the previous secret also signs, up to ${MAX_OVERLAP}; by default 24h.` } },
    summary: "Creates a new secret; the previous one also signs for a while.",
    examples: ["webhook rotate", "webhook rotate --overlap 2h --json"],
    installation: "required",
    async run(invocation) {
      const overlapMs = durationOption(invocation, "overlap") ?? OVERLAP_MS;
      if (overlapMs > MAX_OVERLAP_HOURS * HOUR_MS) throw new UsageError(`--overlap must be at most ${MAX_OVERLAP}.`);
      await withData(invocation, async ({ deps, business }) => {
        const { webhook, secret } = await rotateWebhook(deps, business.id, overlapMs, "operator");
        print(invocation, { webhook: { url: webhook.url, secret } }, [secret, "Store it safely; it is not shown again."]);
      });
    },
  },
  {
    name: "webhook clear",
    summary: "Removes the webhook: no events are posted.",
    examples: ["webhook clear", "webhook clear --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const cleared = await clearWebhook(deps, business.id, "operator");
        print(invocation, { cleared }, cleared ? "Webhook removed." : "No webhook was set.");
      }),
  },
  {
    name: "webhook deliveries",
    summary: "Shows the newest deliveries, newest first.",
    examples: ["webhook deliveries", "webhook deliveries --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const deliveries = await listDeliveries(deps, business.id, MAX_DELIVERIES);
        print(invocation, { deliveries: deliveries.map(presentDelivery) }, deliveries.map(describe));
      }),
  },
  {
    name: "webhook redeliver",
    parameters: [{ name: "ID", meaning: 'The id of the delivery, from "webhook deliveries".', isOptional: true }],
    options: {
      failed: { meaning: "Posts the failed deliveries since --since again, in place of one by its id." },
      since: { value: "TIME", meaning: "A time such as 2026-01-31T12:00:00Z, or a duration such as 2h." },
      webhook: { value: "ID", meaning: 'Those of this webhook, from "subscription list"; by default those of the business.' },
    },
    summary: "Posts a recorded event again, as a new delivery.",
    details: "With --failed, posts all failed ones of a time again, ten a second, under their own ids. A running server posts them.",
    examples: ["webhook redeliver dlv_…", "webhook redeliver --failed --since 2h --json"],
    installation: "required",
    async run(invocation) {
      const [deliveryId] = invocation.parameters;
      if (invocation.options.failed === true) return redeliverAll(invocation);
      if (deliveryId === undefined)
        throw new UsageError('Name the id of a delivery, from "webhook deliveries", or use --failed with --since.');
      await withData(invocation, async ({ deps, business }) => {
        const id = await redeliver(deps, business.id, deliveryId, "operator");
        print(invocation, { delivery: { id } }, `Recorded as ${id}.`);
      });
    },
  },
];
