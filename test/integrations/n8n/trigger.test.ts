import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../../e2e/support/servers.ts";
import { useN8n } from "./support/host.ts";
import { type Instance, startInstance } from "./support/instance.ts";
import { WIRE_KEY, WireServer } from "./support/wire-server.ts";

const host = useN8n();
let server: WireServer;
let n8n: Instance;

const EVENTS = ["tile.ready", "tile.deleted"];
beforeEach(async () => {
  server = await new WireServer().start();
  n8n = await startInstance(host, { baseUrl: server.url, apiKey: WIRE_KEY, parameters: { events: EVENTS } });
});
afterEach(async () => {
  await n8n?.stop();
  await server?.stop();
});

const only = () => [...server.webhooks.values()][0]!;
const listIds = () => n8n.executions.flat().map(({ id }) => id);
/** Waits until the workflow has begun with this many events. */
const untilEvents = (count: number) => until(`${count} events`, async () => listIds().length >= count);
/** Activates the workflow, and waits for the delivery that the node asks for. */
async function activate(change: object = {}): Promise<void> {
  const before = n8n.statuses.length;
  await n8n.activate(change);
  await until("the first delivery", async () => n8n.statuses.length > before);
}

test("the trigger subscribes itself when the workflow is activated, and unsubscribes itself", async () => {
  await activate({
    parameters: {
      events: EVENTS,
      board: { __rl: true, mode: "id", value: "brd_1" },
      filters: { tags: "a, b", zones: ["zon_1"], types: "WEBSITE" },
    },
  });
  expect(only()).toMatchObject({
    url: n8n.url,
    events: EVENTS,
    board_id: "brd_1",
    tags: ["a", "b"],
    zone_ids: ["zon_1"],
    types: ["WEBSITE"],
    description: "n8n: Test",
  });
  await n8n.deactivate();
  expect(server.webhooks.size).toBe(0);
  expect(n8n.executions).toEqual([]);
});

test("each event starts the workflow once, with its id, payload and time", async () => {
  await activate();
  await server.emit("tile.ready", { title: "Harbour" });
  await server.emit("tile.failed");
  await server.emit("tile.deleted");
  await untilEvents(2);
  expect(listIds()).toEqual(["evt_1", "evt_3"]);
  expect(n8n.executions[0]![0]).toEqual({
    id: "evt_1",
    event: "tile.ready",
    payload: expect.objectContaining({ tileId: "til_1", title: "Harbour" }),
    at: expect.any(String),
  });
});

test("deliveries at the same time start the workflow once for each event, in order", async () => {
  await activate();
  await Promise.all(Array.from({ length: 40 }, () => server.emit("tile.ready")));
  expect(listIds()).toEqual(Array.from({ length: 40 }, (_, n) => `evt_${n + 1}`));
  await server.deliver(only(), "tile.ready");
  expect(listIds()).toHaveLength(40);
});

test("a forged, changed or old delivery is 401 and starts nothing", async () => {
  await activate();
  const stranger = `whsec_${randomBytes(24).toString("base64")}`;
  expect(await server.deliver(only(), "tile.ready", { secret: stranger })).toBe(401);
  const old = Math.floor(Date.now() / 1_000) - 400;
  expect(await server.deliver(only(), "tile.ready", { timestamp: old })).toBe(401);
  const bare = await fetch(n8n.url, { method: "POST", body: "{}" });
  expect([bare.status, await bare.text()]).toEqual([401, '{"error":"The signature does not match."}']);
  expect(await server.deliver(only(), "tile.ready", { body: '{"event":"tile.ready","payload":{"title":"Grüße"}}' })).toBe(200);
  expect(n8n.executions).toEqual([]);
});

test("what happened while n8n was away starts the workflow when n8n is back", async () => {
  await activate();
  await server.emit("tile.ready");
  await n8n.stop();
  for (let n = 0; n < 3; n++) await server.emit("tile.ready");
  only().status = "paused";
  await n8n.start();
  await n8n.activate();
  await untilEvents(4);
  expect(listIds()).toEqual(["evt_1", "evt_2", "evt_3", "evt_4"]);
  expect([server.webhooks.size, only().status]).toEqual([1, "active"]);
});

test("what happened while the workflow was inactive starts it when it is active again, unless it is told to skip that", async () => {
  await activate();
  await n8n.deactivate();
  await server.emit("tile.ready");
  await n8n.activate();
  await untilEvents(1);
  await n8n.deactivate();
  await server.emit("tile.ready");
  await activate({ parameters: { events: EVENTS, options: { skipMissed: true } } });
  await server.emit("tile.ready");
  await untilEvents(2);
  expect(listIds()).toEqual(["evt_1", "evt_3"]);
});

