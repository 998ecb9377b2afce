import { afterAll, beforeAll, expect, test } from "vitest";
import { type Receiver, openReceiver, until } from "../../e2e/support/servers.ts";
import { isSignedAsSpecified, isSignedByStandard } from "../../e2e/support/verify.ts";
import {
  NOT_LOGGED_IN,
  LOG_IN_REQUIRED,
  NO_OWNER,
  type People,
  gatherPeople,
  isStored,
  errorResponse,
  getError,
} from "../../support/people/settings.ts";
import { type TestService, startTestService } from "../../support/service.ts";
import { dumpBusiness } from "../../support/test-data.ts";

const WEBHOOK = "/api/settings/webhook";
const DELIVERIES = `${WEBHOOK}/deliveries`;
const EVENTS = "events must be some of tile.ready, generation.complete, tile.failed, tile.updated, generation.failed.";

let service: TestService;
let people: People;
let receiver: Receiver;
let status = 200;
beforeAll(async () => {
  receiver = await openReceiver((_request, response) => void response.writeHead(status).end(`answered ${status}`));
  service = await startTestService({ WEBHOOK_ALLOW: receiver.host });
  people = await gatherPeople(service);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const ask = (method: string, path: string, body?: unknown) => people.owner.call(method, path, body === undefined ? {} : { body });
const set = async (more: object = {}) => (await ask("POST", WEBHOOK, { url: `${receiver.url}/hook`, ...more })).json;
const waitForDelivery = (id: string) =>
  until("the delivery's end", async () => {
    const { delivery } = (await ask("GET", `${DELIVERIES}/${id}`)).json;
    return ["succeeded", "failed"].includes(delivery.status) && delivery;
  });
const sendTest = async () => (await ask("POST", `${WEBHOOK}/test`)).json.delivery.id;
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
  status = 500;
  const first = await waitForDelivery(await sendTest());
  status = 200;
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

test.each([
  [{}, "url is required."],
  [{ url: " " }, "url is required."],
  [{ url: 7 }, "url must be a string."],
  [{ url: "ftp://example.com/" }, "url must be an http or https address."],
  [{ url: "javascript:alert(1)" }, "url must be an http or https address."],
  [{ url: "https://a:b@example.com/" }, "url must not carry credentials."],
  [{ url: `https://example.com/${"x".repeat(2_100)}` }, "url is too long."],
  [{ url: "http://10.0.0.1/" }, "url points inside the network. A receiver on your own network needs its host:port in WEBHOOK_ALLOW."],
  [{ url: "https://example.com/", events: "tile.ready" }, "events must be an array."],
  [{ url: "https://example.com/", events: ["tile.gone"] }, EVENTS],
  [{ url: "https://example.com/", events: [null] }, EVENTS],
  [{ url: "https://example.com/", events: [{ a: 1 }] }, EVENTS],
  [{ url: "https://example.com/", events: ["test"] }, EVENTS],
  [
    { url: "https://example.com/", events: Array.from({ length: 21 }, () => "tile.ready") },
    "events has too many items. The maximum is 20.",
  ],
])("a webhook with %j is rejected per field, and the current one stays", async (body, message) => {
  const { webhook } = await set();
  expect(getError(await ask("POST", WEBHOOK, body))).toEqual(errorResponse(400, message));
  if ("url" in body && body.url !== " ") expect(getError(await ask("PATCH", WEBHOOK, body))).toEqual(errorResponse(400, message));
  expect((await ask("GET", WEBHOOK)).json.webhook).toEqual(webhook);
});

test("a blank address, an invalid overlap and an invalid cursor are reported, and 404 comes before the body is read", async () => {
  await set();
  expect(getError(await ask("PATCH", WEBHOOK, { url: "" }))).toEqual(errorResponse(400, "url must not be blank."));
  for (const overlap of [-1, 721, 1.5, "long"])
    expect(getError(await ask("POST", `${WEBHOOK}/rotate`, { overlap_hours: overlap }))).toEqual(
      errorResponse(400, "overlap_hours must be a whole number from 0 to 720."),
    );
  const theirs = (await people.owner.call("GET", "/api/settings/audit?limit=1")).json.nextCursor;
  for (const cursor of ["x", theirs])
    expect(getError(await ask("GET", `${DELIVERIES}?cursor=${cursor}`))).toEqual(errorResponse(400, "cursor is not valid."));
  expect(getError(await ask("GET", `${DELIVERIES}?limit=0`))).toEqual(errorResponse(400, "limit must be a whole number from 1 to 500."));
  for (const [method, path] of [
    ["GET", `${DELIVERIES}/dlv_unknown`],
    ["POST", `${DELIVERIES}/dlv_unknown/redeliver`],
  ] as const)
    expect(getError(await ask(method, path))).toEqual(errorResponse(404, "Delivery not found."));
  await ask("DELETE", WEBHOOK);
  const missing = errorResponse(404, "Webhook not found.");
  expect(getError(await ask("PATCH", WEBHOOK, "{ not json"))).toEqual(missing);
  expect(getError(await ask("POST", `${WEBHOOK}/rotate`, "{ not json"))).toEqual(missing);
  expect(getError(await ask("POST", `${WEBHOOK}/test`))).toEqual(missing);
});

test("nobody but owners of the business can manage its webhook, or change anything", async () => {
  await set();
  const id = await sendTest();
  await waitForDelivery(id);
  const before = await dumpBusiness(service, service.businessId);
  const body = { url: `${receiver.url}/mine`, events: [], overlap_hours: 0 };
  const calls = [
    ["GET", WEBHOOK, {}],
    ["POST", WEBHOOK, { body }],
    ["PATCH", WEBHOOK, { body }],
    ["DELETE", WEBHOOK, {}],
    ["POST", `${WEBHOOK}/rotate`, { body }],
    ["POST", `${WEBHOOK}/test`, {}],
    ["GET", DELIVERIES, {}],
    ["GET", `${DELIVERIES}/${id}`, {}],
    ["POST", `${DELIVERIES}/${id}/redeliver`, {}],
  ] as const;
  for (const [method, path, options] of calls) {
    for (const person of [people.admin, people.member]) expect(getError(await person.call(method, path, options))).toEqual(NO_OWNER);
    expect(getError(await service.call(method, path, options))).toEqual(LOG_IN_REQUIRED);
    expect(getError(await service.call(method, path, { ...options, key: null }))).toEqual(NOT_LOGGED_IN);
  }
  for (const [method, path] of calls.slice(-2))
    expect(getError(await people.stranger.call(method, path))).toEqual(errorResponse(404, "Delivery not found."));
  expect((await people.stranger.call("GET", WEBHOOK)).json).toEqual({ webhook: null });
  expect((await people.stranger.call("GET", DELIVERIES)).json).toEqual({ deliveries: [], nextCursor: null });
  expect(await dumpBusiness(service, service.businessId)).toBe(before);
});
