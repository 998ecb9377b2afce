import { isoTime } from "#domain/core/system.ts";
import { type Delivery, listAttempts } from "#domain/events/delivery.ts";
import { authorizeBusiness } from "#service/access.ts";
import { redeliverFailedToSubscription, redeliverToSubscription, requireSubscription } from "#service/events/subscriptions.ts";
import { listDeliveries, redeliver, redeliverFailed } from "#service/settings/webhooks.ts";
import { type Command, type Invocation, UsageError, print } from "../../command.ts";
import { sinceOption, textOption } from "../../options.ts";
import { type Opened, withData } from "../../with-data.ts";

const MAX_DELIVERIES = 1_000;
const WEBHOOK_OPTION = {
  webhook: { value: "ID", meaning: 'Those of this webhook, from "subscription list"; by default those of the business.' },
};

const present = (delivery: Delivery) => {
  const attempts = listAttempts(delivery);
  return {
    id: delivery.id,
    event: delivery.event,
    url: delivery.url,
    status: delivery.status,
    attempts: attempts.length,
    nextAttemptAt: delivery.retryAt === null ? null : isoTime(delivery.retryAt),
    attemptLog: attempts.map(({ at, ...attempt }) => ({ at: isoTime(at), ...attempt })),
    body: delivery.body,
    responseStatus: delivery.responseStatus,
    responseStart: delivery.responseStart,
    error: delivery.error,
    durationMs: delivery.durationMs,
    createdAt: isoTime(delivery.createdAt),
    sentAt: delivery.sentAt === null ? null : isoTime(delivery.sentAt),
  };
};

function describe({ id, event, status, responseStatus, error, attempts, nextAttemptAt, createdAt }: ReturnType<typeof present>): string {
  const count = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  const next = nextAttemptAt === null ? "" : `, next ${nextAttemptAt}`;
  return `${createdAt}  ${id}  ${event}  ${status}  ${count}${next}  ${responseStatus ?? error ?? ""}`.trimEnd();
}

/** Reads whose deliveries are meant: `subscription` is null for those of the webhook of the business. */
async function readTarget(invocation: Invocation, { deps, actor }: Opened) {
  const id = textOption(invocation, "webhook");
  const scope = await authorizeBusiness(deps, actor, "own");
  return { scope, subscription: id === undefined ? null : await requireSubscription(deps, scope, id) };
}

async function redeliverAll(invocation: Invocation): Promise<void> {
  if (invocation.parameters.length > 0) throw new UsageError("--failed takes no id.");
  const readSince = sinceOption(invocation);
  if (readSince === undefined) throw new UsageError("--failed needs --since: a time, or a duration such as 2h.");
  await withData(invocation, async (data) => {
    const { deps } = data;
    const { scope, subscription } = await readTarget(invocation, data);
    const now = deps.clock.now();
    const time = { since: readSince(now), until: now };
    const { signal } = new AbortController();
    const scheduled =
      subscription === null
        ? await redeliverFailed(deps, scope, time, "operator", signal)
        : await redeliverFailedToSubscription(deps, scope, subscription, time, "operator", signal);
    print(invocation, { scheduled }, scheduled === 1 ? "1 delivery is sent again." : `${scheduled} deliveries are sent again.`);
  });
}

export const DELIVERY_COMMANDS: readonly Command[] = [
  {
    name: "webhook deliveries",
    options: WEBHOOK_OPTION,
    summary: "Shows the newest deliveries, newest first, with their attempts.",
    examples: ["webhook deliveries", "webhook deliveries --webhook sub_… --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async (data) => {
        const { subscription } = await readTarget(invocation, data);
        const listed = await listDeliveries(data.deps, data.business.id, MAX_DELIVERIES, subscription?.id);
        const deliveries = listed.map(present);
        print(invocation, { deliveries }, deliveries.map(describe));
      }),
  },
  {
    name: "webhook redeliver",
    parameters: [{ name: "ID", meaning: 'The id of the delivery, from "webhook deliveries".', isOptional: true }],
    options: {
      failed: { meaning: "Posts the failed deliveries since --since again, in place of one by its id." },
      since: { value: "TIME", meaning: "A time such as 2026-01-31T12:00:00Z, or a duration such as 2h." },
      ...WEBHOOK_OPTION,
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
      await withData(invocation, async (data) => {
        const { deps, business } = data;
        const { scope, subscription } = await readTarget(invocation, data);
        const id =
          subscription === null
            ? await redeliver(deps, business.id, deliveryId, "operator")
            : await redeliverToSubscription(deps, scope, subscription, deliveryId);
        print(invocation, { delivery: { id } }, `Recorded as ${id}.`);
      });
    },
  },
];
