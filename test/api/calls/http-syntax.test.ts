import { expect, test } from "vitest";
import { exchange } from "../../support/clients/raw.ts";
import { service, ZONES, post, useLimitsService } from "./support/limits-service.ts";

useLimitsService();

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
])("%s is rejected, and nothing is created", async (_, headers, body) => {
  const before = (await service.call("GET", ZONES())).text;
  const { status } = await raw(keyed(`POST ${ZONES()}`, `Content-Type: application/json\n${headers}`), body);
  expect(status).toBe(400);
  expect((await service.call("GET", ZONES())).text).toBe(before);
});

const heads: readonly (readonly [string, string, string])[] = [
  ["two hosts", "/api/me", "Host: x\nHost: y\n"],
  ["the same host twice", "/api/me", "Host: x\nhost: x\n"],
  ["two bearer tokens", "/api/me", "Host: x\nAuthorization: Bearer a\nAuthorization: Bearer b\n"],
  ["two media types", "/api/me", "Host: x\nContent-Type: application/json\nContent-Type: text/plain\n"],
  ["a host with a user", "/api/me", "Host: localhost@evil.example\n"],
  ["a host with a password", "/api/me", "Host: a:80@evil.example\n"],
  ["a port that is no number", "/api/me", "Host: localhost:80x\n"],
  ["a port out of range", "/api/me", "Host: localhost:65536\n"],
  ["two ports", "/api/me", "Host: localhost:80:81\n"],
  ["a host with a path", "/api/me", "Host: localhost/evil.example\n"],
  ["a list of hosts", "/api/me", "Host: localhost, evil.example\n"],
  ["a host with a fragment", "/api/me", "Host: localhost#evil.example\n"],
  ["an address without its bracket", "/api/me", "Host: [::1\n"],
  ["a target of another host", "http://evil.example/api/me", "Host: x\n"],
  ["a target of another port", "http://x:81/api/me", "Host: x\n"],
  ["a target with a user", "http://a@x/api/me", "Host: x\n"],
  ["a target of another scheme", "ftp://x/api/me", "Host: x\n"],
];
test.each(heads)("%s is rejected, and the connection closed", async (_, target, headers) => {
  const lines = `GET ${target} HTTP/1.1\nX-API-Key: ${service.key}\n${headers}\n`;
  const { status, body } = await raw(lines);
  expect([status, Object.keys(JSON.parse(body) as object)]).toEqual([400, ["error"]]);
});

test("two keys are rejected for a cached listing too", async () => {
  const lines = `GET ${ZONES()} HTTP/1.1\nHost: x\nX-API-Key: ${service.key}\nConnection: close\n`;
  for (let call = 0; call < 3; call++) expect((await raw(`${lines}\n`)).status).toBe(200);
  expect((await raw(`${lines}Host: y\n\n`)).status).toBe(400);
});

test.each([
  ["http://x/api/me", "x"],
  ["HTTP://X:80/api/me?a=b", "x:80"],
  ["/api/me", "[::1]:8080"],
])("the target %s of the host %s is accepted", async (target, host) => {
  const { status } = await raw(`GET ${target} HTTP/1.1\nHost: ${host}\nX-API-Key: ${service.key}\nConnection: close\n\n`);
  expect(status).toBe(200);
});

test("lines without a carriage return, and other protocols, are rejected", async () => {
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
])("%s of over 16 KB is rejected with 431", async (_, header) => {
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
test.each(oddPaths)("the path %s is not found", async (path) => {
  const { status, body } = await raw(keyed(`GET ${path}`));
  expect([400, 404]).toContain(status);
  expect(Object.keys(JSON.parse(body) as object)).toEqual(["error"]);
});

test("an encoded slash, dot or NUL in an id is part of the id, which is not found", async () => {
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

test("a percent-encoded id is decoded", async () => {
  const encoded = Array.from(service.boardId, (character) => `%${character.charCodeAt(0).toString(16)}`).join("");
  expect((await raw(keyed(`GET /api/board/${encoded}/zones`))).status).toBe(200);
});

test.each([
  ["/api/board/boards", "GET, HEAD, POST"],
  ["/api/me", "GET, HEAD"],
  ["/api/board/x/zones", "GET, HEAD, POST"],
  ["/api/board/zones/x", "DELETE, GET, HEAD, PATCH"],
  ["/api/board/tiles/x", "DELETE, GET, HEAD, PATCH"],
  ["/api/board/tiles/x/retry", "POST"],
  ["/api/inbound/tiles", "POST"],
  ["/health/live", "GET, HEAD"],
])("methods that %s does not have return 405 with Allow: %s", async (path, allow) => {
  for (const method of ["OPTIONS", "PUT", "TRACE", "PROPFIND", "PURGE"]) {
    const { status, head, body } = await raw(keyed(`${method} ${path}`));
    expect(status, method).toBe(405);
    expect(head.toLowerCase()).toContain(`\r\nallow: ${allow.toLowerCase()}`);
    expect(JSON.parse(body)).toEqual({ error: `Method not allowed. This path takes ${allow}.` });
  }
});

test("headers and fields that override the method are ignored", async () => {
  const { id } = (await post({ name: "Kept" })).json.zone;
  for (const name of ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]) {
    expect((await service.call("GET", `/api/board/zones/${id}?_method=DELETE`, { headers: { [name]: "DELETE" } })).json.zone.id).toBe(id);
  }
});

test("every error is JSON with the usual headers, also for an invalid path", async () => {
  for (const path of ["/nowhere", "/%zz", "/api/me"]) {
    const { status, headers, json } = await service.call("GET", path, { key: null });
    expect([400, 401, 404]).toContain(status);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    expect(Object.keys(json)).toEqual(["error"]);
  }
});

test("the server stays healthy after all of this", async () => {
  expect((await service.call("GET", "/health/ready", { key: null })).json).toEqual({ status: "ok" });
});
