import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestService, startTestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ROLE: "api" });
});
afterAll(() => service.stop());

const CONFLICT = "This Idempotency-Key was used with another request. Use a new key for a new request.";
const post = (path: string, body: unknown, idempotencyKey: string, key = service.key) =>
  service.call("POST", path, { key, body, headers: { "idempotency-key": idempotencyKey } });
const inbound = (body: object, idempotencyKey: string, key = service.key) =>
  post("/api/inbound/tiles", { board_id: service.boardId, ...body }, idempotencyKey, key);
const countTiles = async (): Promise<number> =>
  (await service.call("GET", `/api/board/${service.boardId}/tiles?text=false`)).json.tiles.length;

test("an Idempotency-Key creates one tile from fifty parallel requests with the same key", async () => {
  const before = await countTiles();
  const answers = await Promise.all(Array.from({ length: 50 }, () => inbound({ content: "once" }, "parallel")));
  expect(await countTiles()).toBe(before + 1);
  const made = answers.filter(({ status, headers }) => status === 200 && headers.get("idempotency-replayed") === null);
  expect(made).toHaveLength(1);
  for (const answer of answers) {
    if (answer.status === 409) continue;
    expect(answer.text).toBe(made[0]?.text);
    if (answer !== made[0]) expect(answer.headers.get("idempotency-replayed")).toBe("true");
  }
  expect((await inbound({ content: "once" }, "parallel")).text).toBe(made[0]?.text);
});

test("an Idempotency-Key replays the first response byte for byte on every endpoint that creates, and creates once", async () => {
  const calls: readonly (readonly [string, unknown])[] = [
    ["/api/board/boards", { name: "Once" }],
    [`/api/board/${service.boardId}/zones`, { name: "Once" }],
    [`/api/board/${service.boardId}/tiles`, { content: "Once" }],
    ["/api/inbound/tiles", { board_id: service.boardId, url: "https://example.com/once" }],
    ["/api/inbound/tiles/batch", { tiles: [{ board_id: service.boardId, content: "Once" }, { content: "refused" }] }],
  ];
  for (const [path, body] of calls) {
    const first = await post(path, body, "everywhere");
    const again = await post(path, body, "everywhere");
    expect([first.status, first.headers.get("idempotency-replayed")], path).toEqual([200, null]);
    expect([again.status, again.text, again.headers.get("idempotency-replayed")], path).toEqual([200, first.text, "true"]);
    expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect((await post(path, body, "another")).text, path).not.toBe(first.text);
  }
});

test("an Idempotency-Key replays a long response byte for byte, also after the tile was changed and deleted", async () => {
  const content = Array.from({ length: 60_000 }, (_, n) => `"word" ${n}\\ü🌊`).join("\n");
  const path = `/api/board/${service.boardId}/tiles`;
  const first = await post(path, { content, title: "Long" }, "long");
  expect(first.status).toBe(200);
  expect(first.json.tile.extractedText).toBe(content);
  const { id } = first.json.tile;
  await service.call("PATCH", `/api/board/tiles/${id}`, { body: { content: "Other" } });
  expect((await post(path, { content, title: "Long" }, "long")).text === first.text).toBe(true);
  await service.call("DELETE", `/api/board/tiles/${id}`);
  const again = await post(path, { content, title: "Long" }, "long");
  expect([again.text === first.text, again.headers.get("idempotency-replayed")]).toEqual([true, "true"]);
  const tiles = Array.from({ length: 500 }, (_, n) => ({ board_id: service.boardId, content: `Item ${n}` }));
  const batch = await post("/api/inbound/tiles/batch", { tiles }, "long");
  expect((await post("/api/inbound/tiles/batch", { tiles }, "long")).text).toBe(batch.text);
});

test("an Idempotency-Key returns 409 with another body, and creates nothing", async () => {
  await inbound({ content: "one" }, "changed");
  const before = await countTiles();
  const { status, json } = await inbound({ content: "two" }, "changed");
  expect([status, json]).toEqual([409, { error: CONFLICT }]);
  expect(await countTiles()).toBe(before);
  expect((await inbound({ content: "one" }, "changed")).status).toBe(200);
});

test("an Idempotency-Key takes JSON that is the same after parsing for the same body", async () => {
  const send = (text: string) => post("/api/board/boards", text, "parsed");
  const first = await send('{"name":"Spelt \u0041\u00e9","sort":[1,10,{"b":0.5,"a":null}],"z":1}');
  expect(first.status).toBe(200);
  for (const same of [
    '{"z":1,"sort":[1,10,{"a":null,"b":0.5}],"name":"Spelt Aé"}',
    '\ufeff{ "name" : "Spelt A\\u00e9",\n"sort": [1.0, 1e1, {"b": 5e-1, "a": null}], "z": 1.00 }',
    '{"z":2,"name":"Spelt Aé","sort":[1,10,{"b":0.5,"a":null}],"z":1}',
  ]) {
    const again = await send(same);
    expect([again.status, again.text, again.headers.get("idempotency-replayed")], same).toEqual([200, first.text, "true"]);
  }
  for (const other of [
    '{"name":"Spelt Aé","sort":[10,1,{"b":0.5,"a":null}],"z":1}',
    '{"name":"Spelt Aé","sort":[1,10,{"b":0.5}],"z":1}',
    '{"name":"Spelt Aé","sort":[1,10,{"b":0.5,"a":null}],"z":"1"}',
    '{"name":"Spelt Aé","sort":[1,10,{"b":0.5,"a":null}],"z":1,"__proto__":{}}',
  ]) {
    expect((await send(other)).status, other).toBe(409);
  }
});

