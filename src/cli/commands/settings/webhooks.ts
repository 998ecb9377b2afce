import { EVENT_TYPES, MAX_OVERLAP_HOURS } from "#domain/settings/webhook.ts";
import { OVERLAP_MS, clearWebhook, rotateWebhook, setWebhook } from "#service/settings/webhooks.ts";
import { type Command, UsageError, print } from "../../command.ts";
import { durationOption, eventsOption } from "../../options.ts";
import { withData } from "../../with-data.ts";

const HOUR_MS = 3_600_000;
const MAX_OVERLAP = `${MAX_OVERLAP_HOURS}h`;

/** Refuses a single word, which would be read as the name of a host: nearly always it is a mistake. */
function requireHost(url: string): string {
  if (/^[\w-]+$/.test(url.trim()))
    throw new Error(`"${url}" is not a complete url: write the address of the receiver, such as https://hooks.example.com/tessera.`);
  return url;
}

export const WEBHOOK_COMMANDS: readonly Command[] = [
  {
    name: "webhook set",
    parameters: [{ name: "URL", meaning: "The address that events are posted to." }],
    options: {
      events: { value: "EVENTS", meaning: `Which events, separated by commas: ${EVENT_TYPES.join(", ")}.` },
      retries: { meaning: "Tries failed deliveries again, six times within 31 hours. Without it, each event is posted once." },
    },
    summary: "Sets where events are posted, and shows the secret once.",
    details: "Events are signed with the secret. A receiver on your own network needs its host:port in WEBHOOK_ALLOW.",
    examples: [
      "webhook set https://hooks.example.com/tessera",
      "webhook set https://hooks.example.com/tessera --events tile.ready,tile.failed --retries",
    ],
    installation: "created",
    async run(invocation) {
      const events = eventsOption(invocation, EVENT_TYPES);
      const url = requireHost(invocation.parameters[0] ?? "");
      await withData(invocation, async ({ deps, business }) => {
        const { webhook, secret } = await setWebhook(deps, business.id, {
          url,
          actor: "operator",
          retries: invocation.options.retries === true,
          ...(events === undefined ? {} : { events }),
        });
        print(invocation, { webhook: { url: webhook.url, retries: webhook.retries, secret } }, [
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
];
