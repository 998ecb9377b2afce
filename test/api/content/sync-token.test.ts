import { request } from "node:http";
import { brotliDecompressSync } from "node:zlib";
import { createClient } from "@tessera-board/sdk";
import { beforeAll, expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";

/** Enough tiles for several steps of a streamed listing. */
const TILES = 1_500;
const IDENTITY = { "accept-encoding": "identity" };
const service = useTestService({ ROLE: "api" });
let path: string;
beforeAll(async () => {
  path = `/api/board/${service.boardId}`;
  for (let at = 0; at < TILES; at += 500) {
    const tiles = Array.from({ length: 500 }, (_, n) => ({
      board_id: service.boardId,
      title: `Entry ${at + n} of the harbour's log`,
      content: `What was written down as number ${at + n}. ${"The tide came in. ".repeat(20)}`,
    }));
    await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles } });
  }
  for (let n = 0; n < 60; n++) await service.call("POST", `${path}/zones`, { body: { name: `Zone ${n}` } });
});

type Sent = { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly body: Buffer };

/** A raw request: nothing is decompressed, and no header is added. */
const send = (asked: string, headers: Record<string, string> = {}, method = "GET"): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const call = request(service.url + asked, { method, headers: { "x-api-key": service.key, ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }));
      response.on("error", reject);
    });
    call.on("error", reject).end();
  });

const sync = async (token: string, more = "&text=false&metadata=true") => {
  const answer = await send(`${path}/tiles?sync_token=${token}${more}`, { "accept-encoding": "br" });
  const isPacked = answer.headers["content-encoding"] === "br";
  return {
    bytes: answer.body.length,
    status: answer.status,
    ...JSON.parse((isPacked ? brotliDecompressSync(answer.body) : answer.body).toString()),
  };
};

test("the sync token 0 returns everything and a token, which returns changes, creations and deletions", async () => {
  const whole = await sync("0");
  expect([whole.tiles.length, whole.deleted, whole.complete]).toEqual([TILES, [], true]);
  const nothing = await sync(whole.syncToken);
  expect(nothing).toMatchObject({ tiles: [], deleted: [], complete: false });
  const [one, two] = whole.tiles;
  await service.call("PATCH", `/api/board/tiles/${one.id}`, { body: { title: "Renamed" } });
  await service.call("DELETE", `/api/board/tiles/${two.id}`);
  const created = (await service.call("POST", `${path}/tiles`, { body: { content: "New" } })).json.tile;
  const changed = await sync(nothing.syncToken);
  expect(changed.tiles.map(({ id, title }: any) => [id, title])).toEqual([
    [one.id, "Renamed"],
    [created.id, "Untitled note"],
  ]);
  expect([changed.deleted, changed.complete]).toEqual([[two.id], false]);
  await service.call("POST", `/api/board/tiles/${two.id}/restore`);
  expect((await sync(changed.syncToken)).tiles.map(({ id }: any) => id)).toEqual([two.id]);
  // A token can be used again and returns the same.
  expect((await sync(nothing.syncToken)).tiles).toHaveLength(3);
  await service.call("DELETE", `/api/board/tiles/${created.id}`);
});

test("the first call with a limit returns a page and the token that changes start at", async () => {
  const first = await sync("0", "&text=false&limit=3");
  expect([first.tiles.length, first.complete, typeof first.nextCursor]).toEqual([3, false, "string"]);
  const [, , third] = first.tiles;
  await service.call("PATCH", `/api/board/tiles/${third.id}`, { body: { title: "After the page" } });
  expect(await sync(first.syncToken)).toMatchObject({ tiles: [{ id: third.id, title: "After the page" }], complete: false });
  expect(await sync("0", "&text=false&limit=3")).toMatchObject({ tiles: [{}, {}, { title: "After the page" }] });
  expect(await sync(first.syncToken, "&limit=3")).toMatchObject({ status: 400 });
});

test("one deletion on a board of 1,500 tiles is read in a response under 1 kB", async () => {
  const whole = await sync("0");
  const plain = await send(`${path}/tiles?text=false&metadata=true`, IDENTITY);
  await service.call("DELETE", `/api/board/tiles/${whole.tiles[7].id}`);
  const changed = await sync(whole.syncToken);
  process.stdout.write(`whole: ${plain.body.length} bytes, ${whole.bytes} compressed; one deletion: ${changed.bytes} bytes\n`);
  expect([changed.tiles, changed.deleted]).toEqual([[], [whole.tiles[7].id]]);
  expect(changed.bytes).toBeLessThan(1_024);
  expect(whole.bytes).toBeLessThan(plain.body.length / 5);
  await service.call("POST", `/api/board/tiles/${whole.tiles[7].id}/restore`);
});

