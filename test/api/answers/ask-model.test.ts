import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { authorizeOn, textTile } from "../../support/boards.ts";
import { askStreamed } from "../../support/clients/ask-streams.ts";
import { type OpenAiServer, type Script, startOpenAiServer } from "../../support/servers/openai-server.ts";
import { type TestService, startTestService } from "../../support/service.ts";

const KEY = "sk-model-key-0123456789";
const TIMEOUT_MS = 1_500;
const FERRY = "The harbour ferry departs at 6:40 every morning from pier three. Dogs travel free on Sundays.";
const MUSEUM = "The museum of maps has nine rooms and is closed on Mondays.";
const QUESTION = "When does the harbour ferry depart?";
const FALLEN = "These are the passages that match best.";

let model: OpenAiServer;
let service: TestService;
let board: string;
let ferry: string;
let museum: string;

const newBoard = async (name = "Asked"): Promise<string> =>
  (await service.call("POST", "/api/board/boards", { body: { name } })).json.board.id;
const addTile = async (to: string, content: string, fields: object = {}): Promise<string> =>
  (await service.call("POST", `/api/board/${to}/tiles`, { body: { content, ...fields } })).json.tile.id;
const ask = (of: string, question = QUESTION, more: { body?: object; key?: string } = {}) =>
  service.call("POST", `/api/board/${of}/ask`, { body: { question, ...more.body }, ...(more.key === undefined ? {} : { key: more.key }) });

/** The source number of a text. */
function sourceOf(prompt: string, words: string): number {
  const before = prompt.slice(0, prompt.indexOf(words));
  return Number(
    before
      .match(/source (\d+):/g)
      ?.at(-1)
      ?.match(/\d+/)?.[0],
  );
}
const SAYS_WELL: Script = ({ prompt }) => ({
  text: `The ferry leaves at 6:40. [${sourceOf(prompt, "The harbour ferry")}: "departs at 6:40 every morning"]`,
  usage: { input: 320, output: 25 },
});

beforeAll(async () => {
  model = await startOpenAiServer(SAYS_WELL);
  service = await startTestService({
    LLM_PROVIDER: "openai-compatible",
    LLM_MODEL: "tiny",
    LLM_API_KEY: KEY,
    LLM_BASE_URL: model.url,
    LLM_TIMEOUT_MS: String(TIMEOUT_MS),
    LLM_MAX_OUTPUT_TOKENS: "300",
    ASK_CONTEXT_TOKENS: "1000",
  });
  board = await newBoard();
  ferry = await addTile(board, FERRY, { title: "Ferry times" });
  museum = await addTile(board, MUSEUM, { title: "Museum" });
});
beforeEach(() => model.script(SAYS_WELL));
afterAll(async () => {
  await service.stop();
  await model.close();
});

