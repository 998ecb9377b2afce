import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { call } from "../e2e/support/process.ts";
import { until } from "../e2e/support/servers.ts";
import { isPostgres } from "../support/engine.ts";
import { callAs, MAX_MEMORY_MIB, startVictim, type Tenant, type Victim } from "./support/victim.ts";

const TILES = 100;
/** Calls of the attacker under way at any time. Served in order of arrival, each call of others would wait for as many. */
const PARALLEL = 60;
const MEASURED_CALLS = 5;
const WORDS = "harbour lighthouse winter storm ferry keeper lamp museum engineer silt field flood town money plan week".split(" ");

let victim: Victim;
beforeAll(async () => {
  victim = await startVictim();
  for (const tenant of [victim.attacker, victim.other]) await fill(tenant);
});
afterAll(() => victim.stop());

async function fill(tenant: Tenant): Promise<void> {
  const { boardId } = tenant;
  const toText = (n: number): string => Array.from({ length: 150 }, (_, at) => WORDS[(n * 7 + at * at) % WORDS.length]).join(" ");
  const tiles = Array.from({ length: TILES }, (_, n) => ({ board_id: boardId, content: `Note ${n}. ${toText(n)}.` }));
  expect((await callAs(victim, tenant, "POST", "/api/inbound/tiles/batch", { tiles })).status).toBe(200);
}

const read = (tenant: Tenant, path: string) =>
  call(victim.server.url, tenant.key, "GET", `/api/board/${tenant.boardId}/${path}`, undefined, { "cache-control": "no-cache" });
const search = (tenant: Tenant) => read(tenant, "search?q=harbour+storm&scope=all&limit=100");
const toBatch = ({ boardId }: Tenant) => ({ tiles: Array.from({ length: 50 }, () => ({ board_id: boardId, content: "One of a batch." })) });

const ATTACKS: readonly (readonly [name: string, send: (tenant: Tenant) => ReturnType<typeof call>])[] = [
  ["searches", search],
  ["questions", (tenant) => read(tenant, "ask?q=Where+is+the+lighthouse+keeper%3F")],
  ["listings", (tenant) => read(tenant, "tiles")],
  ["batches", (tenant) => callAs(victim, tenant, "POST", "/api/inbound/tiles/batch", toBatch(tenant))],
];

test.each(ATTACKS)(
  "the search of another business does not wait for all %s of one key",
  async (_name, send) => {
    const { attacker, other } = victim;
    const statuses = new Set<number>();
    let ended = 0;
    let isOver = false;
    const attack = Array.from({ length: PARALLEL }, async () => {
      while (!isOver) {
        statuses.add((await send(attacker)).status);
        ended++;
      }
    });
    await until("The first response to the attack", () => ended > 0);
    const endedBefore = ended;
    for (let n = 0; n < MEASURED_CALLS; n++) expect((await search(other)).status).toBe(200);
    const perCall = (ended - endedBefore) / MEASURED_CALLS;
    isOver = true;
    await Promise.all(attack);
    expect(perCall).toBeLessThan(PARALLEL);
    expect(statuses).toEqual(new Set([200]));
    expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
  },
  120_000,
);

test("a caller with too many searches waiting gets 429 with Retry-After, and another business gets 200", async () => {
  const { attacker, other } = victim;
  let ended = 0;
  const attack = Array.from({ length: 200 }, () => search(attacker).finally(() => ended++));
  await until("The first response to the attack", () => ended > 0);
  expect((await search(other)).status).toBe(200);
  const answers = await Promise.all(attack);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers.get("retry-after")).toBe("1");
  expect(refused[0]?.json.error).toContain("Try again in 1 s.");
  expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
}, 120_000);

// A row is locked for as long as the test wants, so that the changes would take all connections of the pool.
test.runIf(isPostgres())("changes of one key that wait for a row leave connections to others", async () => {
  const { attacker, other } = victim;
  const { json } = await callAs(victim, attacker, "POST", `/api/board/${attacker.boardId}/tiles`, { content: "Changed by many." });
  const path = `/api/board/tiles/${json.tile.id}`;
  const client = new Client(victim.environment["DATABASE_URL"]);
  await client.connect();
  // The end of the connection releases the lock.
  onTestFinished(() => client.end());
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM tile WHERE id = $1 FOR UPDATE", [json.tile.id]);
  const changes = Array.from({ length: PARALLEL }, (_, n) => callAs(victim, attacker, "PATCH", path, { title: `Title ${n}` }));
  for (let n = 0; n < MEASURED_CALLS; n++) {
    expect((await read(other, "tiles?limit=5")).status).toBe(200);
    expect((await callAs(victim, other, "POST", `/api/board/${other.boardId}/tiles`, { content: `Note ${n}.` })).status).toBe(200);
  }
  await client.query("ROLLBACK");
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  expect([200, 503]).toEqual(expect.arrayContaining([...new Set(statuses)]));
});
