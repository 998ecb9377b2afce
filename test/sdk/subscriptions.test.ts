import { createClient } from "@tessera-board/sdk";
import { expect, test } from "vitest";
import { serve } from "./server.ts";

const webhook = { id: "sub_1", url: "https://hooks.example.com/", events: ["tile.ready"] };
const delivery = { id: "dlv_1", status: "failed" };

test("webhooks are registered and managed by a key", async () => {
  const bodies: Record<string, unknown> = {
    "GET /api/webhooks": { webhooks: [webhook] },
    "POST /api/webhooks": { webhook, secret: "whsec_1" },
    "GET /api/webhooks/sub_1": { webhook },
    "PATCH /api/webhooks/sub_1": { webhook },
    "DELETE /api/webhooks/sub_1": { ok: true },
    "POST /api/webhooks/sub_1/rotate": { webhook, secret: "whsec_2" },
    "POST /api/webhooks/sub_1/test": { delivery: { id: "dlv_1" } },
    "GET /api/webhooks/samples": { samples: [{ event: "tile.ready", payload: {}, sentAt: "" }] },
    "GET /api/webhooks/sub_1/deliveries": { deliveries: [delivery], nextCursor: null },
    "GET /api/webhooks/sub_1/deliveries/dlv_1": { delivery },
    "POST /api/webhooks/sub_1/deliveries/dlv_1/redeliver": { delivery: { id: "dlv_2" } },
    "POST /api/webhooks/sub_1/deliveries/redeliver": { scheduled: 2 },
  };
  await using server = await serve(({ method, url }) => ({ body: bodies[`${method} ${url.split("?")[0]}`] ?? { error: "unexpected" } }));
  const { webhooks } = createClient({ baseUrl: server.url, apiKey: "tsr_key" });
  expect(await webhooks.list()).toEqual([webhook]);
  expect(await webhooks.create({ url: webhook.url, events: ["tile.ready"], zoneIds: ["zon_1"], properties: { orderId: [4711] } })).toEqual({
    webhook,
    secret: "whsec_1",
  });
  expect(await webhooks.get("sub_1")).toEqual(webhook);
  expect(await webhooks.update("sub_1", { status: "paused" })).toEqual(webhook);
  await webhooks.delete("sub_1");
  expect(await webhooks.rotate("sub_1", { overlapHours: 1 })).toEqual({ webhook, secret: "whsec_2" });
  expect(await webhooks.test("sub_1")).toEqual({ id: "dlv_1" });
  expect(await webhooks.samples("tile.ready")).toHaveLength(1);
  const since = new Date(Date.UTC(2026, 0, 1));
  expect(await webhooks.deliveries("sub_1", { status: "failed", since })).toEqual({ deliveries: [delivery], nextCursor: null });
  for await (const one of webhooks.iterateDeliveries("sub_1")) expect(one).toEqual(delivery);
  expect(await webhooks.delivery("sub_1", "dlv_1")).toEqual(delivery);
  expect(await webhooks.redeliver("sub_1", "dlv_1")).toEqual({ id: "dlv_2" });
  expect(await webhooks.redeliverFailed("sub_1", { since, until: "2026-01-02" })).toBe(2);
  const sent = server.seen.map(({ method, url, body }) => `${method} ${url} ${JSON.stringify(body) ?? ""}`.trim());
  expect(sent).toContain(
    'POST /api/webhooks {"url":"https://hooks.example.com/","events":["tile.ready"],"zone_ids":["zon_1"],"properties":{"orderId":[4711]}}',
  );
  expect(sent).toContain("GET /api/webhooks/sub_1/deliveries?status=failed&since=2026-01-01T00%3A00%3A00.000Z");
  expect(sent).toContain('POST /api/webhooks/sub_1/deliveries/redeliver {"since":"2026-01-01T00:00:00.000Z","until":"2026-01-02"}');
});

test("owners manage the webhooks of all keys under another path", async () => {
  await using server = await serve(() => ({ body: { webhooks: [webhook] } }));
  expect(await createClient({ baseUrl: server.url }).settings.webhooks.list()).toEqual([webhook]);
  expect(server.seen[0]).toMatchObject({ method: "GET", url: "/api/settings/webhooks" });
});
