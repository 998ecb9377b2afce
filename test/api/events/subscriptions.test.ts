import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isSignedAsSpecified, isSignedByStandard } from "../../e2e/support/verify.ts";
import { openReceiver, type Receiver, until } from "../../e2e/support/servers.ts";
import { errorResponse, getError, type People, gatherPeople } from "../../support/people/settings.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const NOT_PERMITTED = "This API key does not have the permission for this operation.";
let service: TestService;
let people: People;
let receiver: Receiver;
let key: string;
let keyId: string;
/** How the receiver answers. */
const reply = { status: 200 };

beforeAll(async () => {
  receiver = await openReceiver((_request, response) => void response.writeHead(reply.status).end());
  service = await startTestService({ WEBHOOK_ALLOW: receiver.host });
  people = await gatherPeople(service);
  ({ key, id: keyId } = await service.newKey({ webhooks: true }));
});
beforeEach(async () => {
  reply.status = 200;
  for (const { id } of (await ask("GET", "", undefined, key)).json.webhooks) await ask("DELETE", `/${id}`);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const ask = (method: string, path: string, body?: unknown, by = key) =>
  service.call(method, `/api/webhooks${path}`, { key: by, ...(body === undefined ? {} : { body }) });
const create = async (more: object = {}) =>
  (await ask("POST", "", { url: `${receiver.url}/hook`, events: ["tile.created"], ...more })).json;
const createTile = async (title: string, more: object = {}) =>
  (await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { title, content: `About ${title}.`, ...more } })).json.tile;
const received = (title: string) => receiver.received.filter(({ body }) => JSON.parse(body.toString()).payload.title === title);
const waitFor = (title: string, count = 1) => until(`${title} to arrive`, () => received(title).length >= count && received(title));
const listDeliveries = async (id: string, query = "") => (await ask("GET", `/${id}/deliveries${query}`)).json.deliveries;
const waitForStatus = (id: string, status: string) =>
  until(`a delivery that ${status}`, async () => (await listDeliveries(id)).find((one: any) => one.status === status));

test("a webhook that a key registers gets signed events of every kind of change", async () => {
  const { webhook, secret } = await create({ events: ["tile.created", "tile.deleted"], description: "n8n" });
  expect(secret).toMatch(/^whsec_/);
  expect(webhook).toEqual({
    ...{ id: expect.stringMatching(/^sub_/), url: `${receiver.url}/hook`, events: ["tile.created", "tile.deleted"], boardId: null },
    ...{
      zoneIds: [],
      types: [],
      tags: [],
      properties: {},
      includeTile: false,
      retries: true,
      description: "n8n",
      status: "active",
      pausedReason: null,
    },
    ...{ owner: { kind: "key", id: keyId, name: "test" }, overlapUntil: null, lastDeliveryAt: null, failingSince: null },
    ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
  });
  const tile = await createTile("Signed", { external_id: "s-1" });
  const [request] = await waitFor("Signed");
  expect([isSignedAsSpecified(request!, secret), isSignedByStandard(request!, secret)]).toEqual([true, true]);
  const payload = { tileId: tile.id, boardId: service.boardId, title: "Signed", type: "TEXT", externalId: "s-1" };
  expect(JSON.parse(request!.body.toString())).toEqual({
    event: "tile.created",
    payload: { ...payload, sourceUrl: null, zoneId: null, tags: [] },
    sentAt: expect.any(String),
  });
  await service.call("DELETE", `/api/board/tiles/${tile.id}`);
  const [, deletion] = await waitFor("Signed", 2);
  expect(JSON.parse(deletion!.body.toString()).event).toBe("tile.deleted");
  const { lastDeliveryAt } = (await ask("GET", `/${webhook.id}`)).json.webhook;
  expect(lastDeliveryAt).toMatch(/Z$/);
  expect((await ask("GET", `/${webhook.id}`)).text).not.toContain(secret);
});

