import { beforeAll, describe, expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";
import { useN8n } from "./support/host.ts";
import { executeOne, executeWrong, loadList, testCredential } from "./support/run.ts";

const host = useN8n();
const service = useTestService();
let otherId: string;
let zoneId: string;
let tileId: string;

const byId = (value: string) => ({ __rl: true, mode: "id", value });
const setup = (operation: string, parameters: object = {}, resource = "board") => ({
  baseUrl: service.url,
  apiKey: service.key,
  parameters: { resource, operation, ...parameters },
});
const board = () => ({ board: byId(service.boardId) });

beforeAll(async () => {
  const post = async (path: string, body: object) => (await service.call("POST", path, { body })).json;
  otherId = (await post("/api/board/boards", { name: "Harbour archive" })).board.id;
  zoneId = (await post(`/api/board/${service.boardId}/zones`, { name: "Opening hours" })).zone.id;
  const text = "The harbour office opens at nine and closes at five.";
  tileId = (await post(`/api/board/${service.boardId}/tiles`, { title: "Office", content: text, zone_id: zoneId })).tile.id;
  await post(`/api/board/${service.boardId}/tiles`, {
    title: "Ferry",
    content: "The ferry to the island leaves every hour. A ticket costs four euros.",
  });
});

test("the credential is tested by a call that describes the key", async () => {
  const me = (await service.call("GET", "/api/me")).json;
  expect(await testCredential(host, { baseUrl: ` ${service.url}/ `, apiKey: service.key })).toEqual(me);
  await expect(testCredential(host, { baseUrl: service.url, apiKey: "tsr_wrong" })).rejects.toMatchObject({ httpCode: "401" });
});

test("a question is answered with quotes", async () => {
  const [answer] = await executeOne(host, setup("ask", { ...board(), question: "When does the harbour office open?" }));
  expect(answer).toMatchObject({
    answered: true,
    answer: expect.stringContaining("opens at nine"),
    citations: [{ tileId, title: "Office" }],
  });
});

test("a search returns one item for each tile, within a zone if one is chosen", async () => {
  const search = (parameters: object) => executeOne(host, setup("search", { ...board(), ...parameters }));
  const found = await search({ query: "ferry office" });
  expect(found.map(({ title }) => title).toSorted()).toEqual(["Ferry", "Office"]);
  expect(found[0]).toMatchObject({ score: expect.any(Number), quote: expect.any(String) });
  expect(await search({ query: "ferry office", zone: byId(zoneId), options: { minScore: 0 } })).toMatchObject([{ tileId }]);
  expect(await search({ query: "ferry office", limit: 1 })).toHaveLength(1);
  expect(await search({ query: "ferry", options: { createdSince: "2099-01-01T00:00:00Z", everything: true } })).toEqual([]);
});

test("boards are read one by one and all together", async () => {
  expect(await executeOne(host, setup("get", { board: byId(otherId) }))).toMatchObject([{ id: otherId, name: "Harbour archive" }]);
  expect((await executeOne(host, setup("getAll", { returnAll: true }))).map(({ id }) => id).toSorted()).toEqual(
    [service.boardId, otherId].toSorted(),
  );
  expect(await executeOne(host, setup("getAll", { limit: 1 }))).toHaveLength(1);
});

test("the address of a board stands for the board", async () => {
  const get = (value: string) => setup("get", { board: { __rl: true, mode: "url", value } });
  expect(await executeOne(host, get(`${service.url}/b/${otherId}?tile=til_1`))).toMatchObject([{ id: otherId }]);
  expect(await executeWrong(host, get("https://example.com/elsewhere"))).toMatchObject({
    name: "NodeOperationError",
    context: { itemIndex: 0 },
  });
});

describe("lists of the editor", () => {
  test("boards are found by a part of their name", async () => {
    const list = (filter?: string) => loadList(host, setup("ask"), "searchBoards", filter);
    expect(await list()).toHaveLength(2);
    expect(await list(" ARCHIVE")).toEqual([{ name: "Harbour archive", value: otherId, url: `${service.url}/b/${otherId}` }]);
    expect(await list(otherId)).toHaveLength(1);
    expect(await list("nothing")).toEqual([]);
  });

  test("zones are those of the board, or of the board of the tile", async () => {
    const zone = { name: "Opening hours", value: zoneId };
    expect(await loadList(host, setup("search", board()), "searchZones", "open")).toEqual([zone]);
    expect(await loadList(host, setup("search", { board: byId(otherId) }), "searchZones")).toEqual([]);
    expect(await loadList(host, setup("generate", board(), "generation"), "listZones")).toEqual([zone]);
    expect(await loadList(host, setup("update", { tile: byId(tileId) }, "tile"), "searchZonesOrNone")).toEqual([
      { name: "Outside All Zones", value: "none" },
      zone,
    ]);
  });

  test("without a board, or with one that only the run knows, there are no zones", async () => {
    expect(await loadList(host, setup("search", { board: byId("") }), "searchZones")).toEqual([]);
    expect(await loadList(host, setup("search", { board: byId("={{ $json.board }}") }), "searchZones")).toEqual([]);
  });
});

describe("drafts", () => {
  const generation = (operation: string, parameters: object) => setup(operation, parameters, "generation");

  test("a draft is waited for, and has its text", async () => {
    const [draft] = await executeOne(
      host,
      generation("generate", {
        ...board(),
        assetType: "post",
        prompt: "the ferry",
        saveZone: byId(zoneId),
        additionalFields: { length: "80" },
      }),
    );
    expect(draft).toMatchObject({
      status: "complete",
      assetType: "post",
      text: expect.stringContaining("ferry"),
      title: expect.any(String),
    });
    expect((await service.call("GET", `/api/board/tiles/${draft.savedTileId}`)).json.tile.zoneId).toBe(zoneId);
  });

  test("a draft is started, and read later", async () => {
    const [started] = await executeOne(host, generation("start", { ...board(), additionalFields: { zones: [zoneId] } }));
    expect(started).toMatchObject({ id: expect.stringMatching(/^gen_/), boardId: service.boardId, zoneIds: [zoneId] });
    await service.call("GET", `/api/v1/generations/${started.id}?wait=25`);
    const get = generation("get", { generationId: started.id, simplify: false });
    expect(await executeOne(host, get)).toMatchObject([{ id: started.id, status: "complete", output: { text: expect.any(String) } }]);
  });
});
