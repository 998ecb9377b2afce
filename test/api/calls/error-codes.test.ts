import { afterAll, beforeAll, expect, test } from "vitest";
import { ERROR_CODES, type ErrorCode } from "#domain/core/errors/error-codes.ts";
import { exchange } from "../../support/clients/raw.ts";
import { fillPath } from "../../support/operations.ts";
import { type Answer, startTestService } from "../../support/service.ts";
import { type EveryOperation, startEveryOperation } from "./support/every-operation.ts";
import { LOG_IN_REQUIRED, NOT_PERMITTED } from "./support/errors.ts";
import { SHORT_OF } from "./support/route-fixtures.ts";

/** Needs that a permission alone does not meet. */
const KEYS_WITH: Readonly<Record<string, string>> = {
  manage: "a key with the permission write",
  subscribe: "a key that was made with webhooks",
};

const PROBLEM = { accept: "application/problem+json" };

let every: EveryOperation;
beforeAll(async () => {
  every = await startEveryOperation();
});
afterAll(() => every.testData.service.stop());

const codeOf = ({ headers }: Answer): string | null => headers.get("x-error-code");
const isMembersOnly = (need: string): boolean => ["member", "administer", "own"].includes(need);

test("a problem document of every operation names the missing permission, or says that a log-in is needed", async () => {
  const { service } = every.testData;
  for (const operation of every.operations) {
    const { need } = every.fixtureOf(operation);
    for (const permission of SHORT_OF[need].slice(0, 1)) {
      const { key } = await service.newKey({ permission });
      const { json } = await service.call(operation.method, fillPath(operation.path, every.ids), { key, headers: PROBLEM });
      const [code, detail] = isMembersOnly(need)
        ? ["log_in_required", LOG_IN_REQUIRED]
        : ["permission_missing", `${NOT_PERMITTED} It needs ${KEYS_WITH[need] ?? `the permission ${need}`}`];
      expect(json, operation.name).toMatchObject({ status: 403, code, detail: expect.stringContaining(detail) });
    }
  }
});

test.each<[string, string, number, ErrorCode]>([
  ["an unknown path", "GET /nowhere HTTP/1.1\r\nHost: x\r\n", 404, "path_not_found"],
  ["an unknown file of the page", "GET /assets/nothing.js HTTP/1.1\r\nHost: x\r\n", 404, "path_not_found"],
  ["an unknown page in a browser", "GET /nowhere HTTP/1.1\r\nHost: x\r\nSec-Fetch-Mode: navigate\r\n", 404, "path_not_found"],
  ["an invalid escape", "GET /%zz HTTP/1.1\r\nHost: x\r\n", 404, "path_not_found"],
  ["a wrong method", "PUT /api/me HTTP/1.1\r\nHost: x\r\n", 405, "method_not_allowed"],
  ["a header that occurs twice", "GET /api/me HTTP/1.1\r\nHost: x\r\nHost: y\r\n", 400, "request_malformed"],
  ["a missing Host", "GET /api/me HTTP/1.1\r\n", 400, "request_malformed"],
  ["an unknown expectation", "GET /api/me HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n", 417, "expectation_failed"],
  ["headers that are too large", `GET /api/me HTTP/1.1\r\nHost: x\r\nX-Long: ${"a".repeat(20_000)}\r\n`, 431, "headers_too_large"],
  ["what is not HTTP", "HELO there\r\n", 400, "request_malformed"],
  [
    "a body with two lengths",
    "POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n",
    400,
    "request_malformed",
  ],
  ["metrics behind a proxy", "GET /metrics HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.0.0.1\r\n", 403, "forbidden"],
])("%s is rejected with a code", async (_name, head, status, code) => {
  const answer = await exchange(every.testData.service.url, `${head}Connection: close\r\n\r\n`);
  expect(answer.status).toBe(status);
  expect(answer.head.toLowerCase()).toContain(`\r\nx-error-code: ${code}`);
});

test("a body that is too large, not JSON, of another type, or encoded is rejected with a code", async () => {
  const { service, boardA1 } = every.testData;
  const zones = `/api/board/${boardA1.boardId}/zones`;
  const send = async (body: string, headers: Record<string, string> = {}): Promise<unknown> => {
    const answer = await service.call("POST", zones, { body, headers });
    return [answer.status, codeOf(answer)];
  };
  expect(await send(JSON.stringify({ name: "x".repeat(17 * 1_048_576) }))).toEqual([413, "too_large"]);
  expect(await send("{")).toEqual([400, "body_invalid"]);
  expect(await send("[]")).toEqual([400, "body_invalid"]);
  expect(await send("x", { "content-type": "text/plain" })).toEqual([415, "unsupported_media_type"]);
  expect(await send("x", { "content-encoding": "gzip" })).toEqual([415, "unsupported_media_type"]);
  expect(await send("{}", { "idempotency-key": " " })).toEqual([400, "field_missing"]);
});

test("a call over the Model Context Protocol that is no message has a code, and a wrong key too", async () => {
  const { service } = every.testData;
  const wrong = await service.call("POST", "/mcp", { body: { no: "message" } });
  expect([wrong.status, codeOf(wrong), wrong.headers.get("x-ignored-fields")]).toEqual([400, "body_invalid", null]);
  const stranger = await service.call("POST", "/mcp", { key: "tsr_wrong", body: {} });
  expect([stranger.status, codeOf(stranger)]).toEqual([401, "key_invalid"]);
  expect(stranger.headers.get("www-authenticate")).toBe('Bearer realm="Tessera", error="invalid_token"');
});

