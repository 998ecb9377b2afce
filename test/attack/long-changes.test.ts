import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../e2e/support/process.ts";
import { callAs, MAX_MEMORY_MIB, startVictim, timeDuring, type Victim } from "./support/victim.ts";

/** Twelve steps of a change to many tiles. */
const TILES = 6_000;
const LONG_TILES = 10;
/** 900,000 characters of 3 bytes. */
const LONG = "灯台は岩の上に立つ。".repeat(90_000);

let victim: Victim;
let stopFirst: () => Promise<void>;
let otherTile: string;
beforeAll(async () => {
  victim = await startVictim();
  stopFirst = victim.stop;
  const { other } = victim;
  const { json } = await callAs(victim, other, "POST", `/api/board/${other.boardId}/tiles`, { content: "Harbour" });
  otherTile = json.tile.id;
}, 60_000);
afterAll(() => victim.stop());

const send = (method: string, path: string, body?: unknown) => callAs(victim, victim.attacker, method, path, body);
let changes = 0;
const changeOther = () => callAs(victim, victim.other, "PATCH", `/api/board/tiles/${otherTile}`, { title: `Title ${changes++}` });

/** Expects that a change by others, which begins later, ends before the call does. The number of steps is tested with the store. */
async function expectShared(work: ReturnType<typeof send>): Promise<void> {
  let ended = 0;
  const [{ status, text }] = await Promise.all([
    work,
    timeDuring(
      work.finally(() => (ended = changes)),
      changeOther,
      0,
    ),
  ]);
  expect(status, text).toBe(200);
  expect(ended).toBeGreaterThan(1);
}

async function fillZone(): Promise<string> {
  const { boardId } = victim.attacker;
  const zoneId: string = (await send("POST", `/api/board/${boardId}/zones`, { name: "Large" })).json.zone.id;
  const tiles = Array.from({ length: 500 }, (_, n) => ({ board_id: boardId, zone_id: zoneId, content: `Note ${n}` }));
  for (let made = 0; made < TILES; made += tiles.length)
    expect((await send("POST", "/api/inbound/tiles/batch", { tiles })).status).toBe(200);
  return zoneId;
}

const countTiles = async (zoneId: string): Promise<number> => {
  const { json } = await send("GET", `/api/board/${victim.attacker.boardId}/tiles?zone_id=${zoneId}&text=false`);
  return json.tiles.length;
};

test("others write while long tiles are read, renamed, moved, deleted and restored", async () => {
  const { boardId } = victim.attacker;
  const ids: string[] = [];
  for (let n = 0; n < LONG_TILES; n++) {
    const { status, json } = await send("POST", `/api/board/${boardId}/tiles`, { content: LONG, connected_to_chat: false });
    expect(status).toBe(200);
    ids.push(json.tile.id);
  }
  const zoneId: string = (await send("POST", `/api/board/${boardId}/zones`, { name: "Long" })).json.zone.id;
  for (const action of [{ move_to: zoneId }, { delete: true }, { restore: true }]) {
    changes = 0;
    await expectShared(send("POST", `/api/board/${boardId}/tiles/bulk`, { filter: { tile_ids: ids }, action }));
  }
  for (const [method, body] of [["GET"], ["PATCH", { title: "Renamed" }]] as const) {
    changes = 0;
    // More at once would be refused, since the responses wait for this process to read them.
    const callAll = async (own: readonly string[]) => {
      let last = await send(method, `/api/board/tiles/${own[0]}`, body);
      for (const id of own.slice(1)) if (last.status === 200) last = await send(method, `/api/board/tiles/${id}`, body);
      return last;
    };
    const answers = Promise.all([0, 1, 2].map((own) => callAll(ids.filter((_, at) => at % 3 === own))));
    await expectShared(answers.then((all) => all.find(({ status }) => status !== 200) ?? (all[0] as (typeof all)[0])));
  }
  const { json } = await send("GET", `/api/board/tiles/${ids[0]}`);
  expect(json.tile).toMatchObject({ title: "Renamed", zoneId, rawContent: LONG, extractedText: LONG });
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
}, 120_000);

// Ends the first server, so it is the last test.
test("others write while a zone with thousands of tiles is deleted and restored, and a killed call is completed by the next", async () => {
  const zoneId = await fillZone();
  for (const [method, path] of [
    ["DELETE", `/api/board/zones/${zoneId}`],
    ["POST", `/api/board/zones/${zoneId}/restore`],
  ] as const) {
    changes = 0;
    await expectShared(send(method, path));
  }
  expect(await countTiles(zoneId)).toBe(TILES);

  const interrupted = send("DELETE", `/api/board/zones/${zoneId}`).catch((error: unknown) => error);
  const first = `/api/board/${victim.attacker.boardId}/tiles?zone_id=${zoneId}&text=false&limit=1`;
  const before = (await send("GET", first)).json.tiles[0]?.id;
  while ((await send("GET", first)).json?.tiles?.[0]?.id === before);
  await victim.server.kill("SIGKILL");
  await interrupted;
  const server = await startServer(victim.environment);
  victim = { ...victim, server, stop: async () => (await server.kill("SIGKILL"), await stopFirst()) };
  expect((await send("GET", `/api/board/zones/${zoneId}`)).status).toBe(200);
  expect(await countTiles(zoneId)).toBeLessThan(TILES);
  expect((await send("DELETE", `/api/board/zones/${zoneId}`)).status).toBe(200);
  expect((await send("GET", `/api/board/zones/${zoneId}`)).status).toBe(404);
  expect((await send("POST", `/api/board/zones/${zoneId}/restore`)).status).toBe(200);
  expect(await countTiles(zoneId)).toBe(TILES);
}, 120_000);
