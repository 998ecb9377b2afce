import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signStandard } from "#net/signature.ts";
import { type Received, type Receiver, openReceiver, until } from "../e2e/support/servers.ts";
import { type TestService, startTestService } from "../support/service.ts";
import { type ZapierApp, startZapierApp } from "./support/zapier.ts";

const require = createRequire(import.meta.url);
const { EVENT_TRIGGERS } = require("../../integrations/zapier/triggers/events.js");
const { addTiles } = require("../../integrations/zapier/triggers/samples.js");

let service: TestService;
let receiver: Receiver;
let app: ZapierApp;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await startTestService({ WEBHOOK_ALLOW: receiver.host });
  app = await startZapierApp();
});
afterAll(async () => {
  app?.stop();
  await service?.stop();
  await receiver?.close();
});

const authData = () => ({ serverUrl: `${service.url}/`, apiKey: service.key });
const run = (path: string, inputData: object = {}, more: object = {}) => app.run(path, { authData: authData(), inputData, ...more });
const perform = (path: string, inputData: object = {}) => run(`${path}.operation.perform`, inputData);

test("the definition passes Zapier's validation", async () => {
  expect(await app.run("validate")).toEqual([]);
});

test("the connection is tested with the key, and a wrong key is the server's sentence", async () => {
  expect(await run("authentication.test")).toMatchObject({ permission: "write", business: {}, key: {} });
  await expect(app.run("authentication.test", { authData: { ...authData(), apiKey: "tsr_wrong" } })).rejects.toThrow("Invalid API key.");
});

test("tiles are created, found, asked about and written about", async () => {
  const board_id = service.boardId;
  const tile = await perform("creates.create_tile", {
    board_id,
    title: "Ferry",
    content: "The ferry leaves at seven.",
    url: "",
    external_id: "z-1",
  });
  expect(tile).toMatchObject({ type: "TEXT", status: "ready", created: true });
  expect(
    await perform("creates.create_tile", { board_id, title: "Ferry", content: "The ferry leaves at eight.", external_id: "z-1" }),
  ).toMatchObject({ id: tile.id, created: false });
  expect(await perform("searches.search_tiles", { board_id, q: "ferry" })).toMatchObject([{ id: tile.id, title: "Ferry" }]);
  expect(await perform("creates.ask", { board_id, question: "When does the ferry leave?" })).toMatchObject({ answered: true });
  expect(await perform("creates.generate", { board_id, asset_type: "post", prompt: "ferry", zone_id: "" })).toMatchObject({
    assetType: "post",
  });
  await expect(perform("creates.create_tile", { board_id })).rejects.toThrow("Either content or url must be provided.");
});

test("dropdowns list boards, and the zones of the chosen board", async () => {
  const { zone } = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Inbox" } })).json;
  expect(await perform("triggers.board")).toContainEqual({ id: service.boardId, name: expect.any(String) });
  expect(await perform("triggers.zone", { board_id: service.boardId })).toContainEqual({ id: zone.id, name: "Inbox" });
  expect(await perform("triggers.zone")).toEqual([]);
});

const expectSameFields = (item: any, sample: any): void => {
  expect(Object.keys(item).toSorted()).toEqual(Object.keys(sample).toSorted());
  expect(Object.keys(item.tile).toSorted()).toEqual(Object.keys(sample.tile).toSorted());
};

const TRIGGER = "triggers.tile_created.operation";
const createTile = (title: string) =>
  service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { title, content: `About ${title}.` } });
/** What Zapier passes on when a request comes in: it writes a prefix before the names of headers. */
const toBundle = ({ headers, body }: Received, secret: string) => ({
  subscribeData: { id: "sub_1", secret },
  cleanedRequest: JSON.parse(body.toString()),
  rawRequest: {
    content: body.toString(),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`Http-${name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())}`, value]),
    ),
  },
});

