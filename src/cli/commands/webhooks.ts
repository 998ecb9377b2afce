import { isoTime } from "#domain/core/system.ts";
import { type Delivery, EVENT_TYPES, type EventType } from "#domain/settings/webhook.ts";
import { OVERLAP_MS, clearWebhook, listDeliveries, redeliver, rotateWebhook, setWebhook } from "#service/settings/webhooks.ts";
import { type Command, UsageError, print, durationOption, textOption, withData } from "../command.ts";

const MAX_DELIVERIES = 1_000;

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

function readEvents(text: string | undefined): EventType[] | undefined {
  return text?.split(",").map((word) => {
    const event = EVENT_TYPES.find((type) => type === word.trim());
    if (event === undefined) throw new UsageError(`--events takes ${EVENT_TYPES.join(", ")}, separated by commas.`);
    return event;
  });
}

export const WEBHOOK_COMMANDS: readonly Command[] = [
  {
    name: "webhook set",
    parameters: ["URL"],
    options: { events: "text" },
    summary: "Sets where events are posted and shows the signing secret once.",
    async run(invocation) {
      const events = readEvents(textOption(invocation, "events"));
      await withData(invocation, async ({ deps, business }) => {
        const url = invocation.parameters[0] ?? "";
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
    options: { overlap: "text" },
    summary: "Creates a new secret; the previous one also signs for the overlap (24h).",
    async run(invocation) {
      const overlapMs = durationOption(invocation, "overlap") ?? OVERLAP_MS;
      await withData(invocation, async ({ deps, business }) => {
        const { webhook, secret } = await rotateWebhook(deps, business.id, overlapMs, "operator");
        print(invocation, { webhook: { url: webhook.url, secret } }, [secret, "Store it safely; it is not shown again."]);
      });
    },
  },
  {
    name: "webhook clear",
    summary: "Stops posting events.",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const cleared = await clearWebhook(deps, business.id, "operator");
        print(invocation, { cleared }, cleared ? "Webhook removed." : "No webhook was set.");
      }),
  },
  {
    name: "webhook deliveries",
    summary: "Shows the newest deliveries, newest first.",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const deliveries = await listDeliveries(deps, business.id, MAX_DELIVERIES);
        print(invocation, { deliveries: deliveries.map(presentDelivery) }, deliveries.map(describe));
      }),
  },
  {
    name: "webhook redeliver",
    parameters: ["ID"],
    summary: "Sends a recorded event again, as a new delivery; a running server posts it.",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const id = await redeliver(deps, business.id, invocation.parameters[0] ?? "", "operator");
        print(invocation, { delivery: { id } }, `Recorded as ${id}.`);
      }),
  },
];
