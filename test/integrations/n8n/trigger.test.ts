import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { signStandard } from "#net/signature.ts";
import { until } from "../../e2e/support/servers.ts";
import { useN8n } from "./support/host.ts";
import { useTrigger } from "./support/trigger.ts";

const host = useN8n();
const events = ["tile.created", "tile.deleted"];
const trigger = useTrigger(host, { events });

test("the trigger subscribes itself when the workflow is activated, and unsubscribes itself", async () => {
  const { n8n, service, activate, listWebhooks } = trigger;
  const board = { __rl: true, mode: "id", value: service.boardId };
  const { zone } = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Notes" } })).json;
  await activate({ parameters: { events, board, filters: { tags: "a, b", zones: [zone.id], types: "WEBSITE" } } });
  const filter = { boardId: service.boardId, tags: ["a", "b"], zoneIds: [zone.id], types: ["WEBSITE"] };
  expect(await listWebhooks()).toMatchObject([{ url: n8n.url, events, ...filter, description: "n8n: Test", status: "active" }]);
  await n8n.deactivate();
  expect(await listWebhooks()).toEqual([]);
  expect(n8n.executions).toEqual([]);
});

test("each event after the first activation starts the workflow once, in order", async () => {
  const { n8n, service, activate, createTile, listEvents, untilEvents } = trigger;
  await createTile("Before");
  await activate();
  const id = await createTile("Harbour");
  await service.call("DELETE", `/api/board/tiles/${id}`);
  const tiles = Array.from({ length: 40 }, (_, n) => ({ board_id: service.boardId, title: `Tile ${n}`, content: `Text ${n}.` }));
  await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles } });
  await untilEvents(42);
  await until("all deliveries", async () => n8n.statuses.length >= 43);
  expect(listEvents()).toEqual(["tile.created Harbour", "tile.deleted Harbour", ...tiles.map(({ title }) => `tile.created ${title}`)]);
  expect(new Set(n8n.statuses)).toEqual(new Set([200]));
  const [change] = (await service.call("GET", "/api/changes")).json.changes.filter(({ payload }: any) => payload.tileId === id);
  expect(n8n.executions.flat()[0]).toEqual(change);
});

test("a forged, changed or old delivery is 401 and starts nothing", async () => {
  const { n8n, activate, createTile } = trigger;
  await activate();
  await createTile("One");
  await trigger.untilEvents(1);
  const { secret } = n8n.stored["node:TesseraTrigger"].subscriptions[n8n.url];
  const body = '{"event":"tile.created","payload":{"title":"Grüße"},"sentAt":"2026-11-28T00:00:00.000Z"}';
  const now = Math.floor(Date.now() / 1_000);
  const post = async (by: string | undefined, timestamp = now, sent = body) => {
    const headers = { "webhook-id": "dlv_1", "webhook-timestamp": String(timestamp), "webhook-signature": `v1,AAAA ${by}` };
    const response = await fetch(n8n.url, { method: "POST", body: sent, ...(by === undefined ? {} : { headers }) });
    return [response.status, await response.text()];
  };
  const refused = [401, '{"error":"The signature does not match."}'];
  expect(await post(undefined)).toEqual(refused);
  expect(await post(signStandard("dlv_1", now, body, `whsec_${randomBytes(24).toString("base64")}`))).toEqual(refused);
  expect(await post(signStandard("dlv_1", now, body, secret), now, body.replace("ü", "u"))).toEqual(refused);
  for (const time of [now - 400, now + 400]) expect(await post(signStandard("dlv_1", time, body, secret), time)).toEqual(refused);
  expect(await post(signStandard("dlv_1", now, body, secret))).toEqual([200, ""]);
  expect(trigger.listEvents()).toEqual(["tile.created One"]);
});

test("filters of tiles hold, and the tile as it is now comes with the event if it is asked for", async () => {
  const { n8n, service, activate, createTile, untilEvents } = trigger;
  const zoneId = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Notes" } })).json.zone.id;
  const filters = { zones: [zoneId], types: "TEXT", tags: "STRASSE, cafe\u0301" };
  await activate({ parameters: { events, filters, options: { includeTile: true } } });
  await createTile("Outside");
  await createTile("Untagged", { zone_id: zoneId });
  const id = await createTile("Inside", { zone_id: zoneId, tags: ["Straße", "CAFÉ"] });
  await untilEvents(1);
  await service.call("DELETE", `/api/board/tiles/${id}`);
  await untilEvents(2);
  expect(n8n.executions.flat()).toMatchObject([
    { event: "tile.created", payload: { title: "Inside", zoneId }, tile: { title: "Inside", extractedText: "About Inside." } },
    { event: "tile.deleted", payload: { title: "Inside" }, tile: null },
  ]);
});

test("a test in the editor gets the delivery itself, and leaves the position of the active workflow alone", async () => {
  const { n8n, service, key, activate, createTile, listWebhooks } = trigger;
  await activate();
  const { cursor } = n8n.stored["node:TesseraTrigger"];
  await n8n.activate({ mode: "manual", parameters: { events: ["tile.deleted"] } });
  const [{ id }] = await listWebhooks();
  await service.call("POST", `/api/webhooks/${id}/test`, { key });
  await until("the sample", async () => n8n.executions.length > 0);
  expect(n8n.executions).toEqual([
    [{ id: expect.stringMatching(/^dlv_/), event: "tile.deleted", payload: expect.any(Object), at: expect.any(String) }],
  ]);
  await createTile("Not wanted");
  expect(n8n.stored["node:TesseraTrigger"].cursor).toBe(cursor);
});

test("a key that may not manage webhooks fails the activation, and the message says so", async () => {
  const { n8n, service } = trigger;
  const { key } = await service.newKey({ permission: "read" });
  await expect(n8n.activate({ baseUrl: service.url, apiKey: key })).rejects.toMatchObject({
    name: "NodeApiError",
    httpCode: "403",
    message: expect.stringContaining("permission"),
  });
});
