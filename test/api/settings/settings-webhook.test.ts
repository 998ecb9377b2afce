import { expect, test } from "vitest";
import { isSignedAsSpecified, isSignedByStandard } from "../../e2e/support/verify.ts";
import { isStored, errorResponse, getError } from "../../support/people/settings.ts";
import {
  WEBHOOK,
  DELIVERIES,
  service,
  receiver,
  ask,
  set,
  waitForDelivery,
  sendTest,
  reply,
  useWebhookService,
} from "./support/webhook-service.ts";

useWebhookService();

const received = (id: string) => receiver.received.filter(({ headers }) => headers["webhook-id"] === id);

test("the webhook is set, read and removed; the secret is shown once and stored encrypted", async () => {
  await ask("DELETE", WEBHOOK);
  expect((await ask("GET", WEBHOOK)).json).toEqual({ webhook: null });
  const { webhook, secret } = await set();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(webhook).toMatchObject({ url: `${receiver.url}/hook`, events: ["tile.ready", "generation.complete"], overlapUntil: null });
  await waitForDelivery(await sendTest());
  const shown = await ask("GET", WEBHOOK);
  expect(shown.json).toEqual({ webhook });
  const pages = await Promise.all([ask("GET", DELIVERIES), ask("GET", "/api/settings/audit"), ask("GET", WEBHOOK)]);
  expect(await isStored(service, webhook.id)).toBe(true);
  for (const part of [secret, secret.slice(6), secret.slice(-20)]) {
    for (const { text } of pages) expect(text).not.toContain(part);
    expect(await isStored(service, part)).toBe(false);
  }
  expect((await ask("DELETE", WEBHOOK)).json).toEqual({ ok: true });
  expect(getError(await ask("DELETE", WEBHOOK))).toEqual(errorResponse(404, "Webhook not found."));
});

test("the webhook can change address and events without its secret; setting it again creates a new secret", async () => {
  const { webhook, secret } = await set();
  const changed = (await ask("PATCH", WEBHOOK, { url: `${receiver.url}/moved` })).json.webhook;
  expect(changed).toMatchObject({ id: webhook.id, url: `${receiver.url}/moved`, events: webhook.events });
  const events = ["tile.failed", "tile.ready", "tile.failed"];
  expect((await ask("PATCH", WEBHOOK, { events })).json.webhook.events).toEqual(["tile.ready", "tile.failed"]);
  expect((await ask("PATCH", WEBHOOK, { events: [] })).json.webhook.events).toEqual([]);
  const id = await sendTest();
  await waitForDelivery(id);
  expect(received(id)[0]?.path).toBe("/moved");
  expect(isSignedAsSpecified(received(id)[0]!, secret)).toBe(true);
  expect((await set()).secret).not.toBe(secret);
});

test("the webhook sends a signed test event and stores request and response", async () => {
  const { secret } = await set({ events: [] });
  const id = await sendTest();
  const delivery = await waitForDelivery(id);
  const [request] = received(id);
  expect(JSON.parse(request!.body.toString())).toEqual({
    event: "test",
    payload: { message: expect.any(String) },
    sentAt: delivery.sentAt,
  });
  expect(isSignedAsSpecified(request!, secret)).toBe(true);
  expect(isSignedByStandard(request!, secret)).toBe(true);
  expect(delivery).toMatchObject({
    event: "test",
    status: "succeeded",
    url: `${receiver.url}/hook`,
    responseStatus: 200,
    responseStart: "answered 200",
    error: null,
    body: request!.body.toString(),
  });
  const { "x-service-signature": hex, "webhook-signature": standard, ...open } = delivery.headers;
  expect([hex, standard]).toEqual(["***", "v1,***"]);
  expect(request!.headers).toMatchObject(open);
  expect(request!.headers).toMatchObject({ "x-service-signature": expect.any(String), "webhook-signature": expect.any(String) });
});

test("the webhook logs a rejected event with the response, and redelivers it as a new delivery", async () => {
  await set();
  reply.status = 500;
  const first = await waitForDelivery(await sendTest());
  reply.status = 200;
  expect(first).toMatchObject({ status: "failed", responseStatus: 500, responseStart: "answered 500" });
  expect(first.error).toMatch(/^The receiver answered 500/);
  const again = (await ask("POST", `${DELIVERIES}/${first.id}/redeliver`)).json.delivery.id;
  expect(again).not.toBe(first.id);
  expect(await waitForDelivery(again)).toMatchObject({ status: "succeeded", event: "test" });
  expect(JSON.parse(received(again)[0]!.body.toString()).payload).toEqual(JSON.parse(first.body).payload);
  expect(received(first.id)).toHaveLength(1);
});

test("the webhook rotates its secret; the previous one also signs during the overlap", async () => {
  const { secret: first } = await set();
  const rotated = (await ask("POST", `${WEBHOOK}/rotate`)).json;
  const hours = (Date.parse(rotated.webhook.overlapUntil) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  const id = await sendTest();
  await waitForDelivery(id);
  const [both] = received(id);
  expect([first, rotated.secret].map((secret) => isSignedByStandard(both!, secret))).toEqual([true, true]);
  expect([first, rotated.secret].map((secret) => isSignedAsSpecified(both!, secret))).toEqual([false, true]);
  const { secret: third, webhook } = (await ask("POST", `${WEBHOOK}/rotate`, { overlap_hours: 0 })).json;
  expect(webhook.overlapUntil).toBeNull();
  const last = await sendTest();
  await waitForDelivery(last);
  expect([rotated.secret, third].map((secret) => isSignedByStandard(received(last)[0]!, secret))).toEqual([false, true]);
});

test("the webhook lists its deliveries in pages, newest first", async () => {
  await set();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(await sendTest());
  for (const id of ids) await waitForDelivery(id);
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null && seen.length < 5;) {
    const page: any = (await ask("GET", `${DELIVERIES}?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`)).json;
    seen.push(...page.deliveries.map(({ id }: { id: string }) => id));
    cursor = page.nextCursor;
  }
  expect(seen.slice(0, 5)).toEqual(ids.toReversed());
  for (const field of ["body", "headers", "responseStart"])
    expect((await ask("GET", DELIVERIES)).json.deliveries[0]).not.toHaveProperty(field);
});

test("the webhook records changes in the audit log, but not tests", async () => {
  await set();
  await ask("PATCH", WEBHOOK, { events: [] });
  await ask("POST", `${WEBHOOK}/rotate`, {});
  await waitForDelivery(await sendTest());
  await ask("DELETE", WEBHOOK);
  const { entries } = (await ask("GET", "/api/settings/audit?limit=4")).json;
  expect(entries.map(({ actor, action }: any) => [actor.name, action])).toEqual([
    ["owner@example.com", "webhook.clear"],
    ["owner@example.com", "webhook.rotate"],
    ["owner@example.com", "webhook.update"],
    ["owner@example.com", "webhook.set"],
  ]);
});
