import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { signStandard } from "#net/signature.ts";
import { type Receiver, openReceiver, until } from "../../e2e/support/servers.ts";
import { type TestService, startTestService } from "../../support/service.ts";
import { SERVER, eventsTo, flowWith } from "../support/flows.ts";
import { type NodeRed, startNodeRed } from "../support/node-red.ts";

const EVENT_IN = "00000000000000e0";
/** Below `httpNodeRoot` of the tests. */
const PATH = `/red/tessera/${EVENT_IN}`;

let receiver: Receiver;
let nodeRed: NodeRed;
let service: TestService;
let key: string;

beforeAll(async () => {
  receiver = await openReceiver();
  nodeRed = await startNodeRed();
  service = await startTestService({ WEBHOOK_ALLOW: new URL(nodeRed.url).host });
  ({ key } = await service.newKey({ webhooks: true }));
});
afterAll(async () => {
  await nodeRed?.stop();
  await service?.stop();
  await receiver?.close();
});
beforeEach(() => nodeRed.deploy([]));

const deploy = (node: object = {}, apiKey = key): Promise<void> =>
  nodeRed.deploy(flowWith(service.url, ...eventsTo(receiver.url, EVENT_IN, { publicUrl: `${nodeRed.url}/`, ...node })), {
    [SERVER]: { apiKey },
  });
const listWebhooks = async () => (await service.call("GET", "/api/webhooks", { key })).json.webhooks;
const createTile = async (title: string) =>
  (await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { title, content: `About ${title}.` } })).json.tile;
const messages = () => receiver.received.map(({ body }) => JSON.parse(body.toString()));
const find = (title: string) => messages().find(({ payload }) => payload.title === title);
const untilSubscribed = () => until("the subscription", async () => (await listWebhooks()).length === 1);

/** The status of the response to an event that somebody else has signed. */
async function forge(path = PATH): Promise<number> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const body = JSON.stringify({ event: "tile.created", payload: { title: "Forged" }, sentAt: new Date().toISOString() });
  const signature = signStandard("evt_1", timestamp, body, `whsec_${randomBytes(32).toString("base64")}`);
  const headers = { "webhook-id": "evt_1", "webhook-timestamp": String(timestamp), "webhook-signature": signature };
  return (await fetch(nodeRed.url + path, { method: "POST", body, headers })).status;
}

test("a node with a public URL subscribes, and begins a flow with verified events", async () => {
  await deploy({ includeTile: true, board: service.boardId });
  await untilSubscribed();
  const settings = { url: `${nodeRed.url}${PATH}`, events: ["tile.created"], boardId: service.boardId, includeTile: true };
  expect(await listWebhooks()).toMatchObject([{ ...settings, description: `Node-RED: ${EVENT_IN}` }]);
  const tile = await createTile("Genuine");
  const found = await until("the event", () => find("Genuine"));
  expect(found).toMatchObject({ topic: "tile.created", payload: { tileId: tile.id, tile: { extractedText: "About Genuine." } } });
  expect([found.eventId, found.at]).toEqual([expect.stringMatching(/^\w+$/), expect.stringMatching(/^\d{4}-/)]);
  expect(await forge()).toBe(401);
  expect(await forge("/red/tessera/unknown")).toBe(404);
  expect(find("Forged")).toBeUndefined();
});

test("the subscription outlives restarts and other choices, and brings the events of a pause", async () => {
  await deploy();
  await untilSubscribed();
  const [{ id }] = await listWebhooks();
  await nodeRed.restart("SIGTERM", () => createTile("While it was down"));
  await until("the missed event", () => find("While it was down"));
  await service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status: "paused" } });
  await deploy({ board: service.boardId, events: ["tile.deleted"] });
  await until("the changed subscription", async () => (await listWebhooks())[0].status === "active");
  expect(await listWebhooks()).toMatchObject([{ id, boardId: service.boardId, events: ["tile.deleted"] }]);
  expect(nodeRed.log()).toContain("The subscription was paused, and is active again.");
});

test("removing the node, or its public URL, removes the subscription", async () => {
  await deploy();
  await untilSubscribed();
  await nodeRed.deploy(flowWith(service.url), { [SERVER]: { apiKey: key } });
  expect(await listWebhooks()).toEqual([]);
  await deploy();
  await untilSubscribed();
  await deploy({ publicUrl: "" });
  await until("the removal", async () => (await listWebhooks()).length === 0);
  await until("an event of the feed", async () => {
    await createTile("By the feed");
    return find("By the feed");
  });
});

test("a key that may not manage webhooks is told in the log, and a node with one that may goes on", async () => {
  await deploy({}, service.key);
  await until("the sentence", () => nodeRed.log().includes("This API key does not have the permission for this operation."));
  await deploy();
  await untilSubscribed();
});
