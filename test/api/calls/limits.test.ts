import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange, pour } from "../../support/clients/raw.ts";
import { type Answer, type TestService, startTestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ROLE: "api" });
});
afterAll(() => service.stop());

const MEGABYTE = 1_048_576;
const NOT_JSON = "The request body is not valid JSON.";
const ZONES = (): string => `/api/board/${service.boardId}/zones`;
const TILES = (): string => `/api/board/${service.boardId}/tiles`;
const post = (body: unknown, path = ZONES(), headers: Record<string, string> = {}): Promise<Answer> =>
  service.call("POST", path, { body, headers });

/** Probes health while `work` runs; every probe must answer 200. */
async function healthyDuring<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  do expect((await service.call("GET", "/health/live", { key: null })).status).toBe(200);
  while (!isDone);
  return done;
}

describe("JSON bombs", () => {
  const deep = "[".repeat(100_000);
  const long = "k".repeat(10 * MEGABYTE);
  const bombs: readonly (readonly [string, () => string | Uint8Array, number | string])[] = [
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
  test.each(bombs)("%s is refused in the right words, and health stays well.", async (_, make, message) => {
    const { status, json } = await healthyDuring(post(make()));
    expect([status, json]).toEqual([400, { error: message }]);
  });

  test("Names of the prototype chain are keys like any other.", async () => {
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

  test("Of two equal keys the last one counts; a byte order mark is passed over.", async () => {
    expect((await post('{"name":"first","name":"second"}')).json.zone.name).toBe("second");
    expect((await post('\ufeff{"name":"marked"}')).json.zone.name).toBe("marked");
  });
});

describe("sizes", () => {
  test.each([
    ["x", 1_000_000],
    ["é", 1_000_000],
    ["😀", 1_000_000],
  ])("Content of a million %s is taken, and one more is refused.", async (character, most) => {
    const { status, json } = await post({ content: character.repeat(most) }, TILES());
    expect([status, json.tile?.status]).toEqual([200, "ready"]);
    const more = await post({ content: character.repeat(most + 1) }, TILES());
    expect([more.status, more.json]).toEqual([400, { error: "content is too long. The maximum is 1,000,000 characters." }]);
    await service.call("DELETE", `/api/board/tiles/${json.tile.id}`);
  });

  test.each([
    ["title", "😀", 500],
    ["external_id", "é", 200],
  ])("The %s of a tile is counted in code points.", async (field, character, most) => {
    expect((await post({ content: "c", [field]: character.repeat(most) }, TILES())).status).toBe(200);
    expect((await post({ content: "c", [field]: character.repeat(most + 1) }, TILES())).json).toEqual({
      error: `${field} is too long. The maximum is ${most} characters.`,
    });
  });

  test("Limits are settings.", async () => {
    const small = await startTestService({ ROLE: "api", MAX_CONTENT_CHARACTERS: "3", MAX_BODY_BYTES: "1024" });
    try {
      const path = `/api/board/${small.boardId}/tiles`;
      expect((await small.call("POST", path, { body: { content: "😀😀😀" } })).status).toBe(200);
      expect((await small.call("POST", path, { body: { content: "😀😀😀😀" } })).json).toEqual({
        error: "content is too long. The maximum is 3 characters.",
      });
      const { status, json } = await small.call("POST", path, { body: { content: "c", padding: "x".repeat(1_024) } });
      expect([status, json]).toEqual([413, { error: "The request body is too large." }]);
    } finally {
      await small.stop();
    }
  });

  test("A body announced as 1 GB is refused before any of it is sent.", async () => {
    for (const path of [TILES(), "/api/inbound/tiles"]) {
      const answer = await exchange(
        service.url,
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n`,
      );
      expect([answer.status, answer.body]).toEqual([413, '{"error":"The request body is too large."}']);
      expect(answer.head.toLowerCase()).toContain("connection: close");
    }
  });

  test("A chunked body without end is cut at the limit.", async () => {
    for (const path of [TILES(), "/api/inbound/tiles", "/api/inbound/tiles/batch"]) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const { isCut, sent } = await healthyDuring(pour(service.url, head, Buffer.alloc(256 * 1_024, 0x20), 256 * MEGABYTE));
      expect(isCut, `${path} after ${sent} bytes`).toBe(true);
    }
  });

  test("A compressed body is refused before it is read, a bomb or not.", async () => {
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
  ])("The media type %s is refused on a JSON route.", async (type) => {
    const { status, json } = await post('{"name":"z"}', ZONES(), { "content-type": type });
    expect([status, json]).toEqual([415, { error: "Send the request body as application/json." }]);
  });

  test.each([
    "application/json",
    "APPLICATION/JSON; charset=utf-8",
    "application/json;charset=latin1",
    "application/vnd.api+json",
    "application/merge-patch+json",
  ])("The media type %s is read.", async (type) => {
    expect((await post('{"name":"z"}', ZONES(), { "content-type": type })).status).toBe(200);
  });
});

describe("the wire", () => {
  const raw = (lines: string, body = "") => exchange(service.url, lines.replaceAll("\n", "\r\n") + body);
  const keyed = (line: string, more = ""): string => `${line} HTTP/1.1\nHost: x\nX-API-Key: ${service.key}\nConnection: close\n${more}\n`;

  test.each([
    ["both Content-Length and Transfer-Encoding", "Content-Length: 3\nTransfer-Encoding: chunked\n", "0\r\n\r\n"],
    ["two different lengths", "Content-Length: 3\nContent-Length: 4\n", "abcd"],
    ["a length that is no number", "Content-Length: 3x\n", "abc"],
    ["a negative length", "Content-Length: -1\n", ""],
    ["an unknown transfer encoding", "Transfer-Encoding: chunked, identity\n", "0\r\n\r\n"],
    ["a transfer encoding with a vertical tab", "Transfer-Encoding:\u000bchunked\n", "0\r\n\r\n"],
    ["a folded header", "X-Folded: a\n b\n", ""],
    ["a header without a name", ": x\n", ""],
    ["a blank before the colon", "X-Odd : x\n", ""],
    ["NUL in a header", "X-Odd: a\u0000b\n", ""],
  ])("%s is refused, and nothing is made.", async (_, headers, body) => {
    const before = (await service.call("GET", ZONES())).text;
    const { status } = await raw(keyed(`POST ${ZONES()}`, `Content-Type: application/json\n${headers}`), body);
    expect(status).toBe(400);
    expect((await service.call("GET", ZONES())).text).toBe(before);
  });

  test("Lines that end without a carriage return, and what is no HTTP at all, are refused.", async () => {
    for (const bytes of [
      `GET /api/me HTTP/1.1\nHost: x\nX-API-Key: ${service.key}\n\n`,
      "nonsense\r\n\r\n",
      "GET /api/me HTTP/9.9\r\n\r\n",
      "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n",
    ]) {
      const { status, body } = await exchange(service.url, bytes);
      expect([status, body]).toEqual([400, '{"error":"The request could not be read."}']);
    }
  });

  test.each([
    ["a header", "X-Long: "],
    ["a path", ""],
  ])("%s of over 16 KB is refused with 431.", async (_, header) => {
    const long = "a".repeat(17_000);
    const { status, body } = await raw(header === "" ? keyed(`GET /${long}`) : keyed("GET /api/me", `${header}${long}\n`));
    expect([status, body]).toEqual([431, '{"error":"The request headers are too large."}']);
  });

  const oddPaths = [
    "//api/me",
    "/api//me",
    "/api/me/",
    "/api/me//",
    "/./api/me",
    "/api/../api/me",
    "/api/%2e%2e/api/me",
    "/%61pi%2Fme",
    "/api%2Fme",
    "/api/me%00",
    "/api/me;x",
    "/API/ME",
    "/api/me%20",
    "/api\\me",
    "/%",
    "/%zz",
    "/%c0%ae",
    "/api/board/%2e%2e/zones/x",
  ];
  test.each(oddPaths)("The path %s leads nowhere.", async (path) => {
    const { status, body } = await raw(keyed(`GET ${path}`));
    expect([400, 404]).toContain(status);
    expect(Object.keys(JSON.parse(body) as object)).toEqual(["error"]);
  });

  test("An encoded slash, dot or NUL in an id is part of the id, and finds nothing.", async () => {
    for (const id of [
      "%2F",
      "..%2Fboards",
      "%2e%2e",
      "%00",
      "a%2F..%2Fb",
      `${service.boardId}%2Fzones`,
      `${service.boardId}%00`,
      `%20${service.boardId}`,
      `${service.boardId}%0d%0a`,
    ]) {
      for (const path of [`/api/board/${id}/zones`, `/api/board/tiles/${id}`, `/api/board/zones/${id}`]) {
        const { status, body } = await raw(keyed(`GET ${path}`));
        expect([status, Object.keys(JSON.parse(body) as object)], path).toEqual([404, ["error"]]);
      }
    }
  });

  test("An id that is percent-encoded is the same id.", async () => {
    const encoded = Array.from(service.boardId, (character) => `%${character.charCodeAt(0).toString(16)}`).join("");
    expect((await raw(keyed(`GET /api/board/${encoded}/zones`))).status).toBe(200);
  });

  test.each([
    ["/api/board/boards", "GET, POST"],
    ["/api/me", "GET"],
    ["/api/board/x/zones", "GET, POST"],
    ["/api/board/zones/x", "DELETE, GET, PATCH"],
    ["/api/board/tiles/x", "DELETE, GET, PATCH"],
    ["/api/board/tiles/x/retry", "POST"],
    ["/api/inbound/tiles", "POST"],
    ["/health/live", "GET"],
  ])("Methods that %s does not have are 405 with Allow: %s", async (path, allow) => {
    for (const method of ["HEAD", "OPTIONS", "PUT", "TRACE", "PROPFIND", "PURGE"]) {
      const { status, head, body } = await raw(keyed(`${method} ${path}`));
      expect(status, method).toBe(405);
      expect(head.toLowerCase()).toContain(`\r\nallow: ${allow.toLowerCase()}`);
      if (method === "HEAD") expect(body).toBe("");
      else expect(JSON.parse(body)).toEqual({ error: `Method not allowed. This path takes ${allow}.` });
    }
  });

  test("A header or field that names another method is passed over.", async () => {
    const { id } = (await post({ name: "Kept" })).json.zone;
    for (const name of ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]) {
      expect((await service.call("GET", `/api/board/zones/${id}?_method=DELETE`, { headers: { [name]: "DELETE" } })).json.zone.id).toBe(id);
    }
  });

  test("Every refusal is JSON with the usual headers, also of a path that can't be read.", async () => {
    for (const path of ["/nowhere", "/%zz", "/api/me"]) {
      const { status, headers, json } = await service.call("GET", path, { key: null });
      expect([400, 401, 404]).toContain(status);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-request-id")).toMatch(/^req_/);
      expect(Object.keys(json)).toEqual(["error"]);
    }
  });

  test("Health is well after all of this.", async () => {
    expect((await service.call("GET", "/health/ready", { key: null })).json).toEqual({ status: "ok" });
  });
});