test("other errors have codes of their own", async () => {
  const { service, boardA1, boardA2 } = every.testData;
  const { key: scoped } = await service.newKey({ boardId: boardA2.boardId });
  const call = async (method: string, path: string, options: Parameters<typeof service.call>[2] = {}): Promise<string | null> =>
    codeOf(await service.call(method, path, options));
  const tile = `/api/board/tiles/${boardA1.tileId}`;
  expect(await call("GET", tile, { key: scoped })).toBe("board_not_allowed");
  expect(await call("POST", `${tile}/retry`)).toBe("nothing_to_retry");
  expect(await call("DELETE", `/api/board/boards/${boardA1.boardId}`)).toBe("default_board");
  expect(await call("PATCH", tile, { body: { title: "x" }, headers: { "if-match": '"999"' } })).toBe("precondition_failed");
  expect(await call("GET", `/api/board/${boardA1.boardId}/tiles?limit=5&cursor=x`)).toBe("cursor_invalid");
  expect(await call("PATCH", tile, { body: { zone_id: boardA2.zoneId } })).toBe("zone_not_on_board");
  const once = { "idempotency-key": "codes" };
  await call("POST", `/api/board/${boardA1.boardId}/zones`, { body: { name: "One" }, headers: once });
  expect(await call("POST", `/api/board/${boardA1.boardId}/zones`, { body: { name: "Two" }, headers: once })).toBe(
    "idempotency_key_reused",
  );
  const member = await every.owner.call("POST", "/api/settings/password", {
    body: { current_password: "x", new_password: "correct battery" },
  });
  expect(codeOf(member)).toBe("field_invalid");
});

test("a call beyond the rate limit has a code, and says when to repeat it as a problem document too", async () => {
  const limited = await startTestService({ ROLE: "api", RATE_LIMIT_PER_MINUTE: "1" });
  try {
    await limited.call("GET", "/api/me");
    const { status, headers, json } = await limited.call("GET", "/api/me", { headers: PROBLEM });
    expect([status, headers.get("x-error-code"), json.code]).toEqual([429, "rate_limited", "rate_limited"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  } finally {
    await limited.stop();
  }
});

const zones = (): string => `/api/board/${every.ids.boardId}/zones`;
const send = (accept: string) => every.testData.service.call("POST", zones(), { body: {}, headers: { accept } });

test("a problem document has everything that RFC 9457 defines, the code and the field", async () => {
  const { status, headers, json } = await send("application/problem+json");
  expect([status, headers.get("content-type")]).toEqual([400, "application/problem+json; charset=utf-8"]);
  expect(json).toEqual({
    type: "urn:tessera:error:field_missing",
    title: ERROR_CODES.field_missing[1],
    status: 400,
    detail: "name is required.",
    code: "field_missing",
    field: "name",
  });
});

test("a problem document names the field of a number, and the one that named a zone of another board", async () => {
  const { service, boardA1, boardA2 } = every.testData;
  const board = `/api/board/${boardA1.boardId}`;
  const zone = boardA2.zoneId;
  const fieldOf = async (method: string, path: string, body?: object) => {
    const { json } = await service.call(method, path, { headers: PROBLEM, ...(body === undefined ? {} : { body }) });
    return [json.code, json.field];
  };
  expect(await fieldOf("GET", `${board}/search?q=harbour&min_score=5`)).toEqual(["field_invalid", "min_score"]);
  const calls: readonly [field: string, method: string, path: string, body?: object][] = [
    ["zone_id", "GET", `${board}/tiles?zone_id=${zone}`],
    ["zone_id", "POST", `${board}/tiles`, { content: "Text.", zone_id: zone }],
    ["zone_id", "PATCH", `/api/board/tiles/${boardA1.tileId}`, { zone_id: zone }],
    ["zone_id", "POST", `${board}/tiles/bulk`, { filter: { zone_id: zone }, action: { retry: true } }],
    ["move_to", "POST", `${board}/tiles/bulk`, { filter: { type: "TEXT" }, action: { move_to: zone } }],
    ["zone_ids", "POST", "/api/v1/idea", { board_id: boardA1.boardId, zone_ids: [zone] }],
    ["save_to_zone_id", "POST", "/api/v1/generate", { board_id: boardA1.boardId, asset_type: "post", save_to_zone_id: zone }],
  ];
  for (const [field, ...call] of calls) expect(await fieldOf(...call), call.join(" ")).toEqual(["zone_not_on_board", field]);
});

test.each([
  ["application/json, application/problem+json", true],
  ["application/problem+json;q=0.5, */*", true],
  ["Application/Problem+JSON; charset=utf-8", true],
  ["application/problem+json;q=0", false],
  ["application/problem+json; q=0.000, application/json", false],
  ["application/problem+json;q=0.1, application/json;q=0.9", false],
  ["application/problem+json+x", false],
  ["*/*", false],
  ["", false],
])("a problem document is sent for Accept: %s: %s", async (accept, isProblem) => {
  const { json } = await send(accept);
  if (isProblem) expect(json).toMatchObject({ detail: "name is required." });
  else expect(json).toEqual({ error: "name is required." });
});
