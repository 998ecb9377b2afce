import { expect, test } from "vitest";
import { testData, service, writer, connectAs, useMcpService } from "./support/mcp-service.ts";

useMcpService();

const HINTS: Readonly<Record<string, readonly [isDestructive: boolean, isIdempotent: boolean, isOpen: boolean]>> = {
  generate_text: [false, false, false],
  generate_ideas: [false, false, false],
  add_tile: [false, false, true],
  update_tile: [true, true, true],
  delete_tile: [true, true, false],
  change_tiles: [true, false, true],
};

test("the tools have a title, a description, schemas and hints each", async () => {
  const { tools } = await writer.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "list_boards",
    "list_zones",
    "list_tiles",
    "read_tile",
    "search_board",
    "ask_board",
    "generate_text",
    "generate_ideas",
    "read_generation",
    "add_tile",
    "update_tile",
    "delete_tile",
    "change_tiles",
  ]);
  for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
    expect(description?.length, name).toBeGreaterThan(40);
    expect(inputSchema, name).toMatchObject({ type: "object", additionalProperties: false });
    expect(
      Object.values(inputSchema.properties ?? {}).every((field) => "description" in field),
      name,
    ).toBe(true);
    expect(outputSchema?.["anyOf"], name).toEqual([
      { required: expect.arrayContaining([expect.any(String)]) },
      { required: ["error", "code"] },
    ]);
    expect(JSON.stringify([inputSchema, outputSchema]), name).not.toMatch(/"(?:x-|~|examples)/);
    const [destructiveHint, idempotentHint, openWorldHint] = HINTS[name] ?? [false, true, false];
    expect(annotations, name).toMatchObject({ readOnlyHint: !(name in HINTS), destructiveHint, idempotentHint, openWorldHint });
  }
  expect(writer.client.getServerVersion()).toMatchObject({ name: "tessera" });
  expect(writer.client.getInstructions()).toContain("list_boards");
});

test("the tools work together: a note is added, listed, read, found and cited", async () => {
  const { boardId } = testData.boardA2;
  const { data: boards } = await writer.call("list_boards");
  expect(boards.boards).toContainEqual({ id: boardId, name: "Second", isDefault: false, slug: "second" });
  const { data: zones } = await writer.call("list_zones", { board_id: boardId });
  expect(zones.zones).toEqual([{ id: testData.boardA2.zoneId, name: "Zone", connectedToChat: true }]);
  const text = "The ferry to Ystad leaves at 14:30 from pier nine.";
  const added = await writer.call("add_tile", { board_id: boardId, text, title: "Ferries", zone_id: testData.boardA2.zoneId });
  expect(added.data).toEqual({ tile: { id: expect.stringMatching(/^til_/), type: "TEXT", status: "ready" }, created: true });
  const { id } = added.data.tile;
  const { data: listed } = await writer.call("list_tiles", { board_id: boardId, zone_id: testData.boardA2.zoneId });
  expect(listed.tiles.at(-1)).toEqual({
    id,
    zoneId: testData.boardA2.zoneId,
    type: "TEXT",
    title: "Ferries",
    status: "ready",
    sourceUrl: null,
    externalId: null,
    tags: [],
    error: null,
    updatedAt: expect.any(String),
  });
  const read = await writer.call("read_tile", { tile_id: id });
  expect(read.data).toMatchObject({
    tile: { id, boardId, title: "Ferries" },
    text,
    start: 0,
    totalCharacters: text.length,
    nextStart: null,
  });
  const { data: found } = await writer.call("search_board", { board_id: boardId, query: "ferry Ystad" });
  expect(found.results[0]).toMatchObject({ tileId: id, title: "Ferries", quote: text });
  const { data: answer } = await writer.call("ask_board", { board_id: boardId, question: "When does the ferry to Ystad leave?" });
  expect(answer).toMatchObject({ answered: true, mode: "extractive" });
  expect(answer.citations[0]).toMatchObject({ tileId: id, quote: text, start: 0, end: text.length });
});

test("the tools add a saved answer, which is searchable but not used in answers", async () => {
  const { boardId, businessId } = await service.newBusiness("Saved");
  const client = await connectAs({ businessId });
  const text = "The ferry to Ystad leaves at noon.";
  const { id } = (await client.call("add_tile", { board_id: boardId, text, origin: "answer" })).data.tile;
  expect((await client.call("read_tile", { tile_id: id })).data.tile).toMatchObject({
    connectedToChat: false,
    metadata: { origin: "answer" },
  });
  const search = async (more: object = {}) =>
    (await client.call("search_board", { board_id: boardId, query: "ferry Ystad", ...more })).data.results;
  expect(await search()).toEqual([]);
  expect(await search({ scope: "all" })).toMatchObject([{ tileId: id, quote: text, connected: false, status: "ready" }]);
  const { data } = await client.call("ask_board", { board_id: boardId, question: "When does the ferry to Ystad leave?" });
  expect(data).toMatchObject({ answered: false, citations: [] });
  const on = (await client.call("add_tile", { board_id: boardId, text, origin: "answer", connected_to_chat: true })).data.tile;
  expect((await search()).map(({ tileId }: { tileId: string }) => tileId)).toEqual([on.id]);
  for (const [more, message] of [
    [{ text, connected_to_chat: "no" }, "connected_to_chat must be a boolean."],
    [{ text, origin: "me" }, "origin must be one of answer, generation."],
    [{ url: "https://example.com/", origin: "answer" }, "origin needs text."],
  ] as const)
    expect(await client.call("add_tile", { board_id: boardId, ...more })).toMatchObject({ isError: true, text: message });
  await client.close();
});

