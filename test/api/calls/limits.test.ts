import { expect, test } from "vitest";
import { exchange, exchangeAfterSending, pour } from "../../support/clients/raw.ts";
import { startTestService } from "../../support/service.ts";
import { service, MEGABYTE, NOT_JSON, ZONES, TILES, post, expectHealthyDuring, useLimitsService } from "./support/limits-service.ts";

useLimitsService();

const deep = "[".repeat(100_000);
const long = "k".repeat(10 * MEGABYTE);
const bombs: readonly (readonly [string, () => string | Uint8Array, number | string])[] = [
  [
    "65 nested values in a short body",
    () => `{"name":"z","x":${"[".repeat(64)}${"]".repeat(64)}}`,
    "The request body is nested too deeply.",
  ],
  ["10,000 nested arrays", () => `{"name":"z","x":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, "The request body is nested too deeply."],
  ["100,000 open arrays", () => deep, "The request body is nested too deeply."],
  ["100,000 nested arrays", () => `{"name":"z","x":${deep}${"]".repeat(100_000)}}`, "The request body is nested too deeply."],
  ["100,000 nested objects", () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, "The request body is nested too deeply."],
  [
    "a million keys",
    () => `{${Array.from({ length: 1_000_000 }, (_, i) => `"k${i}":1`).join(",")}}`,
    "The request body has too many parts.",
  ],
  ["a million zeros", () => `[${"0,".repeat(1_000_000)}0]`, "The request body has too many parts."],
  ["a key of 10 MB", () => `{"${long}":1}`, "name is required."],
  ["a name of 10 MB", () => `{"name":"${long}"}`, "name is too long. The maximum is 200 characters."],
  ["10 MB of backslashes", () => `{"name":"${"\\\\".repeat(5 * MEGABYTE)}"}`, "name is too long. The maximum is 200 characters."],
  ["10 MB of quotes", () => '"'.repeat(10 * MEGABYTE), NOT_JSON],
  ["10 MB of blanks", () => " ".repeat(10 * MEGABYTE), NOT_JSON],
  ["10 MB of closing brackets", () => "]".repeat(10 * MEGABYTE), NOT_JSON],
  [
    "one number of a million digits",
    () => `{"name":"z","sort_order":${"9".repeat(1_000_000)}}`,
    "sort_order must be a whole number from -1000000000 to 1000000000.",
  ],
  ["1e400", () => '{"name":"z","sort_order":1e400}', "sort_order must be a whole number from -1000000000 to 1000000000."],
  ["a lone surrogate", () => '{"name":"\\ud800"}', "name must be valid Unicode without NUL."],
  ["a reversed pair", () => '{"name":"\\udc00\\ud800"}', "name must be valid Unicode without NUL."],
  ["NUL in a string", () => '{"name":"a\\u0000b"}', "name must be valid Unicode without NUL."],
  ["a raw NUL", () => '{"name":"a\u0000b"}', NOT_JSON],
  ["UTF-16, little end first", () => Buffer.from('\ufeff{"name":"z"}', "utf16le"), NOT_JSON],
  ["UTF-16, big end first", () => Buffer.from('\ufeff{"name":"z"}', "utf16le").swap16(), NOT_JSON],
  ["invalid UTF-8", () => Buffer.from([0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), NOT_JSON],
  ["overlong UTF-8", () => Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]), NOT_JSON],
  ["a surrogate in UTF-8", () => Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), NOT_JSON],
  ["two values", () => '{"name":"a"}{"name":"b"}', NOT_JSON],
  ["NaN", () => '{"name":NaN}', NOT_JSON],
  ["a comment", () => '{"name":"a"/**/}', NOT_JSON],
  ["a trailing comma", () => '{"name":"a",}', NOT_JSON],
];
test.each(bombs)("JSON attacks with %s are rejected with a specific message, and the server stays healthy", async (_, make, message) => {
  const { status, json } = await expectHealthyDuring(post(make()));
  expect([status, json]).toEqual([400, { error: message }]);
});

test("names of the prototype chain are ordinary keys", async () => {
  const bodies = [
    '{"name":"z","__proto__":{"polluted":1,"connected_to_chat":false}}',
    '{"name":"z","constructor":{"prototype":{"polluted":1}}}',
    '{"name":"z","__proto__.polluted":1,"prototype":{"polluted":1},"toString":1,"hasOwnProperty":null}',
    '{"__proto__":{"name":"inherited"}}',
  ];
  for (const body of bodies) {
    const { status, json } = await post(body);
    if (body.includes("inherited")) expect([status, json]).toEqual([400, { error: "name is required." }]);
    else expect([status, json.zone.connectedToChat]).toEqual([200, true]);
  }
  const form = await post("__proto__[polluted]=1&__proto__=2&constructor=3&board_id=x&content=c", "/api/inbound/tiles", {
    "content-type": "application/x-www-form-urlencoded",
  });
  expect(form.status).toBe(404);
  expect((await service.call("GET", `${TILES()}?__proto__=1&constructor=2&__proto__[polluted]=3`)).status).toBe(200);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("the last of duplicate keys counts, and a byte order mark is ignored", async () => {
  expect((await post('{"name":"first","name":"second"}')).json.zone.name).toBe("second");
  expect((await post('\ufeff{"name":"marked"}')).json.zone.name).toBe("marked");
});

test.each([
  ["x", 1_000_000],
  ["é", 1_000_000],
  ["😀", 1_000_000],
])("content of a million %s is accepted, and one more is rejected", async (character, most) => {
  const { status, json } = await post({ content: character.repeat(most) }, TILES());
  expect([status, json.tile?.status]).toEqual([200, "ready"]);
  const more = await post({ content: character.repeat(most + 1) }, TILES());
  expect([more.status, more.json]).toEqual([400, { error: "content is too long. The maximum is 1,000,000 characters." }]);
  await service.call("DELETE", `/api/board/tiles/${json.tile.id}`);
});

test.each([
  ["title", "😀", 500],
  ["external_id", "é", 200],
])("the limit of the %s of a tile counts code points", async (field, character, most) => {
  expect((await post({ content: "c", [field]: character.repeat(most) }, TILES())).status).toBe(200);
  expect((await post({ content: "c", [field]: character.repeat(most + 1) }, TILES())).json).toEqual({
    error: `${field} is too long. The maximum is ${most} characters.`,
  });
});

test("size limits can be configured", async () => {
  const small = await startTestService({ ROLE: "api", MAX_CONTENT_CHARACTERS: "3", MAX_BODY_BYTES: "1024" });
  try {
    const path = `/api/board/${small.boardId}/tiles`;
    expect((await small.call("POST", path, { body: { content: "😀😀😀" } })).status).toBe(200);
    expect((await small.call("POST", path, { body: { content: "😀😀😀😀" } })).json).toEqual({
      error: "content is too long. The maximum is 3 characters.",
    });
    const { status, json } = await small.call("POST", path, { body: { content: "c", padding: "x".repeat(1_024) } });
    expect([status, json]).toEqual([413, { error: "The request body is too large. The maximum is 1 KiB." }]);
  } finally {
    await small.stop();
  }
});

test("a body declared as 1 GB is rejected before it is sent", async () => {
  for (const path of [TILES(), "/api/inbound/tiles"]) {
    const answer = await exchange(
      service.url,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n`,
    );
    expect([answer.status, answer.body]).toEqual([413, '{"error":"The request body is too large. The maximum is 16 MiB."}']);
    expect(answer.head.toLowerCase()).toContain("connection: close");
  }
});