test("many missed events come in several executions", async () => {
  await activate();
  await n8n.stop();
  for (let n = 0; n < 250; n++) await server.emit(n === 120 ? "tile.failed" : "tile.ready");
  await n8n.start();
  await n8n.activate();
  await untilEvents(249);
  expect(listIds()).toEqual(Array.from({ length: 250 }, (_, n) => `evt_${n + 1}`).filter((id) => id !== "evt_121"));
  expect(Math.max(...n8n.executions.map((items) => items.length))).toBeLessThanOrEqual(100);
});

test("the first activation begins with later events", async () => {
  await server.emit("tile.ready");
  await activate();
  await server.emit("tile.ready");
  await untilEvents(1);
  expect(listIds()).toEqual(["evt_2"]);
});

test("filters of tiles hold for what is read from the feed", async () => {
  await activate({
    parameters: { events: ["tile.ready", "generation.complete"], filters: { tags: "Harbour", types: "WEBSITE", zones: ["zon_1"] } },
  });
  await server.emit("tile.ready", { type: "WEBSITE", zoneId: "zon_1", tags: ["harbour", "x"] });
  for (const more of [{ type: "PDF" }, { zoneId: "zon_2" }, { tags: ["x"] }])
    await server.emit("tile.ready", { type: "WEBSITE", zoneId: "zon_1", tags: ["harbour"], ...more });
  await server.emit("generation.complete", { tileId: undefined });
  await untilEvents(2);
  expect(listIds()).toEqual(["evt_1", "evt_5"]);
});

test("the tile as it is now comes with the event, if it is asked for", async () => {
  server.tiles.set("til_1", { id: "til_1", extractedText: "Low tide at noon." });
  await activate({ parameters: { events: EVENTS, options: { includeTile: true } } });
  await server.emit("tile.ready");
  server.tiles.clear();
  await server.emit("tile.deleted");
  await untilEvents(2);
  expect(n8n.executions.flat().map(({ tile }) => tile)).toEqual([{ id: "til_1", extractedText: "Low tide at noon." }, null]);
});

test("an expired cursor is logged, and later events come", async () => {
  await activate();
  server.expire();
  await server.emit("tile.ready");
  expect(n8n.warnings).toEqual([expect.stringContaining("events were lost")]);
  await server.emit("tile.ready");
  await untilEvents(1);
  expect(listIds()).toEqual(["evt_2"]);
});

test("a subscription whose secret is lost is replaced, and one that was removed is made again", async () => {
  await activate();
  n8n.stored = {};
  await activate();
  expect(server.webhooks.size).toBe(1);
  server.webhooks.clear();
  await activate();
  expect(server.webhooks.size).toBe(1);
  server.webhooks.clear();
  await n8n.deactivate();
  expect(server.calls.filter((call) => call.startsWith("DELETE"))).toHaveLength(2);
});

test("other fields make another subscription", async () => {
  await activate();
  const { id } = only();
  await activate({ parameters: { events: ["tile.ready"] } });
  expect([server.webhooks.size, only().events, only().id === id]).toEqual([1, ["tile.ready"], false]);
});

test("a test in the editor gets the delivery itself, and leaves the active workflow's state alone", async () => {
  await activate();
  const { cursor } = n8n.stored["node:TesseraTrigger"];
  await n8n.activate({ mode: "manual", parameters: { events: ["tile.deleted"] } });
  await server.deliver(only(), "tile.deleted");
  expect(n8n.executions).toEqual([
    [{ id: expect.stringMatching(/^dlv_/), event: "tile.deleted", payload: { title: "A sample – Häfen" }, at: expect.any(String) }],
  ]);
  expect(n8n.stored["node:TesseraTrigger"].cursor).toBe(cursor);
});

test("a key that may not subscribe fails the activation with the server's message", async () => {
  await expect(n8n.activate({ apiKey: "tsr_other" })).rejects.toMatchObject({
    name: "NodeApiError",
    httpCode: "403",
    message: "This key does not have permission for that.",
  });
});

test("a delivery fails while the feed cannot be read, so that the server sends it again", async () => {
  await activate();
  const webhook = only();
  await server.stop();
  expect(await server.deliver(webhook, "tile.ready")).toBe(500);
  server = await new WireServer().start();
});