test("the tools add a tile with the language of its text", async () => {
  const { boardId } = testData.boardA2;
  const add = (language_hint: string) => writer.call("add_tile", { board_id: boardId, text: "Häuser, Wälder, Städte", language_hint });
  const { id } = (await add("pt-br")).data.tile;
  expect((await service.call("GET", `/api/board/tiles/${id}`)).json.tile.languageHint).toBe("pt-BR");
  expect((await writer.call("read_tile", { tile_id: id })).data.tile).toMatchObject({ languageHint: "pt-BR", connectedToChat: null });
  expect(await add("german")).toMatchObject({
    isError: true,
    text: "language_hint must be a BCP 47 language tag such as de or pt-BR.",
  });
});

test("the tools add a link, which is fetched in the background", async () => {
  const added = await writer.call("add_tile", { board_id: testData.boardA2.boardId, url: "https://youtu.be/dQw4w9WgXcQ" });
  expect(added.data.tile).toMatchObject({ type: "YOUTUBE", status: "processing" });
  const { data } = await writer.call("read_tile", { tile_id: added.data.tile.id });
  expect(data).toMatchObject({ tile: { status: "processing", sourceUrl: "https://youtu.be/dQw4w9WgXcQ" }, text: "" });
});

test("the tools list the tiles of a zone, and those outside zones", async () => {
  const { board } = (await service.call("POST", "/api/board/boards", { body: { name: "Zones" } })).json;
  const { zone } = (await service.call("POST", `/api/board/${board.id}/zones`, { body: { name: "Zone" } })).json;
  const client = await connectAs({ businessId: service.businessId });
  const args = { board_id: board.id };
  const add = async (zone_id?: string) =>
    (await client.call("add_tile", { ...args, text: "Note", ...(zone_id === undefined ? {} : { zone_id }) })).data.tile.id;
  const [inside, outside] = [await add(zone.id), await add()];
  const list = async (zone_id: string) => (await client.call("list_tiles", { ...args, zone_id })).data.tiles.map(({ id }: any) => id);
  expect([await list(zone.id), await list("none")]).toEqual([[inside], [outside]]);
  expect(await client.call("list_tiles", { ...args, zone_id: "zon_none" })).toMatchObject({
    isError: true,
    data: { code: "zone_not_on_board" },
  });
});

test("the tools page through tiles, and through the text of one tile, without splitting a character", async () => {
  const { boardId, businessId } = await service.newBusiness("Pages");
  const client = await connectAs({ businessId });
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push((await client.call("add_tile", { board_id: boardId, text: `Note ${i}` })).data.tile.id);
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const { data } = await client.call("list_tiles", { board_id: boardId, limit: 2, ...(cursor == null ? {} : { cursor }) });
    expect(data.tiles.length).toBeLessThanOrEqual(2);
    seen.push(...data.tiles.map(({ id }: { id: string }) => id));
    cursor = data.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(ids);
  const { data: first } = await client.call("list_tiles", { board_id: boardId, limit: 2 });
  for (const wrong of ["x", `${first.nextCursor}x`])
    expect(await client.call("list_tiles", { board_id: boardId, limit: 2, cursor: wrong })).toMatchObject({
      isError: true,
      text: "cursor is not valid.",
    });
  expect(await client.call("list_tiles", { board_id: boardId, status: "ready", cursor: first.nextCursor })).toMatchObject({
    isError: true,
  });

  const text = "🌊".repeat(50);
  const { id } = (await client.call("add_tile", { board_id: boardId, text })).data.tile;
  let whole = "";
  for (let start: number | null = 0; start !== null;) {
    const { data }: { data: any } = await client.call("read_tile", { tile_id: id, start, length: 7 });
    expect(data.text.isWellFormed()).toBe(true);
    expect(data.start).toBe(whole.length);
    whole += data.text;
    start = data.nextStart;
  }
  expect(whole).toBe(text);
  expect((await client.call("read_tile", { tile_id: id, start: 3 })).data).toMatchObject({ start: 2, text: text.slice(2) });
  expect((await client.call("read_tile", { tile_id: id, start: 5_000 })).data).toMatchObject({ start: 100, text: "", nextStart: null });
});
