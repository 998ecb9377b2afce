import { type Change, createClient, CursorExpiredError, PermissionError } from "@tessera-board/sdk";
import { expect, test } from "vitest";
import { serve } from "./server.ts";

const change = (id: string): Change => ({ id, event: "tile.ready", payload: { boardId: "b", tileId: id }, at: "2026-11-22T03:00:00.000Z" });
const page = (ids: readonly string[], nextCursor: string) => ({ body: { changes: ids.map(change), nextCursor, hasMore: false } });

test("a page of changes is read with its filters", async () => {
  await using server = await serve(() => page(["evt_1"], "c1"));
  const { changes } = createClient({ baseUrl: server.url, apiKey: "tsr_key" });
  const events = ["tile.ready", "tile.deleted"] as const;
  const read = await changes.list({ boardId: "b/1", events, cursor: "c0", limit: 5, wait: 1 });
  expect(read).toEqual({ changes: [change("evt_1")], nextCursor: "c1", hasMore: false });
  const query = new URL(server.seen[0]!.url, server.url).searchParams;
  expect(Object.fromEntries(query)).toEqual({ board_id: "b/1", events: "tile.ready,tile.deleted", cursor: "c0", limit: "5", wait: "1" });
});

test("changes are followed across errors and restarts, each once, and the cursor is reported after its changes", async () => {
  const answers = [
    page(["evt_1", "evt_2"], "c1"),
    { status: 503, headers: { "retry-after": "0" }, body: { error: "The server is stopping." } },
    page([], "c1"),
    { status: 429, body: { error: "Too many." } },
    page(["evt_3"], "c2"),
  ];
  await using server = await serve(() => answers.shift() ?? { status: 403, body: { error: "Enough." } });
  const { changes } = createClient({ baseUrl: server.url, apiKey: "tsr_key" });
  const seen: string[] = [];
  const follow = async () => {
    for await (const { id } of changes.follow({ cursor: "c0", onCursor: (cursor) => seen.push(cursor) })) seen.push(id);
  };
  await expect(follow()).rejects.toThrow(PermissionError);
  expect(seen).toEqual(["evt_1", "evt_2", "c1", "evt_3", "c2"]);
  const cursors = server.seen.map(({ url }) => new URL(url, server.url).searchParams.get("cursor"));
  expect(cursors).toEqual(["c0", "c1", "c1", "c1", "c1", "c2"]);
});

test("following goes on while the server is away, and ends with the signal", async () => {
  let calls = 0;
  const ended = new AbortController();
  const fetch: typeof globalThis.fetch = async () => {
    if (++calls === 1) throw new TypeError("fetch failed");
    return Response.json(page(["evt_1"], "c1").body);
  };
  const { changes } = createClient({ baseUrl: "https://boards.example.com", fetch });
  const follow = async () => {
    for await (const _ of changes.follow({ signal: ended.signal })) ended.abort(new Error("enough"));
  };
  await expect(follow()).rejects.toThrow("enough");
  expect(calls).toBe(2);
});

test("an expired cursor has an error of its own", async () => {
  await using server = await serve(() => ({ status: 410, body: { error: "This cursor has expired." } }));
  const { changes } = createClient({ baseUrl: server.url });
  await expect(changes.follow({ cursor: "old" }).next()).rejects.toThrow(CursorExpiredError);
});
