import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalServer, listen, until } from "../e2e/support/servers.ts";
import { callAs, MAX_MEMORY_MIB, startVictim, type Tenant, type Victim } from "./support/victim.ts";

const TILES = 40;
const TILE_CHARACTERS = 40_000;
const PARALLEL = 100;
/** Generations of one key that may run or wait. */
const MAX_PER_KEY = 128;
/** Calls of the model after which the memory is looked at. Each takes a second of processor time. */
const MODEL_CALLS = 6;

/** Short sentences of words that occur once: as many sentences and words as a text of this length can have. */
function createText(seed: number): string {
  let text = "";
  for (let n = seed * TILE_CHARACTERS; text.length < TILE_CHARACTERS; n += 3) text += `A${toWord(n)} ${toWord(n + 1)} ${toWord(n + 2)}.\n`;
  return text;
}

const toWord = (n: number): string =>
  ((n * 2_654_435_761) % 4_294_967_296).toString(26).replaceAll(/\d/g, (digit) => String.fromCharCode(113 + Number(digit)));

async function fill(victim: Victim): Promise<void> {
  const { attacker, other } = victim;
  for (let n = 0; n < TILES; n++) {
    const tile = { title: `Part ${n}`, content: createText(n + 1) };
    expect((await callAs(victim, attacker, "POST", `/api/board/${attacker.boardId}/tiles`, tile)).status).toBe(200);
  }
  const note = { content: "The harbour gate opens at six in the morning. The gate closes at nine in the evening." };
  expect((await callAs(victim, other, "POST", `/api/board/${other.boardId}/tiles`, note)).status).toBe(200);
}

const generate = (victim: Victim, tenant: Tenant) =>
  callAs(victim, tenant, "POST", "/api/v1/generate", { board_id: tenant.boardId, asset_type: "article", async: true });

async function findEnd(victim: Victim, tenant: Tenant, id: string): Promise<string> {
  const { json } = await callAs(victim, tenant, "GET", `/api/v1/generations/${id}?wait=60`);
  return json.generation.status;
}

test(
  "100 generations of one key do not fill the memory, and those of others, and of other keys, come in between",
  { timeout: 240_000 },
  async () => {
    const victim = await startVictim({ EMBEDDINGS: "off" });
    try {
      await fill(victim);
      const { attacker, other } = victim;
      const started = await Promise.all(Array.from({ length: PARALLEL }, () => generate(victim, attacker)));
      expect(new Set(started.map(({ status }) => status))).toEqual(new Set([202]));
      const first: string = started[0]?.json.generation.id;
      expect(await findEnd(victim, attacker, first)).toBe("complete");
      // Neither the other business nor another key of this one waits for the hundred.
      for (const tenant of [other, { ...attacker, key: await victim.newKey() }]) {
        const own = await generate(victim, tenant);
        expect(await findEnd(victim, tenant, own.json.generation.id)).toBe("complete");
      }
      const last: string = started.at(-1)?.json.generation.id;
      expect((await callAs(victim, attacker, "GET", `/api/v1/generations/${last}`)).json.generation.status).toBe("processing");
      expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
    } finally {
      await victim.stop();
    }
  },
);

describe("generations with a model", () => {
  let model: LocalServer;
  let victim: Victim;
  let calls = 0;
  beforeAll(async () => {
    // It never answers.
    model = await listen(() => void calls++);
    victim = await startVictim({
      EMBEDDINGS: "off",
      LLM_PROVIDER: "openai-compatible",
      LLM_MODEL: "held",
      LLM_BASE_URL: `${model.url}/v1`,
      LLM_TIMEOUT_MS: "120000",
      ASK_CONTEXT_TOKENS: "8000",
    });
    await fill(victim);
  }, 120_000);
  afterAll(async () => {
    await victim.stop();
    await model.close();
  });

  test(
    "generations that wait for the model hold only what it was given, and those of one key are limited",
    { timeout: 240_000 },
    async () => {
      const { attacker } = victim;
      const started = await Promise.all(Array.from({ length: PARALLEL }, () => generate(victim, attacker)));
      expect(new Set(started.map(({ status }) => status))).toEqual(new Set([202]));
      const more = await Promise.all(Array.from({ length: PARALLEL }, () => generate(victim, attacker)));
      const refused = more.filter(({ status }) => status !== 202);
      expect(refused.length).toBe(2 * PARALLEL - MAX_PER_KEY);
      for (const { status, headers } of refused) expect([status, headers.get("retry-after")]).toEqual([429, "10"]);
      await until("The model gets the first calls", () => calls >= MODEL_CALLS, 200_000);
      expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
    },
  );
});
