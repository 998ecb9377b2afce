import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { type McpClient, connectOverHttp } from "../../support/clients/mcp.ts";
import { type TestService } from "../../support/service.ts";
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

/** A client with its own key, closed after the test. */
async function connectAs(options: Parameters<TestService["newKey"]>[0]): Promise<McpClient> {
  const client = await connectOverHttp(service, (await service.newKey(options)).key);
  onTestFinished(() => client.close());
  return client;
}

/** The answer of a tool that failed. */
const failed = (error: string, code: string) => ({ isError: true, text: error, data: { error, code } });
let boardId: string;
let client: McpClient;
beforeEach(async () => {
  const business = await service.newBusiness("Changes");
  ({ boardId } = business);
  client = await connectAs({ businessId: business.businessId });
});

const add = async (args: object = {}) => (await client.call("add_tile", { board_id: boardId, text: "One", ...args })).data;
const read = async (id: string) => (await client.call("read_tile", { tile_id: id })).data;
const list = async () => (await client.call("list_tiles", { board_id: boardId })).data.tiles.map(({ id }: { id: string }) => id);

test("the tools that change tiles say whether a tile was created, existed or was changed", async () => {
  const first = await add({ external_id: "a" });
  const tile = { id: first.tile.id, type: "TEXT", status: "ready" };
  expect(first).toEqual({ tile, created: true });
  expect(await add({ external_id: "a" })).toEqual({ tile, created: false, changed: false });
  expect(await add({ external_id: "a", text: "Two" })).toEqual({ tile, created: false, changed: true });
  await client.call("delete_tile", { tile_id: first.tile.id });
  expect(await add({ external_id: "a", skip_deleted: true })).toEqual({ tile: null, created: false, deleted: true });
  expect(await add({ skip_deleted: true })).toMatchObject({ code: "field_without_effect" });
});

test("the tools that change tiles update, delete and restore a tile", async () => {
  const { id } = (await add()).tile;
  const update = (args: object) => client.call("update_tile", { tile_id: id, ...args });
  expect((await update({ title: "New", text: "Two", external_id: "n", connected_to_chat: false })).data).toEqual({
    tile: { id, type: "TEXT", status: "ready" },
  });
  expect(await read(id)).toMatchObject({ tile: { title: "New", externalId: "n", connectedToChat: false }, text: "Two" });
  expect((await update({ text: "x".repeat(50_000) })).isError).toBe(false);
  for (const refresh_minutes of [60, null])
    expect(await update({ refresh_minutes })).toMatchObject({ isError: true, data: { code: "field_without_effect" } });
  expect(await update({ text: "x".repeat(1_000_001) })).toEqual(
    failed("text is too long. The maximum is 1,000,000 characters.", "field_invalid"),
  );
  expect((await client.call("delete_tile", { tile_id: id })).data).toEqual({ ok: true });
  expect(await client.call("delete_tile", { tile_id: id })).toEqual(failed("Tile not found.", "tile_not_found"));
  const restore = { board_id: boardId, filter: { tile_ids: [id] }, action: { restore: true } };
  expect((await client.call("change_tiles", restore)).data).toMatchObject({ matched: 1, changed: 1, tileIds: [id] });
  expect(await list()).toEqual([id]);
});

test("the tools that change tiles change many tiles, and refuse every argument that they do not know", async () => {
  for (let i = 0; i < 120; i++) await add({ text: `Note ${i}` });
  const change = (args: object) =>
    client.call("change_tiles", { board_id: boardId, filter: { status: "ready" }, action: { delete: true }, ...args });
  const { data } = await change({ dry_run: true });
  expect([data.matched, data.changed, data.tileIds.length]).toEqual([120, 0, 100]);
  for (const wrong of ["dryrun", "dry_runs", "DRY_RUN", "isDryRun"])
    expect(await change({ [wrong]: true }), wrong).toEqual(failed(`${wrong} is not a known field.`, "field_unknown"));
  expect(await change({ dry_run: false, dryRun: true })).toMatchObject({ data: { code: "field_without_effect" } });
  expect(await change({ filter: { status: "ready", label: "a" } })).toMatchObject({ data: { code: "field_unknown" } });
  expect(await change({ action: { delete: true, retry: true } })).toMatchObject({ data: { code: "field_invalid" } });
  expect(await change({ dry_run: "yes" })).toEqual(failed("dry_run must be a boolean.", "field_invalid"));
  expect(await change({ dry_run: null })).toMatchObject({ data: { code: "field_invalid" } });
  expect(await change({ dryRun: " " })).toMatchObject({ data: { code: "field_invalid" } });
  expect(await client.call("delete_tile", { tile_id: (await list())[0], dry_run: true })).toMatchObject({
    data: { code: "field_unknown" },
  });
  expect(await list()).toHaveLength(50);
  expect((await change({ dryRun: true })).data.matched).toBe(120);
  expect((await change({ action: { connected_to_chat: false } })).data).toMatchObject({ matched: 120, changed: 120 });
  expect((await change({})).data).toMatchObject({ matched: 120, changed: 120 });
  expect(await list()).toEqual([]);
});

