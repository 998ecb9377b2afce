import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { revokeKey } from "#service/settings/keys.ts";
import { type McpClient, connectOverHttp, post, toolCall } from "../../support/clients/mcp.ts";
import { exchange, pour, send } from "../../support/clients/raw.ts";
import { type TestService, startTestService } from "../../support/service.ts";
import { type TestData, startServiceWithData } from "../../support/test-data.ts";

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

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

test("the MCP endpoint rejects requests without a valid key before it reads the body", async () => {
  const revoked = await service.newKey();
  await revokeKey(service.appContext.deps, service.businessId, revoked.id, "operator");
  for (const body of [LIST, "{ not json", toolCall("list_boards")]) {
    expect(await post(service, body, { key: null })).toMatchObject({
      status: 401,
      json: { error: "Missing API key. Send it in the X-API-Key header." },
    });
    for (const key of ["x", revoked.key, `${service.key.slice(0, -1)}~`])
      expect(await post(service, body, { key })).toMatchObject({ status: 401, json: { error: "Invalid API key." } });
  }
  const { status } = await service.call("POST", `/mcp?key=${service.key}`, { body: LIST, key: null });
  expect(status).toBe(401);
  const bearer = await post(service, LIST, { key: null, headers: { authorization: `Bearer ${service.key}` } });
  expect(bearer.json.result.tools).toHaveLength(13);
});

test("the MCP endpoint closes the connection of a rejected request instead of reading its huge body", async () => {
  const head =
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-API-Key: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
  expect((await exchange(service.url, `${head}5\r\n{    \r\n`)).status).toBe(401);
  expect((await pour(service.url, head, Buffer.alloc(65_536, 0x20), 64 * 1_048_576)).isClosedByServer).toBe(true);
});

test.each(["GET", "DELETE", "PUT", "PATCH"])("the MCP endpoint returns 405 for %s, because there are no sessions", async (method) => {
  const answer = await service.call(method, "/mcp", { headers: { accept: "text/event-stream", "mcp-session-id": "x" } });
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("POST");
});

test("the MCP endpoint rejects foreign Host and Origin headers, with and without a key", async () => {
  const call = (headers: Record<string, string>) =>
    send(service.url, "POST", "/mcp", { "x-api-key": service.key, "content-type": "application/json", ...headers }, JSON.stringify(LIST));
  const { port } = new URL(service.url);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, "LOCALHOST", `[::1]:${port}`, "tessera.example", "tessera.example:443"])
    expect((await call({ host })).status, host).toBe(200);
  for (const host of [
    "evil.example",
    `evil.example:${port}`,
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "192.168.1.7",
    "0.0.0.0",
  ]) {
    const { status, text } = await call({ host });
    expect(status, host).toBe(403);
    expect(JSON.parse(text).error, host).toMatch(/^The Host header does not match/);
  }
  for (const host of ["x@localhost", "localhost/evil", "%6cocalhost"]) expect((await call({ host })).status, host).toBe(400);
  for (const origin of ["https://agent.example", "http://localhost:6274", "http://127.0.0.1", "https://tessera.example"])
    expect((await call({ origin })).status, origin).toBe(200);
  for (const origin of [
    "https://evil.example",
    "null",
    "http://agent.example",
    "https://agent.example.evil.example",
    "file://",
    "http://localhost.evil.example",
    "javascript:1",
    "",
  ]) {
    const { status, text } = await call({ origin });
    expect(status, origin).toBe(403);
    expect(JSON.parse(text).error, origin).toMatch(/CORS_ORIGINS/);
  }
  const rebound = await send(service.url, "POST", "/mcp", { host: "evil.example", "content-type": "application/json" }, "{}");
  expect(rebound.status).toBe(403);
  expect((await send(service.url, "GET", "/api/me", { host: "evil.example", "x-api-key": service.key })).status).toBe(200);
});

test("questions use the rate limit of questions, other tools the general one, and both report when to retry", async () => {
  const limited = await startTestService({ ROLE: "api", RATE_LIMIT_ASK_PER_MINUTE: "2", RATE_LIMIT_PER_MINUTE: "12" });
  onTestFinished(() => limited.stop());
  const ask = toolCall("ask_board", { board_id: limited.boardId, question: "When?" });
  for (let i = 0; i < 2; i++) expect((await post(limited, ask)).json.result.isError).toBeUndefined();
  const { result } = (await post(limited, ask)).json;
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^Too many requests\. The maximum is [\d,]+ a minute\. Try again in \d+ s\.$/) }],
  });
  expect((await limited.call("GET", `/api/board/${limited.boardId}/ask?q=when`)).status).toBe(429);
  for (let i = 3; i < 12; i++) expect((await post(limited, toolCall("list_boards"))).json.result.isError).toBeUndefined();
  const refused = await post(limited, toolCall("list_boards"));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});
