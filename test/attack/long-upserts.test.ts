import { afterAll, beforeAll, expect, test } from "vitest";
import { callAs, MAX_MEMORY_MIB, startVictim, type Victim } from "./support/victim.ts";

/** 900,000 characters of 3 bytes. */
const LONG = "灯台は岩の上に立つ。".repeat(90_000);
const ITEMS = 500;
const PARALLEL = 200;

let victim: Victim;
beforeAll(async () => {
  victim = await startVictim();
}, 60_000);
afterAll(() => victim.stop());

const send = (path: string, body: unknown) => callAs(victim, victim.attacker, "POST", path, body);

test("a batch of updates of one long tile holds no copy of its text for each", { timeout: 120_000 }, async () => {
  const { boardId } = victim.attacker;
  const link = { board_id: boardId, url: "https://harbour.test/log", external_id: "long" };
  const { json: made } = await send("/api/inbound/tiles", link);
  const { status } = await callAs(victim, victim.attacker, "PATCH", `/api/board/tiles/${made.tile.id}`, { content: LONG });
  expect(status).toBe(200);
  const { json } = await send("/api/inbound/tiles/batch", { tiles: Array.from({ length: ITEMS }, () => link) });
  expect(json.results).toHaveLength(ITEMS);
  for (const result of json.results) expect(result).toEqual({ tile: { ...made.tile, status: "ready" }, created: false, changed: false });
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});

test("short creations that return a long tile wait, or are refused", { timeout: 120_000 }, async () => {
  const { boardId } = victim.attacker;
  const path = `/api/board/${boardId}/tiles`;
  const { json: made } = await send(path, { content: LONG, title: "Log", external_id: "log" });
  const { json: again } = await send(path, { content: LONG, external_id: "log" });
  expect([again.created, again.changed, again.tile.id, again.tile.rawContent === LONG]).toEqual([false, false, made.tile.id, true]);
  const answers = await Promise.all(
    Array.from({ length: PARALLEL }, () => send(path, { url: "https://harbour.test/log", content: LONG.slice(0, 40), external_id: "log" })),
  );
  for (const { status } of answers) expect([200, 429]).toContain(status);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});

test("long texts for a long tile wait for one turn each, and hold up nothing", { timeout: 120_000 }, async () => {
  const path = `/api/board/${victim.attacker.boardId}/tiles`;
  const texts = Array.from({ length: 24 }, (_, at) => `${at} ${"The lamp turns. ".repeat(6_000)}`);
  const make = (content: string | undefined) => send(path, { content, external_id: "lamp" });
  expect((await make(texts[0])).status).toBe(200);
  for (const { status } of await Promise.all(texts.map(make))) expect(status).toBe(200);
  const { status, json } = await callAs(victim, victim.attacker, "GET", `${path}?limit=1`);
  expect([status, json.tiles.length]).toEqual([200, 1]);
});