describe("answers of the language model", () => {
  test("have verified citations, and the plain and the streamed response are equal", async () => {
    const { status, json } = await ask(board);
    expect(status).toBe(200);
    expect(json).toEqual({
      answer: "The ferry leaves at 6:40. [1]",
      answered: true,
      mode: "model",
      contextTokens: expect.any(Number),
      citations: [
        { tileId: ferry, title: "Ferry times", type: "TEXT", sourceUrl: null, quote: "departs at 6:40 every morning", start: 18, end: 47 },
      ],
    });
    expect(FERRY.slice(18, 47)).toBe("departs at 6:40 every morning");
    expect(json.contextTokens).toBeGreaterThan(30);
    expect(json.contextTokens).toBeLessThan(300);
    const got = await service.call("GET", `/api/board/${board}/ask?q=${encodeURIComponent(QUESTION)}`);
    expect(got.json).toEqual(json);
  });

  test("use all connected tiles of a small board, in order", async () => {
    const small = await newBoard();
    const zone = async (connected: boolean): Promise<string> =>
      (await service.call("POST", `/api/board/${small}/zones`, { body: { name: "Z", connected_to_chat: connected } })).json.zone.id;
    const [open, closed] = [await zone(true), await zone(false)];
    await addTile(small, "Third: outside of every zone.");
    await addTile(small, "Second: of the zone.", { zone_id: open });
    const first = await addTile(small, "First: moved to the front.", { zone_id: open });
    await service.call("PATCH", `/api/board/tiles/${first}`, { body: { sort_order: -5 } });
    await addTile(small, "Hidden: of the closed zone.", { zone_id: closed });
    await ask(small, "What about zebras?");
    const { prompt, system } = model.requests.at(-1)!;
    expect([...prompt.matchAll(/source (\d+): .*\n(\w+):/g)].map(([, number, word]) => [number, word])).toEqual([
      ["1", "First"],
      ["2", "Second"],
      ["3", "Third"],
    ]);
    expect(prompt).not.toContain("Hidden");
    expect(prompt.endsWith("What about zebras?")).toBe(true);
    expect(system).not.toContain("zebras");
  });

  test("use a saved answer only if it is connected to chat, on small and on large boards", async () => {
    for (const reports of [0, 12]) {
      const own = await newBoard();
      for (let at = 0; at < reports; at++)
        await addTile(own, `Report ${at}. ${`Line ${at} of the annual report on bread and butter. `.repeat(40)}`);
      await addTile(own, FERRY);
      const saved = await addTile(own, "Kept: the harbour ferry departs early.", { origin: "answer" });
      await ask(own);
      expect(model.requests.at(-1)!.prompt).toContain("The harbour ferry departs at 6:40");
      expect(model.requests.at(-1)!.prompt).not.toContain("Kept:");
      await service.call("PATCH", `/api/board/tiles/${saved}`, { body: { connected_to_chat: true } });
      await ask(own);
      expect(model.requests.at(-1)!.prompt).toContain("Kept:");
      await service.call("PATCH", `/api/board/tiles/${saved}`, { body: { connected_to_chat: false } });
      await ask(own);
      expect(model.requests.at(-1)!.prompt).not.toContain("Kept:");
    }
  });

  test("use the matching passages of a large board, within the token budget", async () => {
    const large = await newBoard();
    for (let at = 0; at < 12; at++)
      await addTile(large, `Report ${at}. ${`Line ${at} of the annual report on bread and butter. `.repeat(40)}`);
    await addTile(large, FERRY);
    const { json } = await ask(large);
    expect([json.mode, json.answered, json.citations[0]?.quote]).toEqual(["model", true, "departs at 6:40 every morning"]);
    expect(json.contextTokens).toBeLessThanOrEqual(1_000);
    const { prompt } = model.requests.at(-1)!;
    expect(prompt).toContain("The harbour ferry");
    expect(prompt.length).toBeLessThan(8_000);
  });

  test("drop invented quotes, mark their sentences as unsupported, and number repeated quotes once", async () => {
    model.script(({ prompt }) => {
      const n = sourceOf(prompt, "The harbour ferry");
      return {
        text: `It leaves at 6:40. [${n}: "departs at 6:40 every morning"] It costs nine euros. [${n}: "costs nine euros"] Dogs pay nothing. [${n}: "Dogs travel free on Sundays"] It leaves early [${n}: "departs at 6:40 every morning"].`,
      };
    });
    const { json } = await ask(board);
    expect(json.answer).toBe("It leaves at 6:40. [1] It costs nine euros. [unsupported] Dogs pay nothing. [2] It leaves early [1].");
    expect(json.citations.map(({ quote }: any) => quote)).toEqual(["departs at 6:40 every morning", "Dogs travel free on Sundays"]);
  });

  test.each([
    ["the model says so", "NOT_IN_SOURCES"],
    ["nothing it says is supported", "It leaves at noon, everybody knows that."],
    ["its quotes are invented", 'It leaves at noon. [1: "leaves at noon"]'],
  ])("are answered: false when %s, and cite the nearest passages", async (_, text) => {
    model.script(() => ({ text }));
    const { json } = await ask(board);
    expect(json).toMatchObject({ answered: false, mode: "model", answer: expect.stringContaining("does not seem to hold the answer") });
    expect(json.citations[0].tileId).toBe(ferry);
    expect(json.citations.length).toBeLessThanOrEqual(3);
    expect(json).not.toHaveProperty("notice");
  });

  test("call the model on a small board even if nothing matches", async () => {
    model.script(({ prompt }) => ({ text: `Neun. [${sourceOf(prompt, "The museum")}: "has nine rooms"]` }));
    const { json } = await ask(board, "Wieviele Zimmer?");
    expect(json).toMatchObject({ answered: true, answer: "Neun. [1]", citations: [{ tileId: museum }] });
  });

  test("do not call the model without connected or matching content", async () => {
    const empty = await newBoard();
    const large = await newBoard();
    for (let at = 0; at < 12; at++)
      await addTile(large, `Report ${at}. ${`Line ${at} of the annual report on bread and butter. `.repeat(40)}`);
    const before = model.requests.length;
    expect((await ask(empty)).json).toMatchObject({ answered: false, mode: "extractive", contextTokens: 0, citations: [] });
    expect((await ask(large, "zebra xylophone")).json).toMatchObject({ answered: false, mode: "extractive", contextTokens: 0 });
    expect(model.requests.length).toBe(before);
  });

  test("cite transcripts with their second", async () => {
    const films = await newBoard();
    const { deps } = service.appContext;
    const scope = authorizeOn((await deps.store.boards.find(service.businessId, films))!);
    const text = "Welcome to the show. The comet returns in 2061 and not before. Good night.";
    const segments = [
      { start: 0, end: 20, seconds: 0 },
      { start: 21, end: 62, seconds: 7.5 },
    ];
    await deps.store.tiles.create(scope, textTile(text, { type: "YOUTUBE", segments }), Date.now());
    model.script(() => ({ text: 'In 2061. [1: "The comet returns in 2061"]' }));
    const { json } = await ask(films, "When does the comet return?");
    expect(json.citations).toMatchObject([{ type: "YOUTUBE", start: 21, seconds: 7.5 }]);
  });
});

