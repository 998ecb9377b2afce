import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Origin, serveArticle, startOrigin } from "../../support/servers/origin.ts";
import { type TestService, startTestService } from "../../support/service.ts";
import { useN8n } from "./support/host.ts";
import { execute, executeOne, executeWrong } from "./support/run.ts";

const host = useN8n();
let origin: Origin;
let service: TestService;

beforeAll(async () => {
  origin = await startOrigin(serveArticle);
  service = await startTestService({ FETCH_ALLOW: `127.0.0.1:${origin.port}` });
});
afterAll(async () => {
  await service?.stop();
  await origin?.close();
});

const byId = (value: string) => ({ __rl: true, mode: "id", value });
const setup = (operation: string, parameters: object, more: object = {}) => ({
  baseUrl: `${service.url}/`,
  apiKey: service.key,
  parameters: { resource: "tile", operation, ...parameters },
  ...more,
});
const board = () => ({ board: byId(service.boardId) });
const create = (content: string, additionalFields: object = {}) =>
  executeOne(host, setup("create", { ...board(), source: "text", content, additionalFields }));
const newZone = async (name: string): Promise<string> =>
  (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name } })).json.zone.id;

test("a text becomes a tile with its title, zone and external id, in ten fields", async () => {
  const zoneId = await newZone("Notes");
  const parameters = { ...board(), source: "text", content: "Low tide at noon.", zone: byId(zoneId) };
  const [tile] = await executeOne(host, setup("create", { ...parameters, additionalFields: { title: "Tide", externalId: "t-1" } }));
  expect(tile).toMatchObject({ boardId: service.boardId, zoneId, title: "Tide", type: "TEXT", status: "ready", created: true });
  expect(tile).toMatchObject({ extractedText: "Low tide at noon.", sourceUrl: null });
  expect(tile).not.toHaveProperty("externalId");
  const [whole] = await executeOne(host, setup("get", { tile: byId(tile.id), simplify: false }));
  expect(whole).toEqual((await service.call("GET", `/api/board/tiles/${tile.id}`)).json.tile);
  expect(whole).toMatchObject({ externalId: "t-1" });
});

test("a link is returned with its text, if the node waits for it", async () => {
  const parameters = { ...board(), url: `${origin.url}/lighthouse` };
  const [atOnce] = await executeOne(host, setup("create", { ...parameters, url: `${origin.url}/other` }));
  expect(atOnce.status).toBe("processing");
  const [tile] = await executeOne(host, setup("create", { ...parameters, additionalFields: { waitSeconds: 60 } }));
  expect(tile).toMatchObject({ status: "ready", title: "The northern lighthouse", sourceUrl: `${origin.url}/lighthouse` });
  expect(tile.extractedText).toContain("The keeper of the northern lighthouse");
  const [later] = await executeOne(host, setup("get", { tile: byId(atOnce.id), options: { waitSeconds: 60 } }));
  expect(later.status).toBe("ready");
});

test("an upsert creates a tile and then updates it", async () => {
  const upsert = (content: string) => executeOne(host, setup("upsert", { ...board(), externalId: "u-1", source: "text", content }));
  const [first] = await upsert("One.");
  const [second] = await upsert("Two.");
  const [third] = await upsert("Two.");
  expect(first).toMatchObject({ created: true, extractedText: "One." });
  expect(second).toMatchObject({ id: first.id, created: false, changed: true, extractedText: "Two." });
  expect(third).toMatchObject({ id: first.id, created: false, changed: false });
});

test("an update changes what is given, moves the tile, and clears what is empty", async () => {
  const zoneId = await newZone("Drafts");
  const [{ id }] = await create("Before.", { title: "Before", externalId: "e-1" });
  const change = (parameters: object) => executeOne(host, setup("update", { tile: byId(id), simplify: false, ...parameters }));
  const [changed] = await change({ zone: byId(zoneId), updateFields: { title: "After", content: "After.", connected: "never" } });
  expect(changed).toMatchObject({ id, zoneId, title: "After", extractedText: "After.", connectedToChat: false, externalId: "e-1" });
  const [cleared] = await change({
    zone: { __rl: true, mode: "list", value: "none" },
    updateFields: { externalId: "", connected: "zone" },
  });
  expect(cleared).toMatchObject({ zoneId: null, externalId: null, connectedToChat: null, title: "After" });
});

