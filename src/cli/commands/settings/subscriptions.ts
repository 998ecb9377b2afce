import { isoTime } from "#domain/core/system.ts";
import type { Subscription } from "#domain/events/subscription.ts";
import { removeSubscription } from "#service/events/subscriptions.ts";
import { nameActors, type NamedActor } from "#service/settings/audit.ts";
import { type Command, print } from "../../command.ts";
import { withData } from "../../with-data.ts";

const present = (one: Subscription, owner: NamedActor) => ({
  id: one.id,
  url: one.url,
  events: one.events,
  boardId: one.boardId,
  zoneIds: one.zoneIds,
  types: one.types,
  tags: one.tags,
  properties: one.properties,
  includeTile: one.includeTile,
  retries: one.retries,
  description: one.description,
  status: one.status,
  pausedReason: one.pausedReason,
  failingSince: one.failingSince === null ? null : isoTime(one.failingSince),
  owner,
  createdAt: isoTime(one.createdAt),
  lastDeliveryAt: one.lastDeliveryAt === null ? null : isoTime(one.lastDeliveryAt),
});

const describe = ({ id, status, url, events, owner, pausedReason }: ReturnType<typeof present>): string =>
  `${id}  ${status}  ${url}  ${events.join(",")}  ${owner.name}${pausedReason === null ? "" : `  ${pausedReason}`}`;

export const SUBSCRIPTION_COMMANDS: readonly Command[] = [
  {
    name: "subscription list",
    summary: "Lists the webhooks that keys and owners registered.",
    examples: ["subscription list", "subscription list --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const found = await deps.store.subscriptions.list(business.id, null);
        const owners = found.map(({ createdBy }) => createdBy);
        const getOwner = await nameActors(deps.store, business.id, owners);
        const webhooks = found.map((one) => present(one, getOwner(one.createdBy)));
        print(invocation, { webhooks }, webhooks.map(describe));
      }),
  },
  {
    name: "subscription delete",
    parameters: [{ name: "ID", meaning: 'The id of the webhook, from "subscription list".' }],
    summary: "Deletes a registered webhook: nothing more is sent to it.",
    examples: ["subscription delete sub_…", "subscription delete sub_… --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        await removeSubscription(deps, "operator", business.id, invocation.parameters[0] ?? "");
        print(invocation, { deleted: true }, "Webhook deleted.");
      }),
  },
];