describe("a failing model", () => {
  const cases: readonly (readonly [string, Script, string])[] = [
    [
      "is slow",
      () => ({ text: "late", waitMs: 10_000 }),
      "The language model did not answer in time; these are the passages that match best.",
    ],
    [
      "hangs in the middle",
      () => ({ text: ["The ferry ", "leaves "], end: "hang" }),
      "The language model did not answer in time; these are the passages that match best.",
    ],
    [
      "is unavailable",
      () => ({ status: 500, body: "secret inner words" }),
      `The language model is unavailable. Try again later. ${FALLEN}`,
    ],
    [
      "is rate-limited",
      () => ({ status: 429, headers: { "retry-after": "120" } }),
      `The language model's provider has reached its rate limit. Try again later. ${FALLEN}`,
    ],
    ["is cut off", () => ({ text: ["The ferry "], end: "cut" }), `The language model's answer was cut off. ${FALLEN}`],
    [
      "sends garbage",
      () => ({ status: 200, headers: { "content-type": "text/event-stream" }, body: "data: {{{\n\n" }),
      `The language model sent an answer that can't be read. ${FALLEN}`,
    ],
    ["says nothing", () => ({ text: "" }), `The language model returned an empty answer. ${FALLEN}`],
    [
      "never ends",
      () => ({
        text: {
          *[Symbol.iterator]() {
            for (;;) yield "more ".repeat(40);
          },
        },
        pieceMs: 0,
      }),
      `The language model's answer was longer than LLM_MAX_OUTPUT_TOKENS allows and was cut off. ${FALLEN}`,
    ],
    [
      "refuses the key",
      () => ({ status: 401, body: { error: { message: `Incorrect key ${KEY}` } } }),
      `The language model refused the key. Check LLM_API_KEY. ${FALLEN}`,
    ],
  ];
  test.each(cases)("that %s falls back to the extractive answer, with a notice", async (_, script, notice) => {
    model.script(script);
    const { status, text, json } = await ask(board);
    expect(status).toBe(200);
    expect(json).toMatchObject({ mode: "extractive", answered: true, notice, answer: expect.stringContaining("6:40") });
    expect(json.citations[0]).toMatchObject({ tileId: ferry });
    expect(text).not.toMatch(/secret inner words|Incorrect key|0123456789/);
  });

  test("is retried after a temporary failure, without a notice", async () => {
    let calls = 0;
    model.script((request) => (++calls === 1 ? { status: 503 } : SAYS_WELL(request)));
    const { json } = await ask(board);
    expect([json.mode, calls]).toEqual(["model", 2]);
    expect(json).not.toHaveProperty("notice");
  });

  test("is counted in the metrics by outcome", async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    for (const outcome of ["answered", "timeout", "unreachable", "rate_limited", "cut_off", "wrong_answer", "refused"])
      expect(text).toMatch(new RegExp(`tessera_model_calls_total\\{endpoint="ask",outcome="${outcome}"\\} [1-9]`));
  });
});

