import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type McpClient, createArguments, connectOverHttp, post, toolCall } from "../../support/clients/mcp.ts";
import { type TestService } from "../../support/service.ts";
import { UNKNOWN_TARGET, type TestData, startServiceWithData } from "../../support/test-data.ts";

let testData: TestData;
let service: TestService;
let writer: McpClient;
beforeAll(async () => {
  testData = await startServiceWithData({ CORS_ORIGINS: "https://agent.example", BASE_URL: "https://tessera.example" });
  ({ service } = testData);
  writer = await connectOverHttp(service, service.key);
});
afterAll(async () => {
  await writer.close();
  await service.stop();
});

test("the protocol accepts notifications and client responses without a response body", async () => {
  for (const body of [
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 7, result: {} },
  ]) {
    const answer = await post(service, body);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 202, text: "" });
  }
});

test("the protocol returns 400, not a server error, for invalid messages", async () => {
  const odd: readonly (readonly [unknown, RegExp])[] = [
    ["{ not json", /^The request body is not valid JSON\.$/],
    ["", /^The request body is not a JSON-RPC/],
    ["null", /^The request body is not a JSON-RPC/],
    ["5", /^The request body is not a JSON-RPC/],
    ["{}", /^The request body is not a JSON-RPC/],
    [{ id: 1, method: "tools/list" }, /^The request body is not a JSON-RPC/],
    [{ jsonrpc: "1.0", id: 1, method: "tools/list" }, /^The request body is not a JSON-RPC/],
    [{ jsonrpc: "2.0", id: { a: 1 }, method: "tools/list" }, /^The request body is not a JSON-RPC/],
    [{ jsonrpc: "2.0", id: 1, method: 5 }, /^The request body is not a JSON-RPC/],
    [[], /^Send one JSON-RPC message at a time/],
    [[toolCall("list_boards"), toolCall("list_boards")], /^Send one JSON-RPC message at a time/],
    [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boards","arguments":{"__proto__":{}}}}',
      /^__proto__ is not a known field/,
    ],
    [`${"[".repeat(100_000)}`, /nested too deeply|not valid JSON/],
  ];
  for (const [body, message] of odd) {
    const answer = await post(service, body);
    expect(answer.status, JSON.stringify(body).slice(0, 80)).toBe(400);
    expect(answer.json.error).toMatch(message);
  }
  expect((await post(service, "x", { headers: { "content-type": "text/plain" } })).status).toBe(415);
  expect((await post(service, `"${"x".repeat(17 * 1_048_576)}"`)).status).toBe(413);
  expect((await post(service, toolCall("list_boards"), { headers: { "mcp-protocol-version": "1999-01-01" } })).json.error).toMatch(
    /^MCP-Protocol-Version must be one of /,
  );
});

test("the protocol returns protocol errors for unknown methods, unknown tools and invalid parameters", async () => {
  const postForErrorCode = async (body: unknown) => {
    const { status, json } = await post(service, body);
    expect(status).toBe(200);
    expect(json.id).toBe(1);
    return json.error.code;
  };
  expect(await postForErrorCode({ jsonrpc: "2.0", id: 1, method: "resources/list" })).toBe(-32_601);
  expect(await postForErrorCode({ jsonrpc: "2.0", id: 1, method: "__proto__" })).toBe(-32_601);
  expect(await postForErrorCode(toolCall("no_such_tool"))).toBe(-32_602);
  expect(await postForErrorCode(toolCall("constructor"))).toBe(-32_602);
  for (const params of [undefined, {}, { name: 5 }, { name: "list_boards", arguments: [] }, { name: "list_boards", arguments: "x" }])
    expect(await postForErrorCode({ jsonrpc: "2.0", id: 1, method: "tools/call", params })).toBe(-32_602);
  expect(await postForErrorCode({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} })).toBe(-32_602);
});

