import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestService, startTestService } from "../../support/service.ts";
import { UNKNOWN_TARGET } from "../../support/test-data.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ROLE: "api" });
});
afterAll(() => service.stop());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const create = (body: unknown, boardId = service.boardId) => service.call("POST", `/api/board/${boardId}/zones`, { body });
const createZone = async (body: unknown): Promise<any> => (await create(body)).json.zone;
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  service.call("PATCH", `/api/board/zones/${id}`, { body, headers });
const newBoard = async (): Promise<string> => (await service.call("POST", "/api/board/boards", { body: { name: "Board" } })).json.board.id;

describe("creating a zone", () => {
  test("returns a connected zone of size md without colour and emoji at the next position", async () => {
    const boardId = await newBoard();
    const { status, json } = await create({ name: "First" }, boardId);
    expect(status).toBe(200);
    expect(json).toEqual({
      zone: {
        id: expect.stringMatching(/^zon_[0-9a-z]{26}$/),
        boardId,
        name: "First",
        sortOrder: expect.any(Number),
        connectedToChat: true,
        color: null,
        emoji: null,
        size: "md",
        createdAt: expect.stringMatching(TIME),
        updatedAt: expect.stringMatching(TIME),
      },
    });
    const second = (await create({ name: "Second" }, boardId)).json.zone;
    expect(second.sortOrder).toBeGreaterThan(json.zone.sortOrder);
    const far = (await create({ name: "Far", sort_order: 100 }, boardId)).json.zone;
    expect([far.sortOrder, (await create({ name: "Next" }, boardId)).json.zone.sortOrder]).toEqual([100, 101]);
  });

  test("accepts every field of a patch, under either name", async () => {
    const fields = { connectedToChat: false, color: "teal", emoji: "👩‍👩‍👧‍👦", size: "xl", sortOrder: -3 };
    const snake = await createZone({ name: "Z", connected_to_chat: "false", color: "teal", emoji: "👩‍👩‍👧‍👦", size: "xl", sort_order: -3 });
    expect(snake).toMatchObject(fields);
    expect(await createZone({ name: "Z", ...fields })).toMatchObject(fields);
    expect(await createZone({ name: "Z", color: null, emoji: null, size: null, connected_to_chat: null })).toMatchObject({
      color: null,
      size: "md",
      connectedToChat: true,
    });
    expect(await createZone({ name: "Z", connected_to_chat: false, connectedToChat: true })).toMatchObject({ connectedToChat: false });
  });

  test.each([
    [{}, "name is required."],
    [{ name: "" }, "name is required."],
    [{ name: "\t " }, "name is required."],
    [{ name: null }, "name is required."],
    [null, "name is required."],
    [{ name: ["a"] }, "name must be a string."],
    [{ name: "x".repeat(201) }, "name is too long. The maximum is 200 characters."],
    [{ name: "z", connected_to_chat: "yes" }, "connected_to_chat must be a boolean."],
    [{ name: "z", connected_to_chat: 1 }, "connected_to_chat must be a boolean."],
    [{ name: "z", connectedToChat: [] }, "connected_to_chat must be a boolean."],
    [{ name: "z", color: "black" }, "color must be one of gray, red, orange, yellow, green, teal, blue, purple, pink."],
    [{ name: "z", color: "constructor" }, "color must be one of gray, red, orange, yellow, green, teal, blue, purple, pink."],
    [{ name: "z", emoji: "ab" }, "emoji must be one emoji or null."],
    [{ name: "z", emoji: "😀😀" }, "emoji must be one emoji or null."],
    [{ name: "z", emoji: 1 }, "emoji must be a string."],
    [{ name: "z", size: "xxl" }, "size must be one of sm, md, lg, xl."],
    [{ name: "z", sort_order: 1.5 }, "sort_order must be a whole number from -1000000000 to 1000000000."],
    [{ name: "z", sort_order: "3" }, "sort_order must be a whole number from -1000000000 to 1000000000."],
    [{ name: "z", sort_order: 2 ** 53 }, "sort_order must be a whole number from -1000000000 to 1000000000."],
    [[{ name: "z" }], "The request body must be a JSON object."],
  ])("from %j is rejected: %s", async (body, message) => {
    const { status, json } = await create(body);
    expect([status, json]).toEqual([400, { error: message }]);
  });

  test("counts a name of 200 emoji as 200 characters", async () => {
    expect((await create({ name: "😀".repeat(200) })).status).toBe(200);
    expect((await create({ name: "😀".repeat(201) })).status).toBe(400);
  });

  test("always leaves a free position for the next one", async () => {
    const boardId = await newBoard();
    const { status } = await create({ name: "Last", sort_order: 1_000_000_000 }, boardId);
    expect(status).toBe(200);
    expect((await create({ name: "After" }, boardId)).json.zone.sortOrder).toBe(1_000_000_001);
  });

  test("on an unknown board returns 404", async () => {
    const { status, json } = await create({ name: "Z" }, UNKNOWN_TARGET.boardId);
    expect([status, json]).toEqual([404, { error: "Board not found." }]);
  });
});

