import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { signStandard } from "#net/signature.ts";
import { type Receiver, openReceiver, until } from "../../e2e/support/servers.ts";
import { type Seen, type TinyServer, serve } from "../../sdk/server.ts";
import { SERVER, eventsTo, flowWith } from "../support/flows.ts";
import { type NodeRed, startNodeRed } from "../support/node-red.ts";

const EVENT_IN = "00000000000000e0";
/** Below `httpNodeRoot` of the tests. */
const PATH = `/red/tessera/${EVENT_IN}`;
/** The server of this test calls no address, so the test sends its events. */
const PUBLIC_URL = "https://nodes.example";

type Webhook = { readonly id: string; readonly url: string; readonly boardId: string | null; status: string; pausedReason: string | null };

let webhooks: Webhook[] = [];
let secret = "";
let calls: string[] = [];

const newSecret = (): string => (secret = `whsec_${randomBytes(32).toString("base64")}`);

/** The calls about subscriptions as the interface describes them, with one key. */
function answer({ method, url, body }: Seen): { readonly status?: number; readonly body: object } {
  if (url === "/api/me") return { body: { webhooks: true } };
  if (url.startsWith("/api/changes")) return { body: { changes: [], nextCursor: "c_1", hasMore: false } };
  const [, id, action] = /^\/api\/webhooks(?:\/(\w+))?(?:\/(\w+))?$/.exec(url) ?? [];
  calls.push([method, action].filter(Boolean).join(" "));
  const found = webhooks.find((webhook) => webhook.id === id);
  if (method === "GET") return { body: { webhooks } };
  if (method === "POST" && id === undefined) {
    const { url: target, board_id: boardId = null } = body as { url: string; board_id?: string };
    const webhook = { id: `whk_${calls.length}`, url: target, boardId, status: "active", pausedReason: null };
    webhooks.push(webhook);
    return { body: { webhook, secret: newSecret() } };
  }
  if (found === undefined) return { status: 404, body: { error: "Webhook not found." } };
  if (method === "DELETE") webhooks = webhooks.filter((webhook) => webhook !== found);
  if (method === "PATCH") Object.assign(found, body);
  return { body: action === "rotate" ? { webhook: found, secret: newSecret() } : { webhook: found } };
}

let receiver: Receiver;
let server: TinyServer;
let nodeRed: NodeRed;

beforeAll(async () => {
  receiver = await openReceiver();
  server = await serve(answer);
  nodeRed = await startNodeRed();
});
afterAll(async () => {
  await nodeRed?.stop();
  await server?.[Symbol.asyncDispose]();
  await receiver?.close();
});
beforeEach(async () => {
  await nodeRed.deploy([]);
  webhooks = [];
  calls = [];
});

const deploy = (node: object = {}): Promise<void> =>
  nodeRed.deploy(flowWith(server.url, ...eventsTo(receiver.url, EVENT_IN, { publicUrl: `${PUBLIC_URL}/`, board: "brd_1", ...node })), {
    [SERVER]: { apiKey: "tsr_key" },
  });

/** Sends an event as the server does, and returns the status of the response. */
async function send(id: string, { by = secret, at = Date.now(), path = PATH } = {}): Promise<number> {
  const body = JSON.stringify({ event: "tile.ready", payload: { tileId: id, title: "Häfen" }, sentAt: new Date(at).toISOString() });
  const timestamp = Math.floor(at / 1_000);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signStandard(id, timestamp, body, by),
  };
  return (await fetch(nodeRed.url + path, { method: "POST", body, headers })).status;
}

const untilReceiving = (id: string) => until("the receiver", async () => (await send(id)) === 204);

test("a node with a public URL subscribes, and begins a flow with each verified event once", async () => {
  await deploy({ events: ["tile.ready"], includeTile: true });
  await untilReceiving("evt_1");
  expect(webhooks).toMatchObject([{ url: `${PUBLIC_URL}${PATH}`, boardId: "brd_1" }]);
  expect(server.seen.find(({ method, url }) => method === "POST" && url === "/api/webhooks")?.body).toEqual({
    url: `${PUBLIC_URL}${PATH}`,
    description: `Node-RED: ${EVENT_IN}`,
    events: ["tile.ready"],
    board_id: "brd_1",
    include_tile: true,
  });
  expect(await send("evt_1")).toBe(204);
  expect(await send("evt_2", { by: `whsec_${randomBytes(32).toString("base64")}` })).toBe(401);
  expect(await send("evt_2", { at: Date.now() - 400_000 })).toBe(401);
  expect(await send("evt_2", { path: "/red/tessera/unknown" })).toBe(404);
  expect(await send("evt_3")).toBe(204);
  await until("the last event", () => receiver.of("evt_3").length > 0);
  expect([receiver.of("evt_1").length, receiver.of("evt_2").length]).toEqual([1, 0]);
  expect(JSON.parse(receiver.of("evt_1")[0]!.body.toString())).toMatchObject({
    topic: "tile.ready",
    payload: { title: "Häfen" },
    eventId: "evt_1",
  });
});

test("the subscription outlives a restart and a deployment, with a new secret", async () => {
  await deploy();
  await untilReceiving("evt_4");
  const before = secret;
  await nodeRed.restart("SIGTERM");
  await until("the new secret", () => secret !== before);
  await untilReceiving("evt_5");
  expect(await send("evt_6", { by: before })).toBe(401);
  webhooks[0]!.status = "paused";
  await deploy();
  await until("the resumption", () => webhooks[0]?.status === "active");
  expect(calls.filter((call) => call === "POST" || call === "DELETE")).toEqual(["POST"]);
});

test("another board replaces the subscription, and removing the node or its public URL removes it", async () => {
  await deploy();
  await until("the subscription", () => webhooks.length === 1);
  await deploy({ board: "" });
  await until("the replacement", () => webhooks[0]?.boardId === null);
  expect(webhooks).toHaveLength(1);
  await deploy({ publicUrl: "" });
  await until("the removal", () => webhooks.length === 0);
  await deploy();
  await until("the new subscription", () => webhooks.length === 1);
  await nodeRed.deploy(flowWith(server.url), { [SERVER]: { apiKey: "tsr_key" } });
  await until("the removal", () => webhooks.length === 0);
  expect(await send("evt_7")).toBe(404);
});
