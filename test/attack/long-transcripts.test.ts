import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFolder, tesseraJson } from "../e2e/support/process.ts";
import { until } from "../e2e/support/servers.ts";
import { callAs, MAX_MEMORY_MIB, startVictim, type Tenant, timeDuring, type Victim } from "./support/victim.ts";

const KEEPERS = ["Anders", "Birgit", "Carla", "Dmitri", "Elise", "Farid", "Greta", "Henrik", "Ingrid", "Jonas"];
/** Passages cited when none is clearly the answer. */
const MAX_NEAREST = 5;
const PARALLEL = 32;
/** Characters outside Latin-1 take two bytes each in memory. */
const TEXT = "The harbour was quiet that day … and nobody saw the ferry leave. ".repeat(20_000);
const SEGMENTS = Array.from({ length: 20_000 }, (_, n) => ({ start: n * 65, end: (n + 1) * 65, seconds: n * 2.5 }));

let victim: Victim;
let films: Tenant;
beforeAll(async () => {
  victim = await startVictim();
  const lines: object[] = [{ format: "tessera-board", version: 2, board: { name: "Films" } }];
  for (const [n, keeper] of KEEPERS.entries()) {
    const text = `${keeper} kept the lamp of the lighthouse burning all winter. ${TEXT}`;
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

const ask = () =>
  callAs(victim, films, "GET", `/api/board/${films.boardId}/ask?q=Who+kept+the+lamp+of+the+lighthouse+burning+all+winter%3F`);

const countCited = async (): Promise<number> => (await ask()).json.citations.length;

test("questions that cite long transcripts do not fill the memory", { timeout: 240_000 }, async () => {
  const { other } = victim;
  await until("The most are cited", async () => (await countCited()) === MAX_NEAREST);
  const attack = Promise.all(Array.from({ length: PARALLEL }, ask));
  await timeDuring(attack, () => callAs(victim, other, "GET", `/api/board/${other.boardId}/tiles`), 5);
  const answers = await attack;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers[0]?.json.citations.map(({ seconds }: { seconds?: number }) => seconds)).toEqual(
    Array.from({ length: MAX_NEAREST }, () => 0),
  );
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});