test("a deleted tile is gone, and the node says so", async () => {
  const [{ id }] = await create("Short-lived.");
  expect(await executeOne(host, setup("delete", { tile: byId(id) }))).toEqual([{ deleted: true }]);
  expect((await service.call("GET", `/api/board/tiles/${id}`)).status).toBe(404);
});

test("what was deleted is not created again, if the node is told so", async () => {
  const [{ id }] = await create("Gone.", { externalId: "g-1" });
  await service.call("DELETE", `/api/board/tiles/${id}`);
  expect(await create("Gone.", { externalId: "g-1", skipDeleted: true })).toEqual([{ created: false, deleted: true }]);
});

test("the address of a tile on the page stands for the tile", async () => {
  const [{ id }] = await create("By address.");
  const get = (value: string) => executeOne(host, setup("get", { tile: { __rl: true, mode: "url", value } }));
  expect(await get(`${service.url}/b/${service.boardId}?tile=${id}`)).toMatchObject([{ id }]);
  expect(await get(`https://tessera.example/notes/b/${service.boardId}/?zone=1&tile=${id}#top`)).toMatchObject([{ id }]);
});

describe("Get Many", () => {
  let boardId: string;
  let zoneId: string;
  const list = (parameters: object) => executeOne(host, setup("getAll", { board: byId(boardId), ...parameters }));

  beforeAll(async () => {
    boardId = (await service.call("POST", "/api/board/boards", { body: { name: "Many" } })).json.board.id;
    zoneId = (await service.call("POST", `/api/board/${boardId}/zones`, { body: { name: "First" } })).json.zone.id;
    const tiles = Array.from({ length: 502 }, (_, n) => ({
      board_id: boardId,
      content: `Text ${n}.`,
      title: `Tile ${n}`,
      external_id: `n-${n}`,
      ...(n < 2 ? { zone_id: zoneId } : {}),
    }));
    for (const part of [tiles.slice(0, 500), tiles.slice(500)])
      await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles: part } });
  });

  test("it returns up to the limit, or all of several pages", async () => {
    expect(await list({})).toHaveLength(50);
    expect(await list({ limit: 501 })).toHaveLength(501);
    const all = await list({ returnAll: true });
    expect(all.map(({ title }) => title)).toEqual(Array.from({ length: 502 }, (_, n) => `Tile ${n}`));
  });

  test("it filters and sorts, and leaves texts out", async () => {
    expect((await list({ zone: byId(zoneId), options: { order: "desc" } })).map(({ title }) => title)).toEqual(["Tile 1", "Tile 0"]);
    expect(await list({ zone: { __rl: true, mode: "list", value: "none" }, returnAll: true })).toHaveLength(500);
    const [only, ...others] = await list({ filters: { externalId: "n-7", status: ["ready"], types: "TEXT" }, options: { text: false } });
    expect([only.title, others]).toEqual(["Tile 7", []]);
    expect(only).not.toHaveProperty("extractedText");
    expect(await list({ filters: { updatedSince: "2099-01-01T00:00:00Z" }, options: { order: "asc" } })).toEqual([]);
  });
});

test("each item has its own parameters, and results are paired with their items", async () => {
  const parameters = { ...board(), source: "text", content: "={{ $json.text }}", additionalFields: { title: "={{ $json.title }}" } };
  const items = [1, 2, 3].map((n) => ({ text: `Item ${n}.`, title: `Title ${n}` }));
  const output = await execute(host, setup("create", parameters), items);
  expect(output.map(({ json, pairedItem }) => [json.title, json.extractedText, pairedItem])).toEqual(
    [0, 1, 2].map((n) => [`Title ${n + 1}`, `Item ${n + 1}.`, { item: n }]),
  );
});

test("a field that would have no effect is an error, so that nothing is dropped silently", async () => {
  // Nothing shows that a text without an external id or address was deleted.
  const parameters = { ...board(), source: "text", content: "A note.", additionalFields: { skipDeleted: true } };
  const error = await executeWrong(host, setup("create", parameters));
  expect(error).toMatchObject({ name: "NodeApiError", httpCode: "400", description: expect.stringContaining("Skip Deleted") });
});
