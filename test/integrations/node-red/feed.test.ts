import { afterAll, beforeAll, expect, test } from "vitest";
import { type Receiver, openReceiver, until } from "../../e2e/support/servers.ts";
import { type TestService, startTestService } from "../../support/service.ts";
import { SERVER, eventsTo, flowWith } from "../support/flows.ts";
import { type NodeRed, startNodeRed } from "../support/node-red.ts";

const EVENT_IN = "00000000000000e0";
let receiver: Receiver;
let service: TestService;
let nodeRed: NodeRed;

beforeAll(async () => {
  receiver = await openReceiver();
  service = await startTestService();
  nodeRed = await startNodeRed();
});
afterAll(async () => {
  await nodeRed?.stop();
  await service?.stop();
  await receiver?.close();
});

const deploy = (node: object = {}, baseUrl = service.url): Promise<void> =>
  nodeRed.deploy(flowWith(baseUrl, ...eventsTo(receiver.url, EVENT_IN, { ...node })), { [SERVER]: { apiKey: service.key } });
const createTile = async (title: string) =>
  (await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { title, content: `About ${title}.` } })).json.tile;

const messages = () => receiver.received.map(({ body }) => JSON.parse(body.toString()));
const titles = () => messages().map(({ payload }) => payload.title);

/** Creates tiles until one arrives: the node begins with what happens after its first call. */
async function untilFollowing(): Promise<void> {
  await until("the first event", async () => {
    if (receiver.received.length > 0) return true;
    await createTile("First");
    return false;
  });
}

test("events begin a flow, in order, with their tile, and those of a pause follow after it", async () => {
  await deploy({ includeTile: true, board: service.boardId });
  await untilFollowing();
  for (const title of ["One", "Two", "Three"]) await createTile(title);
  await until("three events", () => titles().includes("Three"));
  expect(titles().filter((title) => title !== "First")).toEqual(["One", "Two", "Three"]);
  const [found] = messages().filter(({ payload }) => payload.title === "Two");
  expect(found).toMatchObject({
    topic: "tile.created",
    payload: { boardId: service.boardId, tile: { title: "Two", extractedText: "About Two." } },
    eventId: expect.stringMatching(/^evt_/),
    at: expect.stringMatching(/^\d{4}-/),
  });
  expect(found.payload.tile).toMatchObject({ id: found.payload.tileId });

  await nodeRed.restart("SIGTERM", () => createTile("While it was down"));
  await until("the missed event", () => titles().includes("While it was down"));
  await createTile("Last");
  await until("the last event", () => titles().includes("Last"));
  const ids = messages().map(({ eventId }) => eventId);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a process that is killed loses no event", async () => {
  await nodeRed.restart("SIGKILL", () => createTile("After a kill"));
  await until("the missed event", () => titles().includes("After a kill"));
});

test("a node that follows other events goes on where it was, and a removed one begins anew", async () => {
  await deploy({ events: ["tile.deleted"] });
  const tile = await createTile("Deleted");
  await service.call("DELETE", `/api/board/tiles/${tile.id}`);
  await until("the deletion", () => messages().some(({ topic }) => topic === "tile.deleted"));
  expect(titles().filter((title) => title === "Deleted")).toEqual(["Deleted"]);
  await nodeRed.deploy(flowWith(service.url), { [SERVER]: { apiKey: service.key } });
  await createTile("Unseen");
  await until("the change", async () => (await service.call("GET", "/api/changes?limit=500")).text.includes("Unseen"));
  await deploy();
  const count = receiver.received.length;
  await until("an event", async () => {
    await createTile("Seen");
    return receiver.received.length > count;
  });
  expect(titles()).not.toContain("Unseen");
});

test("an error is at the node and in the log once, and the node goes on when it is corrected", async () => {
  const { key, id } = await service.newKey();
  await nodeRed.deploy(flowWith(service.url, ...eventsTo(receiver.url, EVENT_IN, { events: ["tile.created"] })), {
    [SERVER]: { apiKey: key },
  });
  await service.appContext.deps.store.apiKeys.revoke(service.businessId, id, "operator", Date.now());
  await until("the error", () => nodeRed.log().includes("Invalid API key."));
  await createTile("With a wrong key");
  await deploy();
  await until("the event", () => titles().includes("With a wrong key"));
  await deploy({ events: [] });
  await until("the sentence", () => nodeRed.log().includes("Choose at least one event in the dialog."));
});