test("a sync token streams more changes than one step holds, and still only changes", async () => {
  const { syncToken } = await sync("0");
  const zone = (await service.call("GET", `${path}/zones`)).json.zones[0].id;
  await service.call("POST", `${path}/tiles/bulk`, { body: { filter: { type: "TEXT" }, action: { move_to: zone } } });
  const changed = await sync(syncToken);
  expect(changed.tiles.length).toBeGreaterThanOrEqual(TILES);
  expect(changed.complete).toBe(false);
  expect(changed.tiles.every(({ zoneId }: any) => zoneId === zone)).toBe(true);
});

test("the client reads changes, and everything the first time", async () => {
  const { tiles } = createClient({ baseUrl: service.url, apiKey: service.key });
  const whole = await tiles.changes(service.boardId, { text: false });
  expect([whole.tiles.length, whole.complete]).toEqual([TILES, true]);
  await tiles.delete(whole.tiles[0]!.id);
  expect(await tiles.changes(service.boardId, { syncToken: whole.syncToken, text: false, metadata: true })).toEqual({
    tiles: [],
    deleted: [whole.tiles[0]!.id],
    complete: false,
    syncToken: expect.any(String),
  });
  await tiles.restore(whole.tiles[0]!.id);
});

test("a sync token of an unknown or expired state returns everything", async () => {
  const { syncToken } = await sync("0");
  const [epoch, revision, sequence, seconds] = syncToken.split(".");
  expect(await sync(`${epoch}.${revision}.${sequence}.${seconds}`)).toMatchObject({ complete: false });
  expect(await sync(`${epoch}.${Number(revision) + 1}.${sequence}.${seconds}`)).toMatchObject({ complete: true });
  expect(await sync(`${epoch}.${revision}.${sequence}.${seconds - 30 * 86_400}`)).toMatchObject({ complete: true });
  expect(await sync(`${"0".repeat(12)}.${revision}.${sequence}.${seconds}`)).toMatchObject({ complete: true });
  // From a node whose clock is slightly ahead, from a clock that was far ahead, and forged.
  expect(await sync(`${epoch}.${revision}.${sequence}.${Number(seconds) + 60}`)).toMatchObject({ complete: false });
  for (const ahead of [3_600, 40 * 86_400, 9_000_000_000]) {
    const whole = await sync(`${epoch}.${revision}.${sequence}.${Number(seconds) + ahead}`);
    expect([whole.complete, whole.tiles.length]).toEqual([true, TILES]);
    expect(await sync(whole.syncToken)).toMatchObject({ tiles: [], deleted: [], complete: false });
  }
  expect(await sync(`${epoch}.${revision}.${Number(sequence) + 1}.${seconds}`)).toMatchObject({ complete: true });
  // The format of earlier versions.
  expect(await sync(`${revision}.${sequence}.${seconds}`)).toMatchObject({ complete: true });
});

test("a sync token of another board lists everything", async () => {
  const other = (await service.call("POST", "/api/board/boards", { body: { name: "Pier" } })).json.board;
  const tiles = `/api/board/${other.id}/tiles`;
  for (const title of ["One", "Two"]) await service.call("POST", tiles, { body: { title, content: "A tile." } });
  const { json } = await service.call("GET", `${tiles}?sync_token=0`);
  const foreign = json.syncToken.replace(/^[^.]+/, (await sync("0")).syncToken.split(".")[0]);
  expect((await service.call("GET", `${tiles}?sync_token=${foreign}`)).json).toMatchObject({ complete: true, tiles: [{}, {}] });
  expect((await service.call("GET", `${tiles}?sync_token=${json.syncToken}`)).json).toMatchObject({ complete: false, tiles: [] });
});

test.each([
  ["x", "", "sync_token is not valid. Send 0 to begin."],
  ["-1.2.3", "", "sync_token is not valid. Send 0 to begin."],
  ["0", "&cursor=x", "sync_token can't be combined with cursor."],
  ["0", "&status=ready", "sync_token can't be combined with status."],
  ["0", "&updated_since=2026-01-01", "sync_token can't be combined with updated_since."],
])("the sync token %s%s returns 400", async (token, more, error) => {
  expect(await sync(token, more)).toMatchObject({ status: 400, error });
});
