import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestService, startTestService } from "../../support/service.ts";
import { UNKNOWN_TARGET } from "../../support/test-data.ts";

let service: TestService;
let zoneId: string;
let otherZoneId: string;
beforeAll(async () => {
  service = await startTestService({ ROLE: "api" });
  zoneId = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Zone" } })).json.zone.id;
  const { id } = (await service.call("POST", "/api/board/boards", { body: { name: "Other" } })).json.board;
  otherZoneId = (await service.call("POST", `/api/board/${id}/zones`, { body: { name: "Foreign" } })).json.zone.id;
});
afterAll(() => service.stop());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const FOREIGN_ZONE = "The zone does not belong to this board.";
const create = (body: unknown, boardId = service.boardId) => service.call("POST", `/api/board/${boardId}/tiles`, { body });
const createTile = async (body: unknown): Promise<any> => (await create(body)).json.tile;
const read = (id: string) => service.call("GET", `/api/board/tiles/${id}`);
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  service.call("PATCH", `/api/board/tiles/${id}`, { body, headers });
const link = async (): Promise<string> =>
  (await service.call("POST", "/api/inbound/tiles", { body: { board_id: service.boardId, url: "https://example.com/page" } })).json.tile.id;

describe("creating a tile", () => {
  test("from text returns the ready tile with all fields", async () => {
    const { status, json } = await create({ content: " Hello,\r\n**world** " });
    expect(status).toBe(200);
    expect(json).toEqual({
      tile: {
        id: expect.stringMatching(/^til_[0-9a-z]{26}$/),
        boardId: service.boardId,
        zoneId: null,
        type: "TEXT",
        title: "Untitled note",
        rawContent: " Hello,\r\n**world** ",
        extractedText: " Hello,\r\n**world** ",
        status: "ready",
        sourceUrl: null,
        metadata: {},
        error: null,
        warnings: [],
        sortOrder: expect.any(Number),
        externalId: null,
        connectedToChat: null,
        createdAt: expect.stringMatching(TIME),
        updatedAt: json.tile.createdAt,
      },
      created: true,
    });
    expect((await read(json.tile.id)).json).toEqual({ tile: json.tile });
  });

  test.each([
    [{ title: "T" }, { title: "T", zoneId: null }],
    [{ title: "  " }, { title: "Untitled note" }],
    [{ title: "" }, { title: "Untitled note" }],
    [{ title: null }, { title: "Untitled note" }],
    [{ zone_id: null }, { zoneId: null }],
    [{ zone_id: "" }, { zoneId: null }],
    [{ external_id: "" }, { externalId: null }],
    [{ externalId: "a-1" }, { externalId: "a-1" }],
    [
      { type: "YOUTUBE", status: "failed", id: "til_x", extractedText: "no", rawContent: "no" },
      { type: "TEXT", status: "ready", extractedText: "c", rawContent: "c" },
    ],
  ])("with %j returns %j", async (fields, expected) => {
    expect(await createTile({ content: "c", ...fields })).toMatchObject(expected);
  });

  test("accepts the zone under both names", async () => {
    expect((await createTile({ content: "c", zone_id: zoneId })).zoneId).toBe(zoneId);
    expect((await createTile({ content: "c", zoneId })).zoneId).toBe(zoneId);
  });

  test("from a link returns a processing tile in its zone; given text makes it a text tile", async () => {
    const link = await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { url: "https://example.com/a", title: "A" } });
    expect(link.status).toBe(200);
    expect(link.json.tile).toMatchObject({ status: "processing", sourceUrl: "https://example.com/a", title: "A", extractedText: "" });
    const both = await service.call("POST", `/api/board/${service.boardId}/tiles`, {
      body: { url: "https://example.com/a", content: "Text" },
    });
    expect(both.json.tile).toMatchObject({ status: "ready", type: "TEXT", sourceUrl: null, extractedText: "Text" });
    const wrong = await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { url: "javascript:alert(1)" } });
    expect([wrong.status, wrong.json.error]).toEqual([400, "url must be an http or https address."]);
  });

  test.each([
    [{}, "content is required."],
    [{ content: "" }, "content is required."],
    [{ content: " \n " }, "content is required."],
    [{ content: null }, "content is required."],
    [{ title: "only" }, "content is required."],
    [{ content: 5 }, "content must be a string."],
    [{ content: { a: 1 } }, "content must be a string."],
    [{ content: "a\u0000" }, "content must be valid Unicode without NUL."],
    [{ content: "\ud800" }, "content must be valid Unicode without NUL."],
    [{ content: "c", title: 5 }, "title must be a string."],
    [{ content: "c", title: "x".repeat(501) }, "title is too long. The maximum is 500 characters."],
    [{ content: "c", zone_id: 5 }, "zone_id must be a string."],
    [{ content: "c", zone_id: UNKNOWN_TARGET.zoneId }, FOREIGN_ZONE],
    [{ content: "c", zone_id: "__proto__" }, FOREIGN_ZONE],
    [{ content: "c", external_id: "x".repeat(201) }, "external_id is too long. The maximum is 200 characters."],
  ])("from %j is rejected: %s", async (body, message) => {
    const { status, json } = await create(body);
    expect([status, json]).toEqual([400, { error: message }]);
  });

  test("in a zone of another board is rejected, and so is an update", async () => {
    const refusal = { error: FOREIGN_ZONE };
    expect((await create({ content: "c", zone_id: otherZoneId })).json).toEqual(refusal);
    const { id } = await createTile({ content: "c", zone_id: zoneId });
    const moved = await patch(id, { zone_id: otherZoneId });
    expect([moved.status, moved.json]).toEqual([400, refusal]);
    expect((await read(id)).json.tile.zoneId).toBe(zoneId);
  });

  test("with an existing external_id of the board updates that tile; on another board it is a new one", async () => {
    const first = await createTile({ content: "one", external_id: "sync-1", zone_id: zoneId });
    const second = await createTile({ content: "two", title: "Named", external_id: "sync-1" });
    expect(second).toMatchObject({
      id: first.id,
      zoneId,
      title: "Named",
      rawContent: "two",
      extractedText: "two",
      createdAt: first.createdAt,
    });
    const third = await createTile({ content: "three", external_id: "sync-1" });
    expect(third).toMatchObject({ id: first.id, title: "Named", extractedText: "three" });
    const otherBoard = (await read((await createTile({ content: "x" })).id)).json.tile.boardId;
    expect(otherBoard).toBe(service.boardId);
    const { id: boardId } = (await service.call("POST", "/api/board/boards", { body: { name: "Twin" } })).json.board;
    expect((await create({ content: "one", external_id: "sync-1" }, boardId)).json.tile.id).not.toBe(first.id);
    await service.call("DELETE", `/api/board/tiles/${first.id}`);
    expect((await createTile({ content: "again", external_id: "sync-1" })).id).not.toBe(first.id);
  });
});