test("only keys that were made for it, and that may read, manage webhooks, and /api/me says so", async () => {
  const plain = await service.newKey();
  const inbound = await service.newKey({ webhooks: true, permission: "inbound" });
  for (const by of [plain.key, inbound.key])
    expect(getError(await ask("GET", "", undefined, by))).toEqual(errorResponse(403, NOT_PERMITTED));
  const me = async (by: string) => (await service.call("GET", "/api/me", { key: by })).json.webhooks;
  expect([await me(key), await me(plain.key)]).toEqual([true, false]);
  const made = await people.owner.call("POST", "/api/settings/keys", { body: { name: "n8n", webhooks: true } });
  expect(made.json.apiKey.webhooks).toBe(true);
  expect((await ask("GET", "", undefined, made.json.key)).json).toEqual({ webhooks: [] });
  const byAdmin = await people.admin.call("POST", "/api/settings/keys", { body: { name: "n8n", webhooks: true } });
  expect(byAdmin.status).toBe(403);
});

test("a key sees its own webhooks alone, owners see all of them, and revoking the key removes them", async () => {
  const { webhook } = await create();
  const other = await service.newKey({ webhooks: true });
  const { id } = (await ask("POST", "", { url: `${receiver.url}/other`, events: ["tile.ready"] }, other.key)).json.webhook;
  const ids = (answer: { json: any }) => answer.json.webhooks.map((one: { id: string }) => one.id);
  expect(ids(await ask("GET", ""))).toEqual([webhook.id]);
  expect(getError(await ask("GET", `/${id}`))).toEqual(errorResponse(404, "Webhook not found."));
  expect(getError(await ask("DELETE", `/${id}`))).toEqual(errorResponse(404, "Webhook not found."));
  const owned = (method: string, path: string, body?: object) =>
    people.owner.call(method, `/api/settings/webhooks${path}`, body === undefined ? {} : { body });
  expect(ids(await owned("GET", ""))).toEqual([webhook.id, id]);
  expect((await owned("PATCH", `/${id}`, { description: "By an owner" })).json.webhook.description).toBe("By an owner");
  const own = await owned("POST", "", { url: `${receiver.url}/own`, events: ["tile.ready"] });
  expect(own.json.webhook.owner.kind).toBe("member");
  expect((await people.admin.call("GET", "/api/settings/webhooks")).status).toBe(403);
  await people.owner.call("DELETE", `/api/settings/keys/${other.id}`);
  expect(ids(await owned("GET", ""))).toEqual([webhook.id, own.json.webhook.id]);
  await owned("DELETE", `/${own.json.webhook.id}`);
});

test("a key of a board subscribes to that board alone", async () => {
  const boardId = (await service.call("POST", "/api/board/boards", { body: { name: "Second" } })).json.board.id;
  const scoped = await service.newKey({ webhooks: true, boardId });
  const post = (body: object) => ask("POST", "", { url: `${receiver.url}/hook`, events: ["tile.created"], ...body }, scoped.key);
  expect((await post({})).json.webhook.boardId).toBe(boardId);
  expect(getError(await post({ board_id: service.boardId }))).toEqual(errorResponse(403, "This API key is not authorized for this board."));
  const { id } = (await post({ board_id: boardId })).json.webhook;
  expect((await ask("PATCH", `/${id}`, { board_id: null }, scoped.key)).status).toBe(400);
});

test("the tags of a filter are kept as those of a tile: trimmed, each once in whatever case", async () => {
  expect((await create({ tags: [" Straße ", "STRASSE", "tide"] })).webhook.tags).toEqual(["Straße", "tide"]);
});

test("filters by board, zone and type choose the events", async () => {
  const zone = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Zone" } })).json.zone;
  const [inZone, ofType, all] = [
    (await create({ zone_ids: [zone.id] })).webhook,
    (await create({ types: ["PDF"] })).webhook,
    (await create({ board_id: service.boardId })).webhook,
  ];
  await createTile("In the zone", { zone_id: zone.id });
  await createTile("Outside");
  await until("both", async () => (await listDeliveries(all.id)).length === 2);
  expect(await listDeliveries(inZone.id)).toHaveLength(1);
  expect(await listDeliveries(ofType.id)).toEqual([]);
});

