import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFolder, tesseraJson } from "../e2e/support/process.ts";
import { callAs, MAX_MEMORY_MIB, startVictim, type Tenant, timeDuring, type Victim } from "./support/victim.ts";

const TILES = 10;
const PARALLEL = 32;
/** Characters outside Latin-1 take two bytes each in memory. */
const TEXT = "The harbour was quiet that day … and nobody saw the ferry leave. ".repeat(50_000);
const SEGMENTS = Array.from({ length: 20_000 }, (_, n) => ({ start: n * 160, end: (n + 1) * 160, seconds: n * 2.5 }));

let victim: Victim;
let films: Tenant;
beforeAll(async () => {
  victim = await startVictim();
  const lines: object[] = [{ format: "tessera-board", version: 2, board: { name: "Films" } }];
  for (let n = 0; n < TILES; n++) {
    const text = `Lighthouse ${n} stands on rock ${n}. ${TEXT}`;
    const tile = {
      id: `til_${n}`,
      zoneId: null,
      type: "YOUTUBE",
      title: `Film ${n}`,
      titleOverridden: true,
      status: "ready",
      metadata: {},
      externalId: null,
    };
    lines.push({ tile: { ...tile, sourceUrl: null, rawContent: text, extractedText: text, segments: SEGMENTS } });
  }
  const folder = makeFolder();
  const file = folder.path("films.jsonl");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { board } = await tesseraJson(victim.environment, "import", "Films", file);
  folder.remove();
  films = { ...victim.attacker, boardId: board.id };
}, 120_000);
afterAll(() => victim.stop());

const ask = () => callAs(victim, films, "GET", `/api/board/${films.boardId}/ask?q=Where+does+the+lighthouse+stand%3F`);

test("questions that cite ten long transcripts do not fill the memory", { timeout: 240_000 }, async () => {
  const { other } = victim;
  const attack = Promise.all(Array.from({ length: PARALLEL }, ask));
  await timeDuring(attack, () => callAs(victim, other, "GET", `/api/board/${other.boardId}/tiles`), 5);
  const answers = await attack;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers[0]?.json.citations.map(({ seconds }: { seconds?: number }) => seconds)).toContain(0);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});
