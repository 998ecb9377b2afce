import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from "n8n-workflow";
import { addTiles, type Change, readChanges, readPresentCursor } from "./feed.ts";
import { readSettings } from "./settings.ts";
import { isGenuine } from "./signature.ts";
import { getCursor, inTurn, listSubscriptions, setCursor, type Subscription } from "./state.ts";
import { requestDelivery } from "./subscription.ts";

/**
 * Receives a delivery. Its signature is checked; then the events are read from the change feed, from where the node stopped: each comes
 * once and in order, and what happened while n8n was away comes too. A test in the editor gets the delivery itself.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  const url = context.getNodeWebhookUrl("default") ?? "";
  const headers = context.getHeaderData() as IDataObject;
  const { rawBody } = context.getRequestObject();
  const subscription = listSubscriptions(context, url).find(({ secret }) => isGenuine(headers, rawBody, secret));
  if (subscription === undefined) return refuse(context);
  if (context.getMode() === "manual") return { workflowData: [toItems([readDelivery(context, headers)])] };
  const events = await inTurn(url, () => readEvents(context, url, subscription));
  return events.length === 0 ? { webhookResponse: "" } : { workflowData: [toItems(events)] };
}

function refuse(context: IWebhookFunctions): IWebhookResponseData {
  context.getResponseObject().status(401).json({ error: "The signature does not match." });
  return { noWebhookResponse: true };
}

async function readEvents(context: IWebhookFunctions, url: string, { id }: Subscription): Promise<readonly object[]> {
  const settings = readSettings(context);
  const cursor = getCursor(context, url) ?? (await readPresentCursor(context));
  const { changes, nextCursor, hasMore } = await readChanges(context, cursor, settings);
  const events = settings.includesTile ? await addTiles(context, changes) : changes;
  setCursor(context, url, nextCursor);
  if (hasMore) await requestDelivery(context, id);
  return events;
}

/** The event of the delivery itself, in the form of those of the feed. */
function readDelivery(context: IWebhookFunctions, headers: IDataObject): Change {
  const { event, payload, sentAt } = context.getBodyData();
  return { id: String(headers["webhook-id"]), event: String(event), payload: payload as IDataObject, at: String(sentAt) };
}

const toItems = (events: readonly object[]): INodeExecutionData[] => events.map((event) => ({ json: event as IDataObject }));