test("null empties the filters of a webhook", async () => {
  const zone = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Filter" } })).json.zone;
  const filters = { board_id: service.boardId, zone_ids: [zone.id], types: ["TEXT"], tags: ["harbour"], properties: { order: 1 } };
  const { id } = (await create(filters)).webhook;
  const none = { zone_ids: null, types: null, tags: null, properties: null };
  const cleared = { zoneIds: [], types: [], tags: [] };
  const patched = (await ask("PATCH", `/${id}`, { board_id: null, ...none })).json.webhook;
  expect(patched).toMatchObject({ boardId: null, ...cleared });
  expect(patched.properties).toEqual({});
  const { webhook } = await create(none);
  expect(webhook).toMatchObject(cleared);
  expect(webhook.properties).toEqual({});
});

test("a filter by properties chooses the events, under both addresses, and is shown as it is compared", async () => {
  const { webhook } = await create({ properties: { orderId: [4711, "b", "b"], open: true } });
  expect(webhook.properties).toEqual({ open: ["true"], orderId: ["4711", "b"] });
  const settings = `/api/settings/webhooks/${webhook.id}`;
  expect((await people.owner.call("GET", settings)).json.webhook.properties).toEqual(webhook.properties);
  await createTile("Closed", { properties: { orderId: 4711, open: false } });
  await createTile("Bare");
  await createTile("Ordered", { properties: { orderId: "4711", open: true } });
  const [request] = await waitFor("Ordered");
  expect(JSON.parse(request!.body.toString()).payload).not.toHaveProperty("properties");
  expect(await listDeliveries(webhook.id)).toHaveLength(1);
  const patched = await people.owner.call("PATCH", settings, { body: { properties: { open: false } } });
  expect(patched.json.webhook.properties).toEqual({ open: ["false"] });
  expect((await ask("PATCH", `/${webhook.id}`, { description: "x" })).json.webhook.properties).toEqual({ open: ["false"] });
  await createTile("Closed again", { properties: { open: false } });
  await waitFor("Closed again");
});

test.each([
  [{ events: undefined }, "events is required."],
  [{ events: [] }, "events must not be empty."],
  [{ events: ["tile.eaten"] }, /^events must be some of tile\.created, /],
  [{ url: undefined }, "url is required."],
  [{ url: "http://10.0.0.1/" }, /^url points inside the network\./],
  [{ url: "ftp://example.com/" }, /^url must be an http or https address\./],
  [{ types: ["BOOK"] }, /^types must be some of TEXT, /],
  [{ tags: [1] }, "tags must be an array of strings."],
  [{ tags: [" "] }, "tags must have 1 to 100 characters in each item."],
  [{ tags: ["x".repeat(101)] }, "tags must have 1 to 100 characters in each item."],
  [{ tags: Array.from({ length: 51 }, (_, n) => `${n}`) }, "tags has too many items. The maximum is 50."],
  [{ properties: [1] }, "properties must be an object."],
  [{ properties: { a: [] } }, "properties must not have empty arrays."],
  [{ properties: { a: { b: 1 } } }, "properties must have values that are strings, numbers, booleans, null or arrays of these."],
  [{ properties: { "": 1 } }, "properties must have keys of 1 to 100 characters."],
  [{ properties: { a: Array.from({ length: 51 }, (_, n) => n) } }, "properties has a value that has more than 50 items: a."],
  [{ zone_ids: [1] }, "zone_ids must be an array of strings."],
  [{ zone_ids: ["a\0"] }, "zone_ids must be valid Unicode without NUL."],
  [{ zone_ids: ["zon_missing"] }, "The zone does not belong to this board."],
  [{ include_tile: "maybe" }, "include_tile must be a boolean."],
])("a webhook with %j is refused", async (more, message) => {
  const { status, json } = await ask("POST", "", { url: `${receiver.url}/hook`, events: ["tile.ready"], ...more });
  expect(status).toBe(400);
  if (typeof message === "string") expect(json.error).toBe(message);
  else expect(json.error).toMatch(message);
});