describe("updating a tile", () => {
  test("replaces rawContent and extractedText by content; a title changes neither", async () => {
    const tile = await createTile({ content: "old", title: "T" });
    const changed = (await patch(tile.id, { content: "new" })).json.tile;
    expect(changed).toEqual({ ...tile, rawContent: "new", extractedText: "new", updatedAt: changed.updatedAt });
    expect((await patch(tile.id, { title: "U" })).json.tile).toMatchObject({ title: "U", rawContent: "new", extractedText: "new" });
    expect((await read(tile.id)).json.tile).toMatchObject({ title: "U", extractedText: "new" });
  });

  test("moves it with zone_id; null removes it from its zone, and a blank value changes nothing", async () => {
    const { id } = await createTile({ content: "c" });
    expect((await patch(id, { zoneId })).json.tile.zoneId).toBe(zoneId);
    expect((await patch(id, { zone_id: "" })).json.tile.zoneId).toBe(zoneId);
    expect((await patch(id, { title: "x" })).json.tile.zoneId).toBe(zoneId);
    expect((await patch(id, { zone_id: null })).json.tile.zoneId).toBeNull();
    expect((await patch(id, { sort_order: 7 })).json.tile.sortOrder).toBe(7);
    expect((await patch(id, { title: null, content: null, sort_order: null })).json.tile).toMatchObject({
      title: "x",
      extractedText: "c",
      sortOrder: 7,
    });
  });

  test.each([
    [{ title: "" }, "title must not be blank."],
    [{ title: "  " }, "title must not be blank."],
    [{ content: "" }, "content must not be blank."],
    [{ content: "\n" }, "content must not be blank."],
    [{ content: 1 }, "content must be a string."],
    [{ zone_id: UNKNOWN_TARGET.zoneId }, FOREIGN_ZONE],
    [{ sort_order: "1" }, "sort_order must be a whole number from -1000000000 to 1000000000."],
    [[], "The request body must be a JSON object."],
  ])("with %j is rejected: %s", async (body, message) => {
    const tile = await createTile({ content: "c", title: "t" });
    const { status, json } = await patch(tile.id, body);
    expect([status, json]).toEqual([400, { error: message }]);
    expect((await read(tile.id)).json.tile).toEqual(tile);
  });

  test("requires the version in If-Match", async () => {
    const { id } = await createTile({ content: "c" });
    const etag = (await read(id)).headers.get("etag") ?? "";
    const first = await patch(id, { title: "One" }, { "if-match": etag });
    expect(first.status).toBe(200);
    expect((await patch(id, { title: "Two" }, { "if-match": etag })).status).toBe(412);
    expect((await patch(id, { title: "Two" }, { "if-match": '"x", W/"1"' })).status).toBe(412);
    expect((await patch(id, { title: "Two" }, { "if-match": `${etag}, ${first.headers.get("etag")}` })).json.error).toMatch(
      /several versions/,
    );
    expect((await patch(id, { title: "Three" }, { "if-match": `"x", ${first.headers.get("etag")}` })).status).toBe(200);
    expect((await read(id)).json.tile.title).toBe("Three");
  });

  test("replaces a processing link by content, which is ready at once", async () => {
    const id = await link();
    expect((await read(id)).json.tile).toMatchObject({
      status: "processing",
      rawContent: "https://example.com/page",
      sourceUrl: "https://example.com/page",
      extractedText: "",
    });
    expect((await patch(id, { content: "By hand" })).json.tile).toMatchObject({
      status: "ready",
      rawContent: "By hand",
      extractedText: "By hand",
      error: null,
    });
    const retry = await service.call("POST", `/api/board/tiles/${id}/retry`);
    expect(retry.status).toBe(409);
    expect(retry.json.error).toMatch(/by hand/);
    expect((await read(id)).json.tile.textOverridden).toBe(true);
    const schedule = await patch(id, { refresh_minutes: 60 });
    expect([schedule.status, schedule.json.error]).toEqual([409, expect.stringMatching(/replaced by hand.*replace_text=true/)]);
    const replaced = await service.call("POST", `/api/board/tiles/${id}/retry?replace_text=true`);
    expect([replaced.status, replaced.json.tile.status, replaced.json.tile.extractedText]).toEqual([200, "processing", "By hand"]);
  });
});

