import { beforeAll, expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";

const service = useTestService({ ROLE: "api" });
let zoneId: string;
beforeAll(async () => {
  zoneId = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Zone" } })).json.zone.id;
});

const FOREIGN_ZONE = "The zone does not belong to this board.";
const create = (body: unknown, boardId = service.boardId) => service.call("POST", `/api/board/${boardId}/tiles`, { body });
const createTile = async (body: unknown): Promise<any> => (await create(body)).json.tile;
const read = (id: string) => service.call("GET", `/api/board/tiles/${id}`);
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  service.call("PATCH", `/api/board/tiles/${id}`, { body, headers });
const link = async (): Promise<string> =>
  (await service.call("POST", "/api/inbound/tiles", { body: { board_id: service.boardId, url: "https://example.com/page" } })).json.tile.id;

test("creating a tile from a link returns a processing tile in its zone; given text makes it a text tile", async () => {
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
  [{ content: 5 }, "content must be a string."],
  [{ content: { a: 1 } }, "content must be a string."],
  [{ content: "c", title: 5 }, "title must be a string."],
  [{ content: "c", title: "x".repeat(501) }, "title is too long. The maximum is 500 characters."],
  [{ content: "c", zone_id: 5 }, "zone_id must be a string."],
  [{ content: "c", zone_id: "__proto__" }, FOREIGN_ZONE],
  [{ content: "c", external_id: "x".repeat(201) }, "external_id is too long. The maximum is 200 characters."],
])("a tile from %j is rejected: %s", async (body, message) => {
  const { status, json } = await create(body);
  expect([status, json]).toEqual([400, { error: message }]);
});

test.each([
  [{ content: 1 }, "content must be a string."],
  [{ sort_order: "1" }, "sort_order must be a whole number from -1000000000 to 1000000000."],
  [[], "The request body must be a JSON object."],
])("an update of a tile with %j is rejected: %s", async (body, message) => {
  const tile = await createTile({ content: "c", title: "t" });
  const { status, json } = await patch(tile.id, body);
  expect([status, json]).toEqual([400, { error: message }]);
  expect((await read(tile.id)).json.tile).toEqual(tile);
});

test("an update of a tile is rejected if If-Match names several versions", async () => {
  const { id } = await createTile({ content: "c" });
  const etag = (await read(id)).headers.get("etag") ?? "";
  const first = await patch(id, { title: "One" }, { "if-match": etag });
  expect(first.status).toBe(200);
  expect((await patch(id, { title: "Two" }, { "if-match": `${etag}, ${first.headers.get("etag")}` })).json.error).toMatch(
    /several versions/,
  );
});

test("content replaces a processing link, which is ready at once", async () => {
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

test("text tiles and processing tiles are not retried", async () => {
  const { id } = await createTile({ content: "c" });
  const text = await service.call("POST", `/api/board/tiles/${id}/retry`);
  expect([text.status, text.json]).toEqual([409, { error: "A text tile has nothing to retry." }]);
  const busy = await service.call("POST", `/api/board/tiles/${await link()}/retry`);
  expect([busy.status, busy.json]).toEqual([409, { error: "The tile is still processing." }]);
});

test("a wait ends as soon as the tile is no longer processing or is deleted", async () => {
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