test("a webhook of a missing board is 404, and a repeated creation shows no secret again", async () => {
  expect(getError(await ask("POST", "", { url: receiver.url, events: ["tile.ready"], board_id: "brd_none" }))).toEqual(
    errorResponse(404, "Board not found."),
  );
  const body = { url: `${receiver.url}/hook`, events: ["tile.ready"] };
  const post = () => service.call("POST", "/api/webhooks", { key, body, headers: { "idempotency-key": "once" } });
  expect((await post()).status).toBe(200);
  expect((await post()).status).toBe(409);
  expect((await ask("GET", "")).json.webhooks).toHaveLength(1);
});

test("with include_tile events carry the tile, its texts cut, and the log leaves the texts out", async () => {
  const { webhook } = await create({ include_tile: true });
  const tile = await createTile("Whole", { content: "é".repeat(100_010) });
  const [request] = await waitFor("Whole");
  const { payload } = JSON.parse(request!.body.toString());
  const { tile: full } = (await service.call("GET", `/api/board/tiles/${tile.id}`)).json;
  expect(payload.tile).toEqual({ ...full, extractedText: "é".repeat(100_000), rawContent: "é".repeat(100_000) });
  const { id } = await waitForStatus(webhook.id, "succeeded");
  const { delivery } = (await ask("GET", `/${webhook.id}/deliveries/${id}`)).json;
  expect(JSON.parse(delivery.body).payload.tile).toMatchObject({ id: tile.id, extractedText: "" });
});

test("a failed delivery is tried again after 5 s with the same id, and its log has the attempts", { timeout: 60_000 }, async () => {
  const { webhook } = await create();
  reply.status = 503;
  await createTile("Again");
  const { id, nextAttemptAt, attempts } = await waitForStatus(webhook.id, "retrying");
  expect([attempts, nextAttemptAt]).toEqual([1, expect.stringMatching(/Z$/)]);
  const readFailingSince = async () => (await ask("GET", `/${webhook.id}`)).json.webhook.failingSince;
  expect(await readFailingSince()).toMatch(/Z$/);
  reply.status = 200;
  const [first, second] = await waitFor("Again", 2);
  expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
  expect(second!.headers["webhook-timestamp"]).not.toBe(first!.headers["webhook-timestamp"]);
  await waitForStatus(webhook.id, "succeeded");
  expect(await readFailingSince()).toBeNull();
  const { delivery } = (await ask("GET", `/${webhook.id}/deliveries/${id}`)).json;
  expect(delivery).toMatchObject({ attempts: 2, nextAttemptAt: null, status: "succeeded" });
  expect(delivery.attemptLog.map(({ responseStatus }: any) => responseStatus)).toEqual([503, 200]);
});

test("a receiver that answers 410 pauses its webhook, and a patch resumes it", async () => {
  const { webhook } = await create();
  reply.status = 410;
  await createTile("Gone");
  await waitFor("Gone");
  const paused = await until("the pause", async () => {
    const one = (await ask("GET", `/${webhook.id}`)).json.webhook;
    return one.status === "paused" && one;
  });
  expect(paused.pausedReason).toMatch(/410/);
  expect((await listDeliveries(webhook.id, "?status=failed"))[0]).toMatchObject({ responseStatus: 410, nextAttemptAt: null });
  await createTile("Unseen");
  expect((await ask("POST", `/${webhook.id}/test`)).headers.get("x-error-code")).toBe("webhook_paused");
  reply.status = 200;
  await Promise.all(Array.from({ length: 20 }, () => createTile("Unseen")));
  const resumed = (await ask("PATCH", `/${webhook.id}`, { status: "active" })).json.webhook;
  expect(resumed).toMatchObject({ status: "active", pausedReason: null });
  await createTile("Seen");
  await waitFor("Seen");
  expect(received("Unseen")).toEqual([]);
});

