import { afterAll, beforeAll, expect, test } from "vitest";
import { callAs, MAX_MEMORY_MIB, startVictim, type Victim } from "./support/victim.ts";

const SEARCHES = 300;
const ASKS = 30;
/** Words that occur once, a megabyte of them by default. */
const createText = (seed: number, size = 999_000): string => {
  let state = seed;
  const words: string[] = [];
  for (let length = 0; length < size; length += 9) {
    let word = "";
    for (let letter = 0; letter < 8; letter++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      word += String.fromCharCode(97 + ((state >>> 16) % 26));
    }
    words.push(word);
  }
  return words.join(" ");
};

let victim: Victim;
beforeAll(async () => {
  victim = await startVictim({ MAX_CONTENT_CHARACTERS: "20000000", EMBEDDINGS: "off" });
}, 60_000);
afterAll(() => victim.stop());

test("searches and questions over waiting text neither fill the memory nor stop another business", { timeout: 120_000 }, async () => {
  const { attacker, other } = victim;
  const content = "The harbour gate opens at six.";
  const note = await callAs(victim, other, "POST", "/api/inbound/tiles", { board_id: other.boardId, title: "Harbour", content });
  expect(note.status).toBe(200);
  const created = await callAs(victim, attacker, "POST", "/api/inbound/tiles", { board_id: attacker.boardId, content: createText(1) });
  expect(created.status).toBe(200);
  const { id } = created.json.tile ?? created.json;

  let ended = 0;
  let isOver = false;
  // The tile is written anew again and again, so that it keeps waiting.
  const rewrite = (async () => {
    for (let seed = 2; !isOver; seed++) {
      await callAs(victim, attacker, "PATCH", `/api/board/tiles/${id}`, { content: createText(seed) });
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  const attack = Promise.all([
    ...Array.from({ length: SEARCHES }, async (_, n) => {
      const found = await callAs(victim, attacker, "GET", `/api/board/${attacker.boardId}/search?q=harbuor+word${n}`);
      ended++;
      return found.status;
    }),
    ...Array.from({ length: ASKS }, async (_, n) => {
      const answer = await callAs(victim, attacker, "POST", `/api/board/${attacker.boardId}/ask`, { question: `What is zyxwvuts ${n}?` });
      ended++;
      return answer.status;
    }),
  ]);
  const search = await callAs(victim, other, "GET", `/api/board/${other.boardId}/search?q=gate`);
  const endedBefore = ended;
  expect(search.status).toBe(200);
  expect(search.text).toContain("harbour gate");
  const statuses = await attack;
  isOver = true;
  await rewrite;
  expect(endedBefore).toBeLessThan(SEARCHES + ASKS);
  // Callers beyond the limits of a queue are told to try again.
  expect([...new Set(statuses)].filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect(statuses).toContain(200);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});

test("a text of several megabytes is found by its beginning at once, and by its end once it is indexed", { timeout: 120_000 }, async () => {
  const { other } = victim;
  const content = `The lighthouse stands on a cliff. ${createText(3, 2_300_000)} The zebra sleeps at noon.`;
  const created = await callAs(victim, other, "POST", "/api/inbound/tiles", { board_id: other.boardId, content });
  const { id } = created.json.tile;
  const find = async (word: string) => {
    const found = await callAs(victim, other, "GET", `/api/board/${other.boardId}/search?q=${word}`);
    expect(found.status).toBe(200);
    return found.text.includes(id);
  };
  const ask = async (question: string) => {
    const answer = await callAs(victim, other, "POST", `/api/board/${other.boardId}/ask`, { question });
    expect(answer.status).toBe(200);
    return answer.json.answer;
  };
  expect(await find("lighthouse")).toBe(true);
  expect(await ask("Where does the lighthouse stand?")).toContain("on a cliff");
  await expect.poll(() => find("zebra"), { timeout: 100_000, interval: 500 }).toBe(true);
  expect(await find("lighthouse")).toBe(true);
  expect(await ask("When does the zebra sleep?")).toContain("at noon");
  expect((await callAs(victim, other, "GET", `/api/board/tiles/${id}`)).json.tile.warnings).toEqual([]);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});