test("a client that sends its body first can read that it is too large", async () => {
  const length = 60 * MEGABYTE;
  const head = `POST ${TILES()} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const { status, body } = await exchangeAfterSending(service.url, head, Buffer.alloc(length, 0x20));
  expect([status, body]).toEqual([413, '{"error":"The request body is too large. The maximum is 16 MiB."}']);
});

test("a chunked body ends at the limit", async () => {
  for (const path of [TILES(), "/api/inbound/tiles", "/api/inbound/tiles/batch"]) {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { isClosedByServer, sent } = await expectHealthyDuring(pour(service.url, head, Buffer.alloc(256 * 1_024, 0x20), 256 * MEGABYTE));
    expect(isClosedByServer, `${path} after ${sent} bytes`).toBe(true);
  }
});

test("compressed bodies are rejected before they are read", async () => {
  for (const encoding of ["gzip", "br", "deflate", "gzip, gzip", "x-unknown"]) {
    for (const path of [TILES(), "/api/inbound/tiles"]) {
      const { status, json } = await post(new Uint8Array(1_000), path, { "content-encoding": encoding });
      expect([status, json]).toEqual([415, { error: "Send the request body without Content-Encoding." }]);
    }
  }
  expect((await post({ name: "z" }, ZONES(), { "content-encoding": "identity" })).status).toBe(200);
});

test.each([
  "text/plain",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonp",
  "json",
  "*/*",
  "application/json/x",
])("the media type %s is rejected on JSON routes", async (type) => {
  const { status, json } = await post('{"name":"z"}', ZONES(), { "content-type": type });
  expect([status, json]).toEqual([415, { error: "Send the request body as application/json." }]);
});

test.each([
  "application/json",
  "APPLICATION/JSON; charset=utf-8",
  "application/json;charset=latin1",
  "application/vnd.api+json",
  "application/merge-patch+json",
])("the media type %s is accepted", async (type) => {
  expect((await post('{"name":"z"}', ZONES(), { "content-type": type })).status).toBe(200);
});