test("an Idempotency-Key replays the texts of a long request whose fields are in another order", async () => {
  const content = "A line of the log. ".repeat(500);
  const path = `/api/board/${service.boardId}/tiles`;
  const first = await post(path, { content, title: "Log" }, "reordered");
  const again = await post(path, { title: "Log", content }, "reordered");
  expect([again.status, again.text === first.text]).toEqual([200, true]);
});

test("an Idempotency-Key is scoped to the API key and the path", async () => {
  const other = await service.newKey();
  const elsewhere = await service.newBusiness("Other");
  const foreign = await service.newKey({ businessId: elsewhere.businessId });
  const first = (await inbound({ content: "mine" }, "shared")).json.tile.id;
  const second = await inbound({ content: "theirs" }, "shared", other.key);
  const third = await post("/api/inbound/tiles", { board_id: elsewhere.boardId, content: "foreign" }, "shared", foreign.key);
  const fourth = await post(`/api/board/${service.boardId}/tiles`, { content: "mine" }, "shared");
  expect([second.status, third.status, fourth.status]).toEqual([200, 200, 200]);
  expect(new Set([first, second.json.tile.id, third.json.tile.id, fourth.json.tile.id]).size).toBe(4);
});

test("an Idempotency-Key is not stored for a rejected request, so a corrected retry succeeds", async () => {
  expect((await inbound({}, "mended")).status).toBe(400);
  expect((await inbound({ content: "x", zone_id: "zon_x" }, "mended")).status).toBe(400);
  expect((await post("/api/inbound/tiles", { board_id: "brd_x", content: "x" }, "mended")).status).toBe(404);
  const mended = await inbound({ content: "x" }, "mended");
  expect([mended.status, mended.headers.get("idempotency-replayed")]).toEqual([200, null]);
  const refusedBatch = await post("/api/inbound/tiles/batch", { tiles: [{ content: "no board" }] }, "mended");
  expect(refusedBatch.json).toEqual({ results: [{ error: "board_id is required.", code: "field_missing", status: 400 }] });
  const batch = await post("/api/inbound/tiles/batch", { tiles: [{ board_id: service.boardId, content: "c" }] }, "mended");
  expect([batch.status, batch.headers.get("idempotency-replayed")]).toEqual([200, null]);
});

test("an Idempotency-Key is rejected if it is blank or over 255 characters", async () => {
  for (const key of ["", " ", "x".repeat(256)]) {
    const { status, json } = await inbound({ content: "c" }, key);
    expect([status, json]).toEqual([400, { error: "Idempotency-Key must be 1 to 255 characters." }]);
  }
  expect((await inbound({ content: "c" }, "x".repeat(255))).status).toBe(200);
});

test("rate limits apply per key, separately for questions, and 429 says when to retry", async () => {
  const limited = await startTestService({ ROLE: "api", RATE_LIMIT_PER_MINUTE: "5", RATE_LIMIT_ASK_PER_MINUTE: "2" });
  try {
    const list = (key: string) => limited.call("GET", "/api/board/boards", { key });
    const ask = (key: string) => limited.call("GET", `/api/board/${limited.boardId}/ask?q=x`, { key });
    for (let left = 4; left >= 0; left--) {
      const answer = await list(limited.key);
      expect([answer.status, answer.headers.get("ratelimit-policy")]).toEqual([200, '"default";q=5;w=60']);
      expect(answer.headers.get("ratelimit")).toMatch(new RegExp(`^"default";r=${left};t=([1-9]|[1-5]\\d|60)$`));
      expect(answer.headers.get("retry-after")).toBeNull();
    }
    const refused = await list(limited.key);
    expect([refused.status, refused.json]).toEqual([
      429,
      { error: expect.stringMatching(/^Too many requests\. The maximum is [\d,]+ a minute\. Try again in \d+ s\.$/) },
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(refused.headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/);
    const unseen = await limited.call("PATCH", "/api/board/zones/zon_x", { body: "{ not json" });
    expect(unseen.status).toBe(429);

    expect((await ask(limited.key)).headers.get("ratelimit-policy")).toBe('"ask";q=2;w=60');
    expect((await ask(limited.key)).status).toBe(200);
    expect((await ask(limited.key)).status).toBe(429);

    const other = await limited.newKey();
    expect([(await list(other.key)).status, (await ask(other.key)).status]).toEqual([200, 200]);
    for (let i = 0; i < 10; i++) expect((await list("x")).status).toBe(401);
    expect((await limited.call("GET", "/health/live", { key: null })).status).toBe(200);
  } finally {
    await limited.stop();
  }
});

test("rate limits send no headers if no limit is set", async () => {
  const { headers } = await service.call("GET", "/api/me");
  expect([headers.get("ratelimit"), headers.get("ratelimit-policy")]).toEqual([null, null]);
});
