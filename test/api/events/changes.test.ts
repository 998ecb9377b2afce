import { expect, test } from "vitest";
import { FEED_WINDOW_MS } from "#domain/events/feed.ts";
import { errorResponse, getError } from "../../support/people/settings.ts";
import { until } from "../../e2e/support/servers.ts";
import { useTestService } from "../../support/service.ts";

const service = useTestService();
const EXPIRED = "This cursor has expired. Read the listings again, then continue with cursor=now.";

const get = (query: string, key?: string) => service.call("GET", `/api/changes${query}`, key === undefined ? {} : { key });
const createTile = async (title: string, boardId = service.boardId) =>
  (await service.call("POST", `/api/board/${boardId}/tiles`, { body: { title, content: `About ${title}.` } })).json.tile;
const getNow = async (): Promise<string> => (await get("?cursor=now")).json.nextCursor;
const newBoard = async () => (await service.call("POST", "/api/board/boards", { body: { name: "Second" } })).json.board.id;

/** Reads the changes after the cursor, once the sequencer has seen `count` of them. */
const readSince = (cursor: string, count: number, more = "", key?: string) =>
  until(`${count} changes`, async () => {
    const { json } = await get(`?cursor=${cursor}${more}`, key);
    return json.changes.length >= count && json;
  });

test("changes are returned oldest first with id, event, payload and time, and each once", async () => {
  const cursor = await getNow();
  const tile = await createTile("Harbour");
  await service.call("PATCH", `/api/board/tiles/${tile.id}`, { body: { title: "Port", external_id: "p-1" } });
  await service.call("DELETE", `/api/board/tiles/${tile.id}`);
  const { changes, nextCursor, hasMore } = await readSince(cursor, 3);
  const payload = { tileId: tile.id, boardId: service.boardId, type: "TEXT", sourceUrl: null, zoneId: null, tags: [] };
  const common = { id: expect.stringMatching(/^evt_\w{26}$/), at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) };
  expect(changes).toEqual([
    { ...common, event: "tile.created", payload: { ...payload, title: "Harbour", externalId: null } },
    { ...common, event: "tile.updated", payload: { ...payload, title: "Port", externalId: "p-1" } },
    { ...common, event: "tile.deleted", payload: { ...payload, title: "Port", externalId: "p-1" } },
  ]);
  expect(hasMore).toBe(false);
  expect((await get(`?cursor=${nextCursor}`)).json).toEqual({ changes: [], nextCursor, hasMore: false });
  expect((await get(`?cursor=${cursor}`)).json.changes).toEqual(changes);
  const [first, second] = [(await get(`?cursor=${cursor}&limit=2`)).json, 0];
  expect([first.changes, first.hasMore, second]).toEqual([changes.slice(0, 2), true, 0]);
  expect((await get(`?cursor=${first.nextCursor}&limit=2`)).json.changes).toEqual(changes.slice(2));
});

test("without a cursor the feed begins with the oldest change", async () => {
  const cursor = await getNow();
  await createTile("Oldest");
  await readSince(cursor, 1);
  const { changes } = (await get("")).json;
  expect(changes[0].payload.title).toBe((await get("?limit=1")).json.changes[0].payload.title);
});

test("events and boards narrow the feed", async () => {
  const cursor = await getNow();
  const other = await newBoard();
  const tile = await createTile("One");
  await createTile("Two", other);
  await service.call("DELETE", `/api/board/tiles/${tile.id}`);
  const all = await readSince(cursor, 3);
  const titles = async (query: string) =>
    (await get(`?cursor=${cursor}${query}`)).json.changes.map(({ event, payload }: any) => `${event} ${payload.title}`);
  expect(await titles(`&board_id=${other}`)).toEqual(["tile.created Two"]);
  expect(await titles("&events=tile.deleted,tile.failed")).toEqual(["tile.deleted One"]);
  expect(await titles("&events=tile.deleted&events=tile.failed")).toEqual(["tile.deleted One"]);
  expect((await get(`?cursor=${cursor}&events=tile.failed`)).json).toMatchObject({
    changes: [],
    nextCursor: all.nextCursor,
    hasMore: false,
  });
});