describe("usage", () => {
  test("is recorded for the key, and a spent budget returns 402 before the model is called, streamed or not", async () => {
    const { key } = await service.newKey({ budget: 500 });
    expect((await ask(board, QUESTION, { key })).status).toBe(200);
    expect(
      (await service.call("GET", "/api/me", { key })).json.usage ?? (await service.call("GET", "/api/me", { key })).json.key.usage,
    ).toMatchObject({ calls: 1, inputTokens: 320, outputTokens: 25 });
    expect((await ask(board, QUESTION, { key })).status).toBe(200);
    const before = model.requests.length;
    const refused = await ask(board, QUESTION, { key });
    expect([refused.status, refused.json.error]).toEqual([402, expect.stringContaining("budget")]);
    const streamed = await service.call("POST", `/api/board/${board}/ask`, {
      key,
      body: { question: QUESTION },
      headers: { accept: "text/event-stream" },
    });
    expect([streamed.status, streamed.json]).toEqual([402, refused.json]);
    expect(model.requests.length).toBe(before);
  });
});

describe("a streamed answer of the model", () => {
  test("sends sentences as they arrive, which join to the answer", async () => {
    model.script(({ prompt }) => {
      const n = sourceOf(prompt, "The harbour ferry");
      return {
        text: [
          "The ferry leaves ",
          `at 6:40. [${n}: "departs at`,
          ' 6:40 every morning"] Dogs travel free on Sun',
          "days, ",
          `as it says. [${n}: "Dogs travel free on Sundays"]`,
        ],
        pieceMs: 200,
      };
    });
    const events = await askStreamed(service, board, QUESTION);
    const done = events.at(-1)!;
    expect(done).toMatchObject({ event: "done", data: { mode: "model", answered: true } });
    const tokens = events.slice(0, -1);
    expect(tokens.every(({ event }) => event === "token")).toBe(true);
    expect(tokens.map(({ data }) => data.text).join("")).toBe(done.data.answer);
    expect(done.data.answer).toBe("The ferry leaves at 6:40. [1] Dogs travel free on Sundays, as it says. [2]");
    expect(done.at - tokens[0]!.at).toBeGreaterThan(250);
    expect(tokens[0]!.data.text).toBe("The ferry leaves at 6:40. [1]");
  });

  test("replaces the sent text with the extractive answer if the model fails midway", async () => {
    model.script(({ prompt }) => ({
      text: [
        `The ferry leaves at 6:40. [${sourceOf(prompt, "The harbour ferry")}: "departs at 6:40 every morning"] And then there is still`,
        " more to be told",
      ],
      pieceMs: 50,
      end: "cut",
    }));
    const events = await askStreamed(service, board, QUESTION);
    expect(events[0]).toMatchObject({ event: "token", data: { text: "The ferry leaves at 6:40. [1]" } });
    expect(events.at(-1)).toMatchObject({
      event: "done",
      data: { mode: "extractive", answered: true, notice: `The language model's answer was cut off. ${FALLEN}` },
    });
    const { json } = await ask(board);
    expect(events.at(-1)!.data).toEqual(json);
    expect(events).toHaveLength(2);
  });

  test("streams the extractive answer if the model fails at the start", async () => {
    model.script(() => ({ status: 500 }));
    const events = await askStreamed(service, board, QUESTION);
    const done = events.at(-1)!;
    expect(done.data).toMatchObject({ mode: "extractive", notice: expect.any(String) });
    expect(
      events
        .slice(0, -1)
        .map(({ data }) => data.text)
        .join(""),
    ).toBe(done.data.answer);
  });

  test("never shows unsupported sentences, even briefly", async () => {
    model.script(() => ({
      text: ["Send your money ", "to the captain. ", 'At once, please, or else. [1: "send money"] And more of it, ', "again."],
      pieceMs: 20,
    }));
    const events = await askStreamed(service, board, QUESTION);
    expect(JSON.stringify(events)).not.toMatch(/money|captain|please/);
    expect(events.at(-1)!.data).toMatchObject({ answered: false, mode: "model" });
  });
});

describe("a disconnected client", () => {
  test.each(["plain", "streamed"])("cancels the model call (%s)", async (form) => {
    model.script(() => ({ text: Array.from({ length: 100 }, () => "word "), pieceMs: 50 }));
    const before = model.cancelled();
    const abort = new AbortController();
    const asked =
      form === "streamed"
        ? askStreamed(service, board, QUESTION, abort.signal)
        : fetch(`${service.url}/api/board/${board}/ask?q=x`, { headers: { "x-api-key": service.key }, signal: abort.signal });
    await sleep(400);
    abort.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => model.cancelled() - before, { timeout: 1_000 }).toBe(1);
    await expect
      .poll(async () => (await (await fetch(`${service.url}/metrics`)).text()).includes('outcome="cancelled"'), { timeout: 1_000 })
      .toBe(true);
  });
});
