import { afterAll, beforeAll, expect, test } from "vitest";
import { type EveryOperation, startEveryOperation } from "./support/every-operation.ts";

const STRICT = { prefer: "handling=strict" };
let every: EveryOperation;
beforeAll(async () => {
  every = await startEveryOperation();
});
afterAll(() => every.testData.service.stop());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  every.testData.service.call("POST", path, { body, headers });
const tiles = (): string => `/api/board/${every.ids.boardId}/tiles`;

const send = (body: string | object): Promise<string | null> =>
  post(tiles(), typeof body === "string" ? body : { content: "Text.", ...body }).then(({ status, headers }) => {
    expect(status).toBe(200);
    return headers.get("x-ignored-fields");
  });

test("X-Ignored-Fields is absent if everything is known", async () => {
  expect(await send({ zoneId: every.ids.zoneId })).toBeNull();
});

test("X-Ignored-Fields has at most 20 names", async () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, n]));
  expect((await send(many))?.split(", ")).toEqual(Array.from({ length: 20 }, (_, n) => `f${n}`));
});

test("X-Ignored-Fields has unknown fields and those without effect in the order of their appearance", async () => {
  const body = '{"a":1,"sourceUrl":"https://example.com/","b":2,"url":"https://example.com/","c":3,"skip_deleted":true}';
  expect(await send(body)).toBe("a, source_url, b, c");
  expect(await send('{"a":1,"url":"https://example.com/","b":2,"content":"Text.","skip_deleted":true,"c":3}')).toBe(
    "a, url, b, skip_deleted, c",
  );
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, n]));
  expect((await send({ url: "https://example.com/", ...many }))?.split(", ")).toEqual([
    "url",
    ...Array.from({ length: 19 }, (_, n) => `f${n}`),
  ]);
});

test("X-Ignored-Fields carries names that no header can carry as they are", async () => {
  expect(await send({ "a\r\nSet-Cookie: b=c": 1 })).toBe("a%0D%0ASet-Cookie%3A%20b%3Dc");
  expect(await send({ "größe, 🌊": 1, "": 2, "100%": 3 })).toBe('gr%C3%B6%C3%9Fe%2C%20%F0%9F%8C%8A, "", 100%25');
  expect(await send(String.raw`{"content":"Text.","\ud800":1,"__proto__":2}`)).toBe("%EF%BF%BD, __proto__");
});

test("X-Ignored-Fields is short, however long the names are", async () => {
  const long = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}`.padStart(2, "ü") + "ü".repeat(100_000), n]));
  const header = await send(long);
  expect(header?.length).toBeGreaterThan(1_000);
  expect(header?.length).toBeLessThan(2_200);
});

test("X-Ignored-Fields is part of an error too, where it says what was misspelt", async () => {
  const { status, headers } = await post(tiles(), { contnet: "Text." });
  expect([status, headers.get("x-ignored-fields")]).toEqual([400, "contnet"]);
});

test("X-Ignored-Fields is sent by streams, uploads and the inbound call's forms", async () => {
  const { service } = every.testData;
  const asked = await service.call("POST", `/api/board/${every.ids.boardId}/ask`, {
    body: { question: "When does the harbour open?", zz: 1 },
    headers: { accept: "text/event-stream" },
  });
  expect([asked.headers.get("content-type"), asked.headers.get("x-ignored-fields")]).toEqual(["text/event-stream; charset=utf-8", "zz"]);
  const form =
    '--x1\r\nContent-Disposition: form-data; name="zz"\r\n\r\n1\r\n--x1\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nText.\r\n--x1--\r\n';
  const uploaded = await service.call("POST", `/api/board/${every.ids.boardId}/files`, {
    body: form,
    headers: { "content-type": "multipart/form-data; boundary=x1" },
  });
  expect([uploaded.status, uploaded.headers.get("x-ignored-fields")]).toEqual([200, "zz"]);
  const inbound = await service.call("POST", "/api/inbound/tiles", {
    body: `board_id=${every.ids.boardId}&content=Text&zz=1`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect([inbound.status, inbound.headers.get("x-ignored-fields")]).toEqual([200, "zz"]);
});

test("X-Ignored-Fields is sent for listings that are cached without unknown parameters", async () => {
  const { service } = every.testData;
  for (let n = 0; n < 3; n++) {
    expect((await service.call("GET", tiles())).headers.get("x-ignored-fields")).toBeNull();
    expect((await service.call("GET", `${tiles()}?zz=1`)).headers.get("x-ignored-fields")).toBe("zz");
    expect((await service.call("GET", `${tiles()}?external_id=a&externalId=b`)).headers.get("x-ignored-fields")).toBe("externalId");
    const since = await service.call("GET", `${tiles()}?updated_since=2020-01-01&order=asc`);
    expect(since.headers.get("x-ignored-fields")).toBe("order");
    const strict = await service.call("GET", tiles(), { headers: STRICT });
    expect([strict.status, strict.headers.get("preference-applied")]).toEqual([200, "handling=strict"]);
  }
});

test.each([
  ["handling=strict", true],
  ['respond-async, Handling = "Strict"; a=b', true],
  ["handling=lenient, handling=strict", false],
  ["handling=stricter", false],
  ["x-handling=strict", false],
])("Prefer: %s is strict: %s", async (prefer, isStrict) => {
  const { status } = await post(tiles(), { content: "Text.", zz: 1 }, { prefer });
  expect(status).toBe(isStrict ? 400 : 200);
});
