import Database from "better-sqlite3";
import { closeSync, openSync, writeSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseFile } from "#storage/sqlite/store.ts";
import { tessera } from "../e2e/support/process.ts";
import { isPostgres } from "../support/engine.ts";
import { callAs, startVictim, type Victim } from "./support/victim.ts";

const TILES = 60;
const WORDS = ["lighthouse", "observatory", "harbour", "glacier", "orchard"];

let victim: Victim;
beforeAll(async () => {
  victim = await startVictim({ EMBEDDINGS: "off" });
  const { attacker } = victim;
  const { boardId } = attacker;
  const tiles = Array.from({ length: TILES }, (_, n) => {
    const content = Array.from({ length: 300 }, (_item, i) => `term${n}x${i}`).join(" ");
    return {
      board_id: boardId,
      title: `Note ${n}`,
      content: `The ${WORDS[n % WORDS.length]} of place${n} has ${n + 100} steps. ${content}`,
    };
  });
  expect((await callAs(victim, attacker, "POST", "/api/inbound/tiles/batch", { tiles })).status).toBe(200);
  await untilIndexed();
});
afterAll(() => victim.stop());

const search = (words: string) => callAs(victim, victim.attacker, "GET", `/api/board/${victim.attacker.boardId}/search?q=${words}`);
const readMetric = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await (await fetch(`${victim.server.url}/metrics`)).text())?.[1]);

/** Waits until the index is complete. */
async function untilIndexed(): Promise<void> {
  for (let n = 0; n < 300; n++) {
    if ((await readMetric("tessera_index_rebuilding_boards")) === 0 && (await readMetric("tessera_index_pending")) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The index was not completed.");
}

async function expectFound(): Promise<void> {
  for (const n of [0, 29, TILES - 1]) {
    const { status, json } = await search(`place${n}`);
    expect(status).toBe(200);
    expect(json.results[0].title).toBe(`Note ${n}`);
  }
  const question = await callAs(victim, victim.attacker, "POST", `/api/board/${victim.attacker.boardId}/ask`, {
    question: "How many steps has the lighthouse of place5?",
  });
  expect([question.status, question.json.answer]).toEqual([200, expect.stringContaining("105")]);
}

/** Overwrites all pages of a table, as a broken disk does. The server has them in its cache, so they are read again after a write. */
function damage(dataDir: string, table: string): void {
  const db = new Database(databaseFile(dataDir));
  db.pragma("wal_checkpoint(TRUNCATE)");
  const pages = db.prepare("SELECT pageno FROM dbstat WHERE name = ?").pluck().all(table) as number[];
  const size = db.pragma("page_size", { simple: true }) as number;
  db.close();
  const descriptor = openSync(databaseFile(dataDir), "r+");
  for (const page of pages) writeSync(descriptor, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(descriptor);
}

test("the command reindex rebuilds the index while the server runs, and searches work meanwhile", async () => {
  const { boardId } = victim.attacker;
  const running = tessera(victim.environment, "reindex", boardId, "--json");
  let isOver = false;
  void running.then(() => (isOver = true));
  while (!isOver) expect((await search("lighthouse")).status).toBe(200);
  const { code, stdout, stderr } = await running;
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Main board: ${TILES} of ${TILES} tiles`)]);
  expect(JSON.parse(stdout).reindex.boards).toEqual([{ id: boardId, name: "Main board", tiles: TILES }]);
  await expectFound();
  await untilIndexed();
  expect((await tessera(victim.environment, "reindex", "brd_unknown")).code).toBe(1);
});

test.each(["posting", "posting_block", "chunk"])(
  "a damaged table %s does not keep a board from being searched and asked",
  async (table) => {
    if (isPostgres()) return;
    damage(victim.environment["DATA_DIR"] as string, table);
    // A commit of another process empties the cache of the server.
    const { attacker } = victim;
    await tessera(victim.environment, "board", "create", "Cache");
    const deleted = await callAs(victim, attacker, "POST", `/api/board/${attacker.boardId}/tiles`, { content: "Short lived." });
    expect((await callAs(victim, attacker, "DELETE", `/api/board/tiles/${deleted.json.tile.id}`)).status).toBe(200);
    // The search that notices the damage may find less. The next ones read the waiting texts.
    for (const word of WORDS) expect((await search(word)).status).toBe(200);
    await expectFound();
    await untilIndexed();
    await expectFound();
    expect(victim.server.stdout().match(/The search index was damaged/g)?.length).toBe(
      ["posting", "posting_block", "chunk"].indexOf(table) + 1,
    );
  },
);
