import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../e2e/support/servers.ts";
import { type Origin, serveArticle, startOrigin } from "../../support/servers/origin.ts";
import { type TestService, startTestService } from "../../support/service.ts";
import { SERVER, asHttpCall, flowWith } from "../support/flows.ts";
import { type NodeRed, startNodeRed } from "../support/node-red.ts";
import { buildRecipes } from "../../../web/src/settings/recipes/recipes.ts";

/** Routes the example site to a port on which nothing listens, so that no test uses the network. */
const NOWHERE = "https://example.com=http://127.0.0.1:9";

let site: Origin;
let service: TestService;
let nodeRed: NodeRed;

beforeAll(async () => {
  site = await startOrigin(serveArticle);
  service = await startTestService({ FETCH_ALLOW: `127.0.0.1:${site.port}`, FETCH_ROUTES: NOWHERE });
  nodeRed = await startNodeRed();
  await deploy();
});
afterAll(async () => {
  await nodeRed?.stop();
  await service?.stop();
  await site?.close();
});

const deploy = (key = service.key, board = service.boardId): Promise<void> =>
  nodeRed.deploy(
    flowWith(
      service.url,
      ...asHttpCall("create", { board, zone: "", wait: true }),
      ...asHttpCall("ask", { board }),
      ...asHttpCall("search", { board, limit: "1" }),
      ...asHttpCall("generate", { board, zone: "", kind: "post" }),
    ),
    { [SERVER]: { apiKey: key } },
  );

/** Runs a node with a payload, and returns the payload of its message. */
async function run(name: string, payload: unknown): Promise<any> {
  const { status, json } = await nodeRed.post(`/red/${name}`, { payload });
  if (status !== 200) throw new Error(json.error);
  return json;
}

test("a text becomes a note, an address a link with its text, and an object any tile", async () => {
  expect(await run("create", "The harbour opens at nine.")).toMatchObject({ type: "TEXT", status: "ready", created: true });
  const link = await run("create", `${site.url}/lighthouse`);
  expect(link).toMatchObject({ status: "ready", created: true, sourceUrl: `${site.url}/lighthouse` });
  expect(link.extractedText).toContain("Its lens was ground in Paris");
  const note = { content: "Opening hours.", title: "Hours", external_id: "h-1" };
  expect(await run("create", note)).toMatchObject({ title: "Hours", externalId: "h-1", created: true });
  expect(await run("create", { ...note, title: "New hours" })).toMatchObject({ title: "New hours", created: false });
});

test("a question is answered with its quotes, and a search finds the best tiles", async () => {
  await run("create", { content: "The ferry to the island leaves at seven.", title: "Ferry" });
  await run("create", { content: "The ferry back leaves at nine.", title: "Ferry back" });
  const answer = await run("ask", "When does the ferry to the island leave?");
  expect(answer).toMatchObject({ answered: true, mode: "extractive" });
  expect(answer.citations[0]).toMatchObject({ title: "Ferry", quote: expect.stringContaining("leaves at seven") });
  expect(await run("ask", { question: "When does the ferry to the island leave?" })).toMatchObject({ answered: true });
  expect(await run("search", "ferry to the island")).toMatchObject([{ title: "Ferry" }]);
  expect(await run("search", { q: "ferry", limit: 2 })).toHaveLength(2);
});

test("a text and ideas are generated", async () => {
  await run("create", { content: "The lighthouse of the northern cape was built in 1887 by two brothers.", title: "Lighthouse" });
  expect(await run("generate", "the lighthouse")).toMatchObject({
    status: "complete",
    assetType: "post",
    output: { text: expect.any(String) },
  });
  await nodeRed.deploy(flowWith(service.url, ...asHttpCall("generate", { board: service.boardId, zone: "", kind: "ideas" })), {
    [SERVER]: { apiKey: service.key },
  });
  expect(await run("generate", { prompt: "the lighthouse", count: 2 })).toMatchObject({ status: "complete", ideas: [{}, {}] });
  await deploy();
});

test("errors go to Catch nodes with the server's sentence", async () => {
  await expect(run("create", {})).rejects.toThrow("Either content or url must be provided.");
  await expect(run("ask", "")).rejects.toThrow("question is required.");
  await deploy("tsr_wrong");
  await expect(run("ask", "Who?")).rejects.toThrow("Invalid API key.");
  await deploy(service.key, "");
  await expect(run("search", "ferry")).rejects.toThrow("Choose a board in the dialog, or set msg.boardId.");
  expect(await run("create", { content: "With a board.", board_id: service.boardId })).toMatchObject({ created: true });
  await nodeRed.deploy(flowWith(service.url, ...asHttpCall("ask", { server: "", board: service.boardId })));
  await expect(run("ask", "Who?")).rejects.toThrow("Choose a server in the dialog of this node.");
  await nodeRed.deploy(flowWith("", ...asHttpCall("ask", { board: service.boardId })), { [SERVER]: { apiKey: service.key } });
  await expect(run("ask", "Who?")).rejects.toThrow("Enter the address of the server in its dialog.");
  await deploy();
});

test("dialogs test a connection, and list boards and zones", async () => {
  const zone = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Inbox" } })).json.zone;
  const lookUp = async (name: string, fields: object) => (await nodeRed.post(`/admin/tessera/${name}`, fields)).json;
  expect(await lookUp("connection", { server: SERVER })).toMatchObject({ permission: "write", scope: { boardId: null } });
  expect(await lookUp("boards", { server: SERVER })).toContainEqual({ id: service.boardId, name: expect.any(String) });
  expect(await lookUp("zones", { server: SERVER, boardId: service.boardId })).toContainEqual({ id: zone.id, name: "Inbox" });
  const { key } = await service.newKey({ permission: "read" });
  expect(await lookUp("connection", { server: "", url: service.url, apiKey: key })).toMatchObject({ permission: "read" });
  expect(await lookUp("connection", { server: "", url: service.url, apiKey: "tsr_wrong" })).toEqual({ error: "Invalid API key." });
  expect(await lookUp("boards", { server: "unknown" })).toEqual({ error: "Choose a server in the dialog of this node." });
});

test("a stored key is never sent to an address that a dialog names", async () => {
  const asked: unknown[] = [];
  const stranger = await startOrigin((request, response) => {
    asked.push(request.headers["x-api-key"]);
    response.end("{}");
  });
  expect((await nodeRed.post("/admin/tessera/connection", { server: SERVER, url: stranger.url })).json).toMatchObject({
    permission: "write",
  });
  await stranger.close();
  expect(asked).toEqual([]);
});

test("the recipe's flow creates a tile when it is pasted, and only needs a key", async () => {
  const recipe = buildRecipes({ base: service.url, boardId: service.boardId }).find(({ id }) => id === "node-red");
  const [flow] = (recipe?.send ?? []).flatMap(({ code }) => (code?.startsWith("[") ? [JSON.parse(code) as any[]] : []));
  const [server, inject] = flow!;
  const tab = { id: "00000000000000f1", type: "tab", label: "Recipe" };
  await nodeRed.deploy([tab, ...flow!.map((node) => ({ ...(node !== server && { z: tab.id }), ...node }))], {
    [server.id]: { apiKey: service.key },
  });
  expect(await nodeRed.post(`/admin/inject/${inject.id}`, {})).toMatchObject({ status: 200 });
  await until("the tile", async () => {
    const { tiles } = (await service.call("GET", `/api/board/${service.boardId}/tiles`)).json;
    return tiles.some(({ sourceUrl }: any) => sourceUrl === "https://example.com/article");
  });
  await deploy();
});