test("a key of a board sees that board alone, and others see their own business", async () => {
  const cursor = await getNow();
  const boardId = await newBoard();
  const { key } = await service.newKey({ boardId, permission: "read" });
  await createTile("Elsewhere");
  await createTile("Here", boardId);
  const { changes } = await readSince(cursor, 1, "", key);
  expect(changes.map(({ payload }: any) => payload.title)).toEqual(["Here"]);
  expect(getError(await get(`?board_id=${service.boardId}`, key))).toEqual(
    errorResponse(403, "This API key is not authorized for this board."),
  );
  const { businessId } = await service.newBusiness("Other Lab");
  const foreign = await service.newKey({ businessId });
  expect((await get("", foreign.key)).json.changes).toEqual([]);
  expect(getError(await get(`?cursor=${cursor}`, foreign.key))).toEqual(errorResponse(400, "cursor is not valid."));
  expect(getError(await get(`?board_id=${boardId}`, foreign.key))).toEqual(errorResponse(404, "Board not found."));
});

test.each([
  ["?cursor=abc", "cursor is not valid."],
  ["?cursor=", "cursor is not valid."],
  ["?events=tile.eaten", /^events must be some of tile\.created, .*generation\.failed\.$/],
  ["?limit=0", "limit must be a whole number from 1 to 500."],
  ["?wait=61", "wait must be a whole number from 0 to 60."],
])("the query %s is refused", async (query, message) => {
  const { status, json } = await get(query);
  expect(status).toBe(400);
  if (typeof message === "string") expect(json.error).toBe(message);
  else expect(json.error).toMatch(message);
});

test("a changed cursor is refused, whichever character it is", async () => {
  const cursor = await getNow();
  for (let at = 0; at < cursor.length; at++) {
    const forged = `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`;
    expect((await get(`?cursor=${forged}`)).status).toBe(400);
  }
});

test("a key with the permission inbound can't read the feed", async () => {
  const { key } = await service.newKey({ permission: "inbound" });
  expect((await get("", key)).headers.get("x-error-code")).toBe("permission_missing");
});

test("a call that waits is answered by the next change, or when its time is over", async () => {
  const cursor = await getNow();
  const waiting = get(`?cursor=${cursor}&wait=30`);
  await createTile("Awaited");
  expect((await waiting).json.changes).toMatchObject([{ event: "tile.created", payload: { title: "Awaited" } }]);
  const later = await getNow();
  const startedAt = performance.now();
  const filtered = get(`?cursor=${later}&wait=1&events=tile.failed`);
  await createTile("Not asked for");
  const { changes, hasMore, nextCursor } = (await filtered).json;
  expect([changes, hasMore]).toEqual([[], false]);
  expect(performance.now() - startedAt).toBeGreaterThan(900);
  expect((await get(`?cursor=${nextCursor}`)).json.changes).toEqual([]);
});

test("a call that waits ends when its key is revoked", async () => {
  const { key, id } = await service.newKey();
  const waiting = get(`?cursor=${await getNow()}&wait=30`, key);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await service.appContext.deps.store.apiKeys.revoke(service.businessId, id, "operator", Date.now());
  expect(getError(await waiting)).toEqual(errorResponse(401, "Invalid API key."));
});

test("a cursor expires with the changes after it, and now continues", async () => {
  const { store } = service.appContext.deps;
  const { businessId, boardId } = await service.newBusiness("Old Lab");
  const { key } = await service.newKey({ businessId });
  const cursor = (await get("?cursor=now", key)).json.nextCursor;
  await service.call("POST", `/api/board/${boardId}/tiles`, { key, body: { content: "Old" } });
  await readSince(cursor, 1, "", key);
  await store.purge(0, Date.now() + FEED_WINDOW_MS + 1_000);
  const expired = await get(`?cursor=${cursor}`, key);
  expect(getError(expired)).toEqual(errorResponse(410, EXPIRED));
  expect(expired.headers.get("x-error-code")).toBe("cursor_expired");
  expect((await get("?cursor=now", key)).status).toBe(200);
});
