import { afterAll, beforeAll, expect, test } from "vitest";
import { callAs, MAX_MEMORY_MIB, startVictim, timeDuring, type Victim } from "./support/victim.ts";

const TILES = 24;
const PARALLEL = 40;

let victim: Victim;
beforeAll(async () => {
  victim = await startVictim();
  // Characters outside Latin-1 take two bytes each in memory.
  const text = "The harbour was quiet that day … and nobody saw the ferry leave. ".repeat(13_000);
  const board = `/api/board/${victim.attacker.boardId}`;
  for (let n = 0; n < TILES; n++) {
    const content = `Lighthouse ${n}. ${text}`;
    expect((await callAs(victim, victim.attacker, "POST", `${board}/tiles`, { content })).status).toBe(200);
  }
}, 120_000);
afterAll(() => victim.stop());

test.each(["search?q=lighthouse&limit=100", "search?q=lighthouse+ferry&scope=all", "ask?q=Where+is+the+lighthouse%3F&explain=true"])(
  "many long tiles that match %s do not fill the memory",
  async (path) => {
    const { attacker, other } = victim;
    const attack = Array.from({ length: PARALLEL }, () => callAs(victim, attacker, "GET", `/api/board/${attacker.boardId}/${path}`));
    await timeDuring(Promise.all(attack), () => callAs(victim, other, "GET", `/api/board/${other.boardId}/tiles`), 5);
    const answers = await Promise.all(attack);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(JSON.stringify(answers[0]?.json)).toContain("Lighthouse");
    expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
  },
  120_000,
);
