import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Origin, startOrigin } from "../../support/servers/origin.ts";
import { useTestService } from "../../support/service.ts";
import { useN8n } from "./support/host.ts";
import { execute, executeWrong } from "./support/run.ts";

const host = useN8n();
const service = useTestService();

const byId = (value: string) => ({ __rl: true, mode: "id", value });
const setup = (parameters: object, more: object = {}) => ({ baseUrl: service.url, apiKey: service.key, parameters, ...more });
const create = (parameters: object) =>
  setup({ resource: "tile", operation: "create", source: "text", board: byId(service.boardId), ...parameters });

describe("errors", () => {
  test("the message is the server's, and the description names parameter and item", async () => {
    const zone = byId("={{ $json.zone }}");
    const error = await executeWrong(host, create({ content: "x", zone }), [{ zone: "" }, { zone: "zon_unknown" }]);
    expect(error).toMatchObject({ name: "NodeApiError", httpCode: "400", context: { itemIndex: 1 } });
    expect(error.message).toBe("The zone does not belong to this board.");
    expect(error.description).toMatch(/^(?:Check the parameter 'Zone' of|See) item 1\. \(\w+\)$/);
    const blank = await executeWrong(host, create({ content: " " }));
    expect(blank.description).toMatch(/^Check the parameter 'Text' of item 0\./);
  });

  test("what the node itself finds names parameter and item too", async () => {
    const badJson = await executeWrong(host, create({ content: "x", additionalFields: { properties: "[1]" } }));
    expect(badJson).toMatchObject({ name: "NodeOperationError", context: { itemIndex: 0 } });
    expect(badJson.message).toBe(`The parameter 'Properties' must be a JSON object, such as { "order": 42 }.`);
    const noBoard = await executeWrong(host, create({ content: "x", board: byId("") }));
    expect(noBoard.message).toBe("The parameter 'Board' is empty.");
    const noField = await executeWrong(host, setup({ resource: "tile", operation: "update", tile: byId("til_1") }));
    expect(noField.message).toMatch(/^The parameter 'Update Fields' is empty/);
    expect((await executeWrong(host, setup({ resource: "generation", operation: "get" }))).message).toBe(
      "The parameter 'Generation ID' is empty.",
    );
  });

  test("a wrong key and a missing permission are told apart", async () => {
    const list = { resource: "board", operation: "getAll" };
    const wrongKey = await executeWrong(host, setup(list, { apiKey: `tsr_${"a".repeat(38)}` }));
    expect(wrongKey).toMatchObject({ httpCode: "401", message: "Invalid API key.", description: expect.stringContaining("API Key") });
    const { key } = await service.newKey({ permission: "inbound" });
    expect(await executeWrong(host, setup(list, { apiKey: key }))).toMatchObject({ httpCode: "403" });
  });

  test("with Continue On Fail, the other items go on, and the item has its error", async () => {
    const content = "={{ $json.text }}";
    const output = await execute(host, { ...create({ content }), continueOnFail: true }, [
      { text: "One." },
      { text: "" },
      { text: "Three." },
    ]);
    expect(output.map(({ json }) => json.extractedText ?? json.error)).toEqual(["One.", expect.any(String), "Three."]);
    expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
    expect(output[1]).toMatchObject({ error: { name: "NodeApiError" }, json: { description: expect.stringContaining("item 1") } });
  });

  test("an operation that the node does not have is named", async () => {
    expect((await executeWrong(host, setup({ resource: "tile", operation: "fly" }))).message).toBe(
      "The node has no operation 'fly' for 'tile'.",
    );
  });
});

describe("addresses that are not those of a server", () => {
  const list = { resource: "board", operation: "getAll" };
  let page: Origin;
  const seen: string[] = [];

  beforeAll(async () => {
    page = await startOrigin((request, response) => {
      seen.push(String(request.headers["x-api-key"]));
      if (request.url?.startsWith("/moved")) response.writeHead(301, { location: "https://elsewhere.example/api" }).end();
      else if (request.url?.startsWith("/busy"))
        response.writeHead(429, { "content-type": "application/json", "retry-after": "5" }).end('{"error":"Busy."}');
      else response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>");
    });
  });
  afterAll(() => page?.close());
  const call = (path: string) => executeWrong(host, setup(list, { baseUrl: page.url + path }));

  test("a redirect is reported, and the key does not follow it", async () => {
    expect(await call("/moved")).toMatchObject({ message: expect.stringContaining("redirects to https://elsewhere.example/api") });
    expect(seen).toEqual([service.key]);
  });

  test("a page of something else is reported", async () => {
    expect(await call("/page")).toMatchObject({
      message: expect.stringContaining("is not Tessera"),
      description: expect.stringContaining("Server URL"),
    });
  });

  test("a busy server says when to try again", async () => {
    expect(await call("/busy")).toMatchObject({ httpCode: "429", description: expect.stringContaining("after 5 seconds") });
  });

  test("a server that is away is reported with the reason", async () => {
    const closed = createServer();
    await new Promise<void>((done) => closed.listen(0, "127.0.0.1", done));
    const { port } = closed.address() as { port: number };
    await new Promise((done) => closed.close(done));
    const error = await executeWrong(host, setup(list, { baseUrl: `http://127.0.0.1:${port}` }));
    expect(error).toMatchObject({ name: "NodeApiError", context: { itemIndex: 0 } });
    expect(error.message).toMatch(/refused|connect/i);
  });
});
