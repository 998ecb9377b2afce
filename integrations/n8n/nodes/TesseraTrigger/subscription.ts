import { type IDataObject, type IHookFunctions, type IWebhookFunctions, NodeOperationError } from "n8n-workflow";
import { callServer, findOnServer } from "../Tessera/shared/request.ts";
import { readPresentCursor } from "./feed.ts";
import { readSettings, type Settings, toSubscriptionBody } from "./settings.ts";
import { forgetSubscription, getCursor, getSubscription, keepSubscription, setCursor } from "./state.ts";

type Webhook = { readonly id: string; readonly url: string; readonly status: string };

const WEBHOOKS = "/api/webhooks";
const webhookPath = (id: string): string => `${WEBHOOKS}/${encodeURIComponent(id)}`;

/** Whether this node is subscribed as its fields say. A subscription that the server paused is resumed, and what was missed is read. */
export async function isSubscribed(context: IHookFunctions): Promise<boolean> {
  const url = getUrl(context);
  const subscription = getSubscription(context, url);
  if (subscription === undefined || subscription.body !== JSON.stringify(toSubscriptionBody(readSettings(context), url))) return false;
  const path = webhookPath(subscription.id);
  const found = await findOnServer<{ readonly webhook: Webhook }>(context, { path });
  if (found === null) return false;
  if (found.webhook.status !== "active") await callServer(context, { method: "PATCH", path, body: { status: "active" } });
  await requestDelivery(context, subscription.id);
  return true;
}

/** Subscribes this node. What happened since it was last active is read, unless the fields say otherwise. */
export async function subscribe(context: IHookFunctions): Promise<void> {
  const url = getUrl(context);
  const settings = readSettings(context);
  const isTest = context.getMode() === "manual";
  // The position is taken before the subscription exists, so that no event falls between them.
  if (!isTest) await takePosition(context, url, settings);
  await removeLeftovers(context, url);
  const body = toSubscriptionBody(settings, url);
  const { webhook, secret } = await callServer<{ readonly webhook: Webhook; readonly secret: string }>(context, {
    method: "POST",
    path: WEBHOOKS,
    body,
  });
  keepSubscription(context, url, { id: webhook.id, secret, body: JSON.stringify(body) });
  if (!isTest) await requestDelivery(context, webhook.id);
}

/** Ends the subscription. */
export async function unsubscribe(context: IHookFunctions): Promise<void> {
  const url = getUrl(context);
  const subscription = getSubscription(context, url);
  if (subscription !== undefined) await deleteWebhook(context, subscription.id);
  forgetSubscription(context, url);
}

/**
 * Asks the server for a delivery. Deliveries wake the node, which then reads the change feed from where it stopped: this is how it
 * catches up, since n8n starts workflows for deliveries only.
 */
export async function requestDelivery(context: IHookFunctions | IWebhookFunctions, id: string): Promise<void> {
  await callServer(context, { method: "POST", path: `${webhookPath(id)}/test` });
}

async function takePosition(context: IHookFunctions, url: string, { skipsMissed }: Settings): Promise<void> {
  if (skipsMissed || getCursor(context, url) === undefined) setCursor(context, url, await readPresentCursor(context));
}

/** Removes subscriptions of this address whose secret is not known any more. */
async function removeLeftovers(context: IHookFunctions, url: string): Promise<void> {
  const { webhooks } = await callServer<{ readonly webhooks: readonly Webhook[] }>(context, { path: WEBHOOKS });
  for (const { id } of webhooks.filter((webhook) => webhook.url === url)) await deleteWebhook(context, id);
}

/** One that does not exist any more needs no deletion. */
async function deleteWebhook(context: IHookFunctions, id: string): Promise<void> {
  await findOnServer<IDataObject>(context, { method: "DELETE", path: webhookPath(id) });
}

function getUrl(context: IHookFunctions): string {
  const url = context.getNodeWebhookUrl("default");
  if (url !== undefined) return url;
  throw new NodeOperationError(context.getNode(), "n8n has no address for this trigger. Save the workflow and try again.");
}