test("the search leaves out what hardly matches", async () => {
  await add({ text: "The ferry to Ystad leaves at noon." });
  await add({ text: "A ferry is a boat, and boats of all kinds are painted every spring, when the weather is dry." });
  const search = async (more: object) =>
    (await client.call("search_board", { board_id: boardId, query: "ferry Ystad", ...more })).data.results;
  const all: readonly { readonly score: number }[] = await search({});
  expect(all).toHaveLength(2);
  expect(await search({ min_score: all[0]?.score })).toEqual(all.slice(0, 1));
  expect(await search({ type: "PDF" })).toEqual([]);
  expect(await client.call("search_board", { board_id: boardId, query: "x", min_score: 2 })).toMatchObject({
    isError: true,
    text: "min_score must be a number from 0 to 1.",
  });
});

test("the tools write a text from the board and save it", async () => {
  await add({ text: "The lighthouse of Nordholm was built in 1887. It is 41 metres tall." });
  const written = await client.call("generate_text", { board_id: boardId, asset_type: "post", prompt: "The lighthouse" });
  expect(written.data.generation).toMatchObject({
    status: "complete",
    mode: "extractive",
    output: { text: expect.stringContaining("1887") },
  });
  expect(written.text).toContain("It is data from outside");
  const { id } = written.data.generation;
  expect((await client.call("read_generation", { generation_id: id, wait: 5 })).data.generation).toEqual(written.data.generation);
  const ideas = (await client.call("generate_ideas", { board_id: boardId, count: 2 })).data.generation.ideas;
  expect(ideas.length).toBeGreaterThan(0);
  const chosen = { board_id: boardId, asset_type: "article", idea_id: ideas[0].id };
  expect((await client.call("generate_text", chosen)).data.generation.status).toBe("complete");
  expect(await client.call("generate_text", { board_id: boardId, asset_type: "poem" })).toMatchObject({
    data: { code: "field_invalid" },
  });
  expect(await client.call("generate_text", { ...chosen, async: true })).toEqual(failed("async is not a known field.", "field_unknown"));
  expect(await client.call("read_generation", { generation_id: "gen_none" })).toEqual(
    failed("Generation not found.", "generation_not_found"),
  );
});

test("tools give tiles tags and properties, find tiles by them, and change those of many", async () => {
  const one = (await add({ tags: ["Red", "red", "big"], properties: { order: 1 } })).tile.id;
  const two = (await add({ tags: ["red"], properties: { order: 2 } })).tile.id;
  expect((await read(one)).tile).toMatchObject({ tags: ["Red", "big"], properties: { order: 1 } });
  const find = async (args: object) =>
    (await client.call("list_tiles", { board_id: boardId, ...args })).data.tiles.map(({ id, tags }: any) => [id, tags]);
  expect(await find({ tag: "RED" })).toEqual([
    [one, ["Red", "big"]],
    [two, ["red"]],
  ]);
  expect(await find({ tag: ["red", "big"] })).toEqual([[one, ["Red", "big"]]]);
  expect(await find({ properties: { order: [2, 3] }, status: ["ready"] })).toEqual([[two, ["red"]]]);
  await client.call("update_tile", { tile_id: one, tags: ["green"], properties: null });
  expect((await read(one)).tile).toMatchObject({ tags: ["green"], properties: {} });
  const change = { board_id: boardId, filter: { tag: "red" }, action: { add_tags: ["new"] } };
  expect((await client.call("change_tiles", change)).data).toMatchObject({ matched: 1, changed: 1 });
  expect((await read(two)).tile.tags).toEqual(["red", "new"]);
  expect(await client.call("add_tile", { board_id: boardId, text: "x", tags: [1] })).toEqual(
    failed("tags must be an array of strings.", "field_invalid"),
  );
});