test("the protocol reports invalid arguments to the model in a sentence that names them", async () => {
  const board = { board_id: testData.boardA1.boardId };
  const wrong: readonly (readonly [tool: string, args: Record<string, unknown>, message: string, code?: string])[] = [
    ["list_zones", {}, "board_id is required.", "field_missing"],
    ["list_zones", { board_id: " " }, "board_id is required.", "field_missing"],
    ["list_zones", { board_id: null }, "board_id is required.", "field_missing"],
    ["list_zones", { board_id: 5 }, "board_id must be a string."],
    ["list_zones", { board_id: "a\u0000" }, "board_id must be valid Unicode without NUL."],
    ["list_zones", { board_id: "\ud800" }, "board_id must be valid Unicode without NUL."],
    ["list_zones", { __proto__: { board_id: testData.boardA1.boardId } }, "board_id is required.", "field_missing"],
    ["list_zones", { ...board, Board: 1 }, "Board is not a known field.", "field_unknown"],
    ["list_zones", { board_id: "x".repeat(100_000) }, "Board not found.", "board_not_found"],
    ["list_tiles", { ...board, limit: 0 }, "limit must be a whole number from 1 to 200."],
    ["list_tiles", { ...board, limit: 1.5 }, "limit must be a whole number from 1 to 200."],
    ["list_tiles", { ...board, limit: "5" }, "limit must be a whole number from 1 to 200."],
    ["list_tiles", { ...board, status: "gone" }, "status must be one of processing, ready, failed."],
    ["list_tiles", { ...board, cursor: "AAAA" }, "cursor is not valid.", "cursor_invalid"],
    ["read_tile", { tile_id: testData.boardA1.tileId, length: 100_001 }, "length must be a whole number from 1 to 100000."],
    ["add_tile", board, "Either text or url must be provided.", "field_missing"],
    ["add_tile", { ...board, text: "a", url: "https://example.com" }, "Provide either text or url, not both.", "invalid"],
    ["add_tile", { ...board, url: "http://127.0.0.1/" }, "url points inside the network.", "url_not_allowed"],
    ["add_tile", { ...board, url: "javascript:alert(1)" }, "url must be an http or https address."],
    ["add_tile", { ...board, text: "x".repeat(1_000_001) }, "text is too long. The maximum is 1,000,000 characters."],
    ["add_tile", { ...board, text: "x", title: "🌊".repeat(501) }, "title is too long. The maximum is 500 characters."],
    ["ask_board", { ...board, question: "" }, "question is required.", "field_missing"],
    ["ask_board", { ...board, question: "x".repeat(4_001) }, "question is too long. The maximum is 4,000 characters."],
    ["search_board", { ...board, query: ["x"] }, "query must be a string."],
  ];
  for (const [name, args, error, code = "field_invalid"] of wrong)
    expect(await writer.call(name, args), `${name} ${JSON.stringify(args).slice(0, 80)}`).toEqual({
      isError: true,
      text: error,
      data: { error, code },
    });
  for (const query of ['"', "*", "NEAR(a b)", "title:x", "' OR 1=1 --", "\\", "(", "🌊"]) {
    expect((await writer.call("search_board", { ...board, query })).isError, query).toBe(false);
    expect((await writer.call("ask_board", { ...board, question: query })).isError, query).toBe(false);
  }
});

test("the protocol matches concurrent requests with their responses", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => post(service, toolCall("read_tile", { tile_id: testData.boardA1.tileId }, `id ${i}`))),
  );
  expect(answers.map(({ json }) => json.id)).toEqual(Array.from({ length: 20 }, (_, i) => `id ${i}`));
});

test("unexpected messages never cause a server error", { timeout: 300_000 }, async () => {
  const text = fc.oneof(
    fc.constantFrom("tools/call", "tools/list", "initialize", "ping", "notifications/cancelled", "2.0", "__proto__", "\u0000", "\ud800"),
    fc.string(),
  );
  const value = fc.oneof(
    text,
    fc.integer(),
    fc.constantFrom(null, true, [], {}, 1e308),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
  );
  const tool = fc.constantFrom(...Object.keys(createArguments(UNKNOWN_TARGET)), "no_such_tool");
  const args = fc.dictionary(
    fc.constantFrom(
      "board_id",
      "tile_id",
      "text",
      "url",
      "question",
      "query",
      "limit",
      "start",
      "length",
      "cursor",
      "zone_id",
      "__proto__",
    ),
    value,
  );
  const params = fc.oneof(
    value,
    fc.record(
      { name: fc.oneof({ weight: 4, arbitrary: tool }, value), arguments: fc.oneof({ weight: 4, arbitrary: args }, value), task: value },
      { requiredKeys: ["name"] },
    ),
  );
  const message = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 8, arbitrary: fc.constant("2.0") }, value),
      id: value,
      method: fc.oneof({ weight: 3, arbitrary: fc.constant("tools/call") }, text),
      params,
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 8, arbitrary: message }, value), async (body) => {
      const answer = await post(service, JSON.stringify(body));
      const told = `${JSON.stringify(body)} → ${answer.status} ${answer.text.slice(0, 300)}`;
      expect([200, 202, 400], told).toContain(answer.status);
      expect(answer.text, told).not.toMatch(/Something went wrong|-32603|node_modules/);
    }),
    { numRuns: 400, seed: 20_260_101 },
  );
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
