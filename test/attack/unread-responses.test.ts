import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type UnreadConnections, formatRequest, openUnread, readStatuses } from "./support/unread.ts";
import { MAX_MEMORY_MIB, callAs, startVictim, timeDuring, type Victim } from "./support/victim.ts";

/** A listing of 12 MB: more than the buffers of a connection take. */
const TILES = 60;
const CONTENT = "harbour ".repeat(25_000);
const LONG = "x".repeat(990_000);
/** Opening thousands of connections takes seconds on a busy machine. */
const TIMEOUT_MS = 60_000;

let victim: Victim;
let keys: string[];
let listing: string;
let longTile: string;
let attack: UnreadConnections | undefined;
beforeAll(async () => {
  victim = await startVictim();
  keys = [victim.attacker.key, ...(await Promise.all(Array.from({ length: 3 }, () => victim.newKey())))];
  listing = `/api/board/${victim.attacker.boardId}/tiles`;
  const create = async (content: string): Promise<string> => {
    const { status, json } = await callAs(victim, victim.attacker, "POST", listing, { content });
    expect(status).toBe(200);
    return json.tile.id;
  };
  for (let made = 0; made < TILES; made++) await create(`${made} ${CONTENT}`);
  longTile = await create(LONG);
  expect((await callAs(victim, victim.other, "POST", `/api/board/${victim.other.boardId}/tiles`, { content: "Harbour" })).status).toBe(200);
}, 60_000);
afterAll(() => victim.stop());
afterEach(() => attack?.close());

const withKey = (index = 0): Record<string, string> => ({ "x-api-key": keys[index % keys.length] ?? "" });
const readOther = () => callAs(victim, victim.other, "GET", `/api/board/${victim.other.boardId}/tiles`);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads the listing of another business during the attack, and checks the memory of the server. */
async function expectBounded(work: Promise<unknown> = pause(1_000)): Promise<void> {
  await timeDuring(work, readOther);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
}

const MCP_CALL = (): string => {
  const params = { name: "read_tile", arguments: { tile_id: longTile } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = { ...withKey(), accept: "application/json, text/event-stream", "content-type": "application/json" };
  return formatRequest("/mcp", { ...headers, "content-length": String(body.length) }, "POST") + body;
};

test.each([
  ["whole listings", 200, () => formatRequest(listing, withKey())],
  ["whole pages", 200, () => formatRequest(`${listing}?limit=500`, withKey())],
  ["compressed listings", 200, () => formatRequest(listing, { ...withKey(), "accept-encoding": "br" })],
  ["listings with several keys", 200, (index: number) => formatRequest(listing, withKey(index))],
  ["a long tile", 300, () => formatRequest(`/api/board/tiles/${longTile}`, withKey())],
  ["a long tile by an update", 300, () => formatRequest(`/api/board/tiles/${longTile}`, withKey(), "PATCH")],
  ["a long tile over MCP", 300, MCP_CALL],
  ["short listings", 2_000, () => formatRequest(`${listing}?text=false&limit=25`, withKey())],
  ["the OpenAPI document", 1_000, () => formatRequest("/openapi.json")],
  ["the script of the API page", 1_000, () => formatRequest("/docs/static/swagger-ui-bundle.js")],
  ["HEAD", 1_000, () => formatRequest(listing, withKey(), "HEAD")],
])("connections that ask for %s and read nothing do not fill the memory", { timeout: TIMEOUT_MS }, async (_name, count, request) => {
  attack = await openUnread(victim, count, request);
  await expectBounded();
});

test("half-closed connections that read nothing do not fill the memory", { timeout: TIMEOUT_MS }, async () => {
  attack = await openUnread(victim, 200, formatRequest(listing, withKey()), { isHalfClosed: true });
  await expectBounded();
});

test("event streams that nobody reads do not fill the memory while thousands of tiles are created", { timeout: TIMEOUT_MS }, async () => {
  const { boardId } = victim.attacker;
  attack = await openUnread(victim, 100, (index) => formatRequest(`/api/board/${boardId}/events`, withKey(index)));
  const create = async (): Promise<void> => {
    const tiles = Array.from({ length: 500 }, () => ({ board_id: boardId, content: "Harbour" }));
    for (let made = 0; made < 3_000; made += tiles.length)
      expect((await callAs(victim, victim.attacker, "POST", "/api/inbound/tiles/batch", { tiles })).status).toBe(200);
  };
  await expectBounded(create());
});

test("a caller with too many unread responses gets 429, and can call again once they are read", { timeout: TIMEOUT_MS }, async () => {
  attack = await openUnread(victim, 100, formatRequest(listing, withKey()));
  const read = () => fetch(victim.server.url + listing, { headers: withKey() });
  const readStatus = async (): Promise<number> => {
    const { status, body } = await read();
    await body?.cancel();
    return status;
  };
  await expect.poll(readStatus, { timeout: 10_000 }).toBe(429);
  const refused = await read();
  expect([refused.headers.get("retry-after"), ((await refused.json()) as { readonly error: string }).error]).toEqual([
    "2",
    "Too many long responses to you are on their way. The maximum is 32 MiB. Make fewer calls at a time, and try again in 2 s.",
  ]);
  expect(Object.keys(await readStatuses(attack)).sort()).toEqual(["200", "429"]);
  expect(await readStatus()).toBe(200);
});