test("a trigger subscribes, passes genuine events on, and unsubscribes", async () => {
  const { key } = await service.newKey({ webhooks: true });
  const listWebhooks = async () => (await service.call("GET", "/api/webhooks", { key })).json.webhooks;
  const bundle = {
    authData: { ...authData(), apiKey: key },
    inputData: { board_id: service.boardId },
    targetUrl: `${receiver.url}/hooks/1`,
  };
  const subscribeData = await app.run(`${TRIGGER}.performSubscribe`, bundle);
  expect(await listWebhooks()).toMatchObject([
    { id: subscribeData.id, events: ["tile.created"], boardId: service.boardId, includeTile: true, description: "Zapier: New Tile" },
  ]);
  await createTile("Hafen");
  const request = await until("the event", () => receiver.received[0]);
  const [item] = await app.run(`${TRIGGER}.perform`, toBundle(request, subscribeData.secret));
  const tile = expect.objectContaining({ extractedText: "About Hafen." });
  expect(item).toMatchObject({ id: request.headers["webhook-id"], event: "tile.created", title: "Hafen", tile });
  const { sample } = EVENT_TRIGGERS.find(({ key: name }: { key: string }) => name === "tile_created").operation;
  expectSameFields(item, sample);

  const forged = toBundle(request, `whsec_${randomBytes(32).toString("base64")}`);
  await expect(app.run(`${TRIGGER}.perform`, forged)).rejects.toThrow("The signature of the event does not match.");
  const timestamp = Math.floor(Date.now() / 1_000) - 400;
  const signature = signStandard("msg_1", timestamp, request.body.toString(), subscribeData.secret);
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(timestamp), "webhook-signature": signature };
  const old = toBundle({ ...request, headers }, subscribeData.secret);
  await expect(app.run(`${TRIGGER}.perform`, old)).rejects.toThrow("The event is too old.");

  await app.run(`${TRIGGER}.performUnsubscribe`, { ...bundle, subscribeData });
  expect(await listWebhooks()).toEqual([]);
});

test("samples are listed newest first, each with an id of its own, as events are", async () => {
  const { key } = await service.newKey({ webhooks: true });
  for (const title of ["First", "Second", "Third"]) await createTile(title);
  const bundle = { authData: { ...authData(), apiKey: key }, inputData: {} };
  const samples = await until("the samples", async () => {
    const listed = await app.run(`${TRIGGER}.performList`, bundle);
    return listed[0].title === "Third" && listed;
  });
  expect(samples.map(({ title }: any) => title)).toEqual(["Third", "Second", "First"]);
  expect(new Set(samples.map(({ id }: any) => id)).size).toBe(3);
  expect(samples[0]).toMatchObject({
    event: "tile.created",
    boardId: service.boardId,
    tileId: expect.any(String),
    sentAt: expect.any(String),
  });
  const { sample } = EVENT_TRIGGERS.find(({ key: name }: { key: string }) => name === "tile_created").operation;
  expect(samples.map(({ tile }: any) => tile.extractedText)).toEqual(["About Third.", "About Second.", "About First."]);
  expectSameFields(samples[0], sample);
  // There is none of this event, so the server makes one up.
  expect(await app.run("triggers.generation_complete.operation.performList", bundle)).toMatchObject([{ event: "generation.complete" }]);
  const [failed] = await app.run("triggers.tile_failed.operation.performList", bundle);
  expectSameFields(failed, sample);
  expect(failed.tile).toMatchObject({ id: failed.tileId, title: failed.title, boardId: failed.boardId });
});

test("a sample has the first 100,000 characters of its tile, and that of a deleted tile has an example or null", async () => {
  const { key } = await service.newKey({ webhooks: true });
  const bundle = { authData: { ...authData(), apiKey: key }, inputData: {} };
  const body = { title: "Long", content: `${"🎈".repeat(100_000)}.` };
  const { id } = (await service.call("POST", `/api/board/${service.boardId}/tiles`, { body })).json.tile;
  const listNewest = (trigger: string, title: string) =>
    until("the sample", async () => {
      const [newest] = await app.run(`triggers.${trigger}.operation.performList`, bundle);
      return newest.title === title && newest;
    });
  const { tile } = await listNewest("tile_created", "Long");
  expect([tile.extractedText, tile.rawContent]).toEqual(["🎈".repeat(100_000), "🎈".repeat(100_000)]);
  await service.call("DELETE", `/api/board/tiles/${id}`);
  expect(await listNewest("tile_deleted", "Long")).toMatchObject({ tileId: id, tile: null });
  expect(await listNewest("tile_created", "Long")).toMatchObject({ tile: { id, title: "Long", extractedText: expect.any(String) } });
});

test("a sample has the segments of the text that it has, and no field if there are none", async () => {
  const readSample = async (segments: readonly object[]): Promise<any> => {
    const tile = { id: "til_1", extractedText: "é".repeat(100_001), rawContent: "", segments };
    const z = { request: async () => ({ status: 200, data: { tile } }) };
    const samples = [{ event: "tile.created", payload: { tileId: "til_1" } }];
    return (await addTiles(z, { authData: authData() }, samples))[0].payload.tile;
  };
  const [last, cut] = [
    { start: 99_990, end: 100_000, seconds: 7 },
    { start: 99_990, end: 100_001, seconds: 8 },
  ];
  expect((await readSample([last, cut])).segments).toEqual([last]);
  expect(await readSample([cut])).not.toHaveProperty("segments");
});

test("a key that may not manage webhooks is told when a Zap is turned on", async () => {
  const bundle = { authData: authData(), inputData: {}, targetUrl: `${receiver.url}/hooks/2` };
  await expect(app.run(`${TRIGGER}.performSubscribe`, bundle)).rejects.toThrow(
    "This API key does not have the permission for this operation.",
  );
});