test("failed deliveries of a time are sent again, one or all, and a misspelt field is refused", async () => {
  const { webhook } = await create({ retries: false });
  const since = new Date().toISOString();
  reply.status = 500;
  for (const title of ["A", "B"]) await createTile(title);
  await until("both to fail", async () => (await listDeliveries(webhook.id, "?status=failed")).length === 2);
  reply.status = 200;
  const path = `/${webhook.id}/deliveries/redeliver`;
  expect(getError(await ask("POST", path, { since, untill: since }))).toEqual(errorResponse(400, "untill is not a known field."));
  expect(getError(await ask("POST", path, {}))).toEqual(errorResponse(400, "since is required."));
  expect((await ask("POST", path, { status: "failed", since })).json).toEqual({ scheduled: 2 });
  for (const title of ["A", "B"]) {
    const [first, second] = await waitFor(title, 2);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
  }
  await until("both to succeed", async () => (await listDeliveries(webhook.id, "?status=succeeded")).length === 2);
  expect((await ask("POST", path, { since })).json).toEqual({ scheduled: 0 });
  const [{ id }] = await listDeliveries(webhook.id);
  const again = (await ask("POST", `/${webhook.id}/deliveries/${id}/redeliver`)).json.delivery.id;
  expect(again).not.toBe(id);
  await until("a third delivery", async () => (await listDeliveries(webhook.id)).length === 3);
  const page = (await ask("GET", `/${webhook.id}/deliveries?limit=2`)).json;
  expect((await listDeliveries(webhook.id, `?limit=2&cursor=${page.nextCursor}`)).length).toBe(1);
});

test("the secret is rotated, and a test sends a sample of the first event", async () => {
  const { webhook } = await create({ events: ["tile.deleted", "tile.created"] });
  const rotated = (await ask("POST", `/${webhook.id}/rotate`, { overlap_hours: 1 })).json;
  expect(rotated.webhook.overlapUntil).toMatch(/Z$/);
  const { id } = (await ask("POST", `/${webhook.id}/test`)).json.delivery;
  const request = await until("the test", () => receiver.received.find(({ headers }) => headers["webhook-id"] === id));
  expect(JSON.parse(request.body.toString()).event).toBe("tile.created");
  expect(isSignedAsSpecified(request, rotated.secret)).toBe(true);
});

test("samples are real events that the key may see, or else one that is made up", async () => {
  const tile = await createTile("Sample");
  const samples = await until("a sample", async () => {
    const { json } = await ask("GET", "/samples?event=tile.created");
    return json.samples[0]?.payload.tileId === tile.id && json.samples;
  });
  expect(samples.length).toBeLessThanOrEqual(3);
  expect(samples[0]).toMatchObject({ event: "tile.created", payload: { title: "Sample" }, sentAt: expect.stringMatching(/Z$/) });
  const invented = (await ask("GET", "/samples?event=generation.failed")).json.samples;
  expect(invented).toMatchObject([{ event: "generation.failed", payload: { generationId: "gen_sample" } }]);
});

test("the webhook of the business is sent once unless retries are set, and its failed deliveries can be sent again", async () => {
  const owner = (method: string, path: string, body?: object) =>
    people.owner.call(method, `/api/settings/webhook${path}`, body === undefined ? {} : { body });
  const { webhook } = (await owner("POST", "", { url: `${receiver.url}/own`, retries: true })).json;
  expect(webhook.retries).toBe(true);
  expect((await owner("PATCH", "", { retries: false })).json.webhook.retries).toBe(false);
  reply.status = 500;
  const { id } = (await owner("POST", "/test")).json.delivery;
  await until("the failure", async () => (await owner("GET", `/deliveries/${id}`)).json.delivery.status === "failed");
  reply.status = 200;
  const redeliver = () => owner("POST", "/deliveries/redeliver", { since: webhook.createdAt });
  await owner("DELETE", "");
  expect(getError(await redeliver())).toEqual(errorResponse(404, "Webhook not found."));
  await owner("POST", "", { url: `${receiver.url}/moved` });
  expect((await redeliver()).json).toEqual({ scheduled: 1 });
  await until("the success", async () => (await owner("GET", `/deliveries/${id}`)).json.delivery.status === "succeeded");
  expect((await owner("GET", `/deliveries/${id}`)).json.delivery.url).toBe(`${receiver.url}/moved`);
});