describe("deleting, restoring, retrying and waiting", () => {
  test("return 404 for a tile that does not exist", async () => {
    for (const id of [UNKNOWN_TARGET.tileId, "x", "%00", "a%2Fb", zoneId, "x".repeat(500)]) {
      for (const [method, suffix] of [
        ["GET", ""],
        ["PATCH", ""],
        ["DELETE", ""],
        ["POST", "/restore"],
        ["POST", "/retry"],
      ] as const) {
        const { status, json } = await service.call(
          method,
          `/api/board/tiles/${id}${suffix}`,
          method === "PATCH" ? { body: { title: "x" } } : {},
        );
        expect([status, json], `${method} ${id}`).toEqual([404, { error: "Tile not found." }]);
      }
    }
  });

  test("zone_id=none selects the tiles outside zones", async () => {
    const path = `/api/board/${service.boardId}`;

    const create = async (more: object): Promise<string> =>
      (await service.call("POST", `${path}/tiles`, { body: { content: "x", ...more } })).json.tile.id;
    const [outside, inside] = [await create({}), await create({ zone_id: zoneId })];
    const { tiles } = (await service.call("GET", `${path}/tiles?zone_id=none`)).json;
    const ids = tiles.map(({ id }: { id: string }) => id);
    expect([ids.includes(outside), ids.includes(inside)]).toEqual([true, false]);
    expect(tiles.filter((tile: { zoneId: string | null }) => tile.zoneId !== null)).toEqual([]);
    const page = (await service.call("GET", `${path}/tiles?zone_id=none&limit=1&count=true`)).json;
    expect([page.tiles.length, page.total]).toEqual([1, tiles.length]);
    expect((await service.call("GET", `${path}/tiles?zone_id=none&limit=1`)).json).not.toHaveProperty("total");
    const body = { filter: { zone_id: "none" }, action: { retry: true }, dry_run: true };
    expect((await service.call("POST", `${path}/tiles/bulk`, { body })).json.matched).toBe(tiles.length);
  });

  test("hide a deleted tile from all endpoints until it is restored", async () => {
    const tile = await createTile({ content: "A lighthouse keeper writes.", zone_id: zoneId });
    const gone = await service.call("DELETE", `/api/board/tiles/${tile.id}`);
    expect([gone.status, gone.json]).toEqual([200, { ok: true }]);
    expect((await service.call("DELETE", `/api/board/tiles/${tile.id}`)).json).toEqual({ error: "Tile not found." });
    expect((await read(tile.id)).status).toBe(404);
    expect((await patch(tile.id, { title: "x" })).status).toBe(404);
    expect((await service.call("GET", `/api/board/${service.boardId}/tiles?zone_id=${zoneId}`)).text).not.toContain(tile.id);
    const restored = await service.call("POST", `/api/board/tiles/${tile.id}/restore`);
    expect(restored.json.tile).toMatchObject({ id: tile.id, zoneId, extractedText: tile.extractedText, status: "ready" });
    expect((await service.call("POST", `/api/board/tiles/${tile.id}/restore`)).json).toEqual(restored.json);
  });

  test("do not retry text tiles and processing tiles", async () => {
    const { id } = await createTile({ content: "c" });
    const text = await service.call("POST", `/api/board/tiles/${id}/retry`);
    expect([text.status, text.json]).toEqual([409, { error: "A text tile has nothing to retry." }]);
    const busy = await service.call("POST", `/api/board/tiles/${await link()}/retry`);
    expect([busy.status, busy.json]).toEqual([409, { error: "The tile is still processing." }]);
  });

  test("return as soon as the tile is no longer processing or is deleted", async () => {
    const id = await link();
    expect((await service.call("GET", `/api/board/tiles/${id}?wait=0`)).json.tile.status).toBe("processing");
    expect((await service.call("GET", `/api/board/tiles/${id}?wait=1`)).json.tile.status).toBe("processing");
    const [waited] = await Promise.all([service.call("GET", `/api/board/tiles/${id}?wait=25`), patch(id, { content: "Done" })]);
    expect(waited.json.tile).toMatchObject({ status: "ready", extractedText: "Done" });
    const second = await link();
    const [lost] = await Promise.all([
      service.call("GET", `/api/board/tiles/${second}?wait=25`),
      service.call("DELETE", `/api/board/tiles/${second}`),
    ]);
    expect([lost.status, lost.json]).toEqual([404, { error: "Tile not found." }]);
    for (const wait of ["61", "-1", "x", "1.5"]) {
      const { status, json } = await service.call("GET", `/api/board/tiles/${id}?wait=${wait}`);
      expect([status, json]).toEqual([400, { error: "wait must be a whole number from 0 to 60." }]);
    }
  });
});
