import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../e2e/support/process.ts";
import { until } from "../e2e/support/servers.ts";
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