describe("reading and updating zones", () => {
  test("renames, toggles and clears fields, and changes no others", async () => {
    const zone = await createZone({ name: "Old", color: "red", emoji: "😀", size: "lg" });
    const rename = (await patch(zone.id, { name: "New" })).json.zone;
    expect(rename).toEqual({ ...zone, name: "New", updatedAt: rename.updatedAt });
    const toggled = (await patch(zone.id, { connected_to_chat: false })).json.zone;
    expect(toggled).toEqual({ ...rename, connectedToChat: false, updatedAt: toggled.updatedAt });
    expect((await patch(zone.id, { connectedToChat: "true" })).json.zone.connectedToChat).toBe(true);
    expect((await patch(zone.id, { name: null, size: null, connected_to_chat: null, sort_order: null })).json.zone).toMatchObject({
      name: "New",
      size: "lg",
      connectedToChat: true,
      sortOrder: zone.sortOrder,
    });
    expect((await patch(zone.id, { color: null, emoji: null })).json.zone).toMatchObject({ name: "New", color: null, emoji: null });
    expect((await service.call("GET", `/api/board/zones/${zone.id}`)).json.zone).toMatchObject({ name: "New", color: null, emoji: null });
  });

  test("rejects a blank name with a specific message", async () => {
    const { id } = await createZone({ name: "Z" });
    for (const name of ["", "  "]) {
      const { status, json } = await patch(id, { name });
      expect([status, json]).toEqual([400, { error: "name must not be blank." }]);
    }
  });

  test("requires the version in If-Match", async () => {
    const { id } = await createZone({ name: "Z" });
    const etag = (await service.call("GET", `/api/board/zones/${id}`)).headers.get("etag") ?? "";
    const first = await patch(id, { name: "One" }, { "if-match": etag });
    expect(first.status).toBe(200);
    expect(first.headers.get("etag")).not.toBe(etag);
    for (const stale of [etag, '"x"', 'W/"1"', "1"])
      expect((await patch(id, { name: "Two" }, { "if-match": stale })).status, stale).toBe(412);
    expect((await patch(id, { name: "Three" }, { "if-match": "*" })).status).toBe(200);
    expect((await service.call("DELETE", `/api/board/zones/${id}`, { headers: { "if-match": etag } })).status).toBe(412);
    const before = (await service.call("GET", `/api/board/zones/${id}`)).text;
    expect((await patch(id, {})).text).toBe(before);
    expect((await service.call("GET", `/api/board/zones/${id}`)).json.zone.name).toBe("Three");
  });

  test("returns 404 for a zone that does not exist", async () => {
    for (const id of [UNKNOWN_TARGET.zoneId, "x", "%00", "a%2Fb", service.boardId, "x".repeat(500), "..%2f"]) {
      for (const [method, suffix] of [
        ["GET", ""],
        ["PATCH", ""],
        ["DELETE", ""],
        ["POST", "/restore"],
      ] as const) {
        const { status, json } = await service.call(
          method,
          `/api/board/zones/${id}${suffix}`,
          method === "PATCH" ? { body: { name: "x" } } : {},
        );
        expect([status, json], `${method} ${id}`).toEqual([404, { error: "Zone not found." }]);
      }
    }
  });
});

describe("deleting and restoring a zone", () => {
  test("includes its tiles; deleting twice returns 404, and restoring brings both back", async () => {
    const zone = await createZone({ name: "Z" });
    const tiles: string[] = [];
    for (const content of ["one", "two", "three"]) {
      tiles.push((await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content, zone_id: zone.id } })).json.tile.id);
    }
    const [deletedBefore = "", ...inside] = tiles;
    await service.call("DELETE", `/api/board/tiles/${deletedBefore}`);
    const gone = await service.call("DELETE", `/api/board/zones/${zone.id}`);
    expect([gone.status, gone.json]).toEqual([200, { ok: true }]);
    expect((await service.call("DELETE", `/api/board/zones/${zone.id}`)).json).toEqual({ error: "Zone not found." });
    for (const id of inside) expect((await service.call("GET", `/api/board/tiles/${id}`)).json).toEqual({ error: "Tile not found." });
    const into = await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "x", zone_id: zone.id } });
    expect([into.status, into.json]).toEqual([400, { error: "The zone does not belong to this board." }]);
    const alone = await service.call("POST", `/api/board/tiles/${inside[0]}/restore`);
    expect([alone.status, alone.json]).toEqual([409, { error: "The tile's zone is deleted. Restore the zone first." }]);
    const restored = await service.call("POST", `/api/board/zones/${zone.id}/restore`);
    expect(restored.json.zone).toMatchObject({ id: zone.id, name: "Z" });
    for (const id of inside) expect((await service.call("GET", `/api/board/tiles/${id}`)).json.tile.zoneId).toBe(zone.id);
    expect((await service.call("GET", `/api/board/tiles/${deletedBefore}`)).status).toBe(404);
    expect((await service.call("POST", `/api/board/zones/${zone.id}/restore`)).json).toEqual(restored.json);
  });
});
