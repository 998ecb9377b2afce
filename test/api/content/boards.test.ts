import { expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";

const service = useTestService({ ROLE: "api" });

const create = async (body: unknown): Promise<any> => (await service.call("POST", "/api/board/boards", { body })).json.board;
const list = async (): Promise<any[]> => (await service.call("GET", "/api/board/boards")).json.boards;

test("the listing of boards returns the default board of a new business with the documented fields", async () => {
  const { json, status, headers } = await service.call("GET", "/api/board/boards");
  expect(status).toBe(200);
  expect(json).toEqual({ boards: [{ id: service.boardId, name: "Main board", isDefault: true, slug: "main-board" }] });
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-request-id")).toMatch(/^req_\w+$/);
});

test("the listing of boards returns the default board first, then others by creation, without deleted ones", async () => {
  const [b, a] = [await create({ name: "B" }), await create({ name: "A" })];
  const gone = await create({ name: "Gone" });
  await service.call("DELETE", `/api/board/boards/${gone.id}`);
  expect((await list()).map(({ id }) => id)).toEqual([service.boardId, b.id, a.id]);
  await service.call("PATCH", `/api/board/boards/${a.id}`, { body: { is_default: true } });
  expect((await list()).map(({ id, isDefault }) => [id, isDefault])).toEqual([
    [a.id, true],
    [service.boardId, false],
    [b.id, false],
  ]);
  await service.call("PATCH", `/api/board/boards/${service.boardId}`, { body: { isDefault: "true" } });
  expect((await list())[0].id).toBe(service.boardId);
});

test("the listing of boards returns pages that join to the whole list, also after the last shown board was deleted", async () => {
  for (let i = 0; i < 5; i++) await create({ name: `Page ${i}` });
  const all = (await list()).map(({ id }) => id);
  const seen: string[] = [];
  let cursor = "";
  for (;;) {
    const { json } = await service.call("GET", `/api/board/boards?limit=2${cursor}`);
    seen.push(...json.boards.map(({ id }: { id: string }) => id));
    if (json.nextCursor === null) break;
    cursor = `&cursor=${json.nextCursor}`;
  }
  expect(seen).toEqual(all);
  const first = (await service.call("GET", `/api/board/boards?limit=${all.length - 2}`)).json;
  await service.call("DELETE", `/api/board/boards/${first.boards.at(-1).id}`);
  const rest = (await service.call("GET", `/api/board/boards?cursor=${first.nextCursor}`)).json;
  expect(rest.boards.map(({ id }: { id: string }) => id)).toEqual(all.slice(-2));
  expect(rest.nextCursor).toBeNull();
});

test.each([
  [{ name: 5 }, "name must be a string."],
  [{ name: "x".repeat(201) }, "name is too long. The maximum is 200 characters."],
  [{ name: "a\u0000b" }, "name must be valid Unicode without NUL."],
  [[], "The request body must be a JSON object."],
  ["text", "The request body is not valid JSON."],
])("a board from %j is rejected: %s", async (body, message) => {
  const { status, json } = await service.call("POST", "/api/board/boards", { body });
  expect([status, json]).toEqual([400, { error: message }]);
});

test("a board has a URL-safe slug that is unique in the business and stays when it is renamed", async () => {
  expect((await create({ name: "  Ärger & Söhne!  " })).slug).toBe("arger-sohne");
  expect((await create({ name: "Arger, Sohne" })).slug).toBe("arger-sohne-2");
  const japanese = await create({ name: "日本語" });
  expect(japanese.slug).toBe("wgv71a119e");
  const renamed = await service.call("PATCH", `/api/board/boards/${japanese.id}`, { body: { name: "Renamed" } });
  expect(renamed.json).toEqual({ board: { ...japanese, name: "Renamed", updatedAt: expect.any(String) } });
});

test("a PATCH of a board changes only the named fields, and rejects unsupported ones", async () => {
  const board = await create({ name: "Patched" });
  const patch = (body: unknown, headers: Record<string, string> = {}) =>
    service.call("PATCH", `/api/board/boards/${board.id}`, { body, headers });
  expect((await patch({})).json.board).toEqual(board);
  expect((await patch({ name: null, is_default: null, unknown: 1 })).json.board).toEqual(board);
  expect((await patch({ name: " " })).json).toEqual({ error: "name must not be blank." });
  expect((await patch({ is_default: "yes" })).json).toEqual({ error: "is_default must be a boolean." });
  expect((await patch({ is_default: false })).json.error).toMatch(/^is_default /);
  expect((await patch({ name: "x" }, { "if-match": '"999"' })).status).toBe(412);
});

test("the default board cannot be deleted, and the message says what to do", async () => {
  const { status, json } = await service.call("DELETE", `/api/board/boards/${service.boardId}`);
  expect([status, json]).toEqual([409, { error: "The default board can't be deleted. Make another board the default first." }]);
});

test("GET /api/me returns business, scope, permission and expiry of the key", async () => {
  const expiresAt = Date.UTC(2100, 0, 1);
  const { key, id } = await service.newKey({ boardId: service.boardId, permission: "inbound", expiresAt });
  const { json } = await service.call("GET", "/api/me", { key });
  expect(json).toEqual({
    business: { id: service.businessId, name: "My business" },
    limits: { fileBytes: 50 * 1_048_576 },
    key: { id, name: "test" },
    scope: { boardId: service.boardId },
    permission: "inbound",
    expiresAt: "2100-01-01T00:00:00.000Z",
    budget: null,
    webhooks: false,
    usage: { month: new Date().toISOString().slice(0, 7), calls: 0, inputTokens: 0, outputTokens: 0 },
  });
  expect((await service.call("GET", "/api/me")).json).toMatchObject({ scope: { boardId: null }, permission: "write", expiresAt: null });
});
