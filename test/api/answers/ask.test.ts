import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestService, startTestService } from "../../support/service.ts";
import { UNKNOWN_TARGET } from "../../support/test-data.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const NOTHING_CONNECTED = /^No content on this board is connected to chat/;
const newBoard = async (): Promise<string> => (await service.call("POST", "/api/board/boards", { body: { name: "Asked" } })).json.board.id;
const addZone = async (board: string, connected: boolean): Promise<string> =>
  (await service.call("POST", `/api/board/${board}/zones`, { body: { name: "Z", connected_to_chat: connected } })).json.zone.id;
const addTile = async (board: string, content: string, fields: object = {}, key = service.key): Promise<string> =>
  (await service.call("POST", `/api/board/${board}/tiles`, { key, body: { content, ...fields } })).json.tile.id;
const ask = (board: string, question: unknown, more: object = {}, headers: Record<string, string> = {}) =>
  service.call("POST", `/api/board/${board}/ask`, { body: { question, ...more }, headers });
const askByGet = (board: string, question: string, query = "") =>
  service.call("GET", `/api/board/${board}/ask?q=${encodeURIComponent(question)}${query}`);

/** The events of a stream, in order. */
const parseEvents = (text: string): { event: string; data: any }[] =>
  text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });

/** All responses of the service to a question, from every endpoint. They must not contain unreadable content. */
async function askEverywhere(board: string, words: string): Promise<string> {
  const q = encodeURIComponent(words);
  const doors = await Promise.all([
    ask(board, words),
    askByGet(board, words),
    ask(board, words, { explain: true }),
    askByGet(board, words, "&explain=true"),
    ask(board, words, { explain: true }, { accept: "text/event-stream" }),
    service.call("GET", `/api/board/${board}/search?q=${q}&limit=100`),
  ]);
  for (const { status } of doors) expect(status).toBe(200);
  return doors.map(({ text }) => text).join("\n");
}

describe("the answer", () => {
  test("is the same for GET and POST, with verbatim quotes", async () => {
    const board = await newBoard();
    const content = "The museum has nine rooms. The harbour ferry departs at 6:40 every morning 😀 from pier three. Dogs are welcome.";
    const tileId = await addTile(board, content, { title: "Ferry times" });
    await addTile(board, "Bread is baked with rye flour and sold on Sundays.");
    const question = "When does the harbour ferry depart?";
    const posted = await ask(board, question);
    expect(posted.status).toBe(200);
    expect(posted.json).toEqual({
      answer: expect.stringContaining("6:40"),
      contextTokens: expect.any(Number),
      answered: true,
      mode: "extractive",
      citations: expect.any(Array),
    });
    const [first] = posted.json.citations;
    expect(first).toMatchObject({ tileId, title: "Ferry times", type: "TEXT", sourceUrl: null });
    expect(content.slice(first.start, first.end)).toBe(first.quote);
    expect(Number.isInteger(posted.json.contextTokens) && posted.json.contextTokens > 0).toBe(true);
    expect((await askByGet(board, question)).json).toEqual(posted.json);
    expect((await askByGet(board, question, "&explain=true")).json).toEqual((await ask(board, question, { explain: "true" })).json);
  });

  test("explains how the passages were chosen with explain=true only", async () => {
    const board = await newBoard();
    const tileId = await addTile(board, "The lighthouse was painted red in spring.");
    const { json } = await ask(board, "What colour is the lighthouse?", { explain: true });
    expect(json.explain.budgetTokens).toBe(32_000);
    expect(json.explain.candidates[0]).toEqual({
      tileId,
      start: expect.any(Number),
      end: expect.any(Number),
      score: expect.any(Number),
      parts: { lexical: expect.any(Number), semantic: null, rerank: expect.any(Number) },
      used: true,
      reason: expect.any(String),
    });
    expect((await ask(board, "What colour is the lighthouse?", { explain: false })).json).not.toHaveProperty("explain");
    const byQuery = await service.call("POST", `/api/board/${board}/ask?explain=true`, {
      body: { question: "What colour is the lighthouse?" },
    });
    expect(byQuery.json).toHaveProperty("explain");
  });

  test("says that nothing is connected, with a context of 0 tokens", async () => {
    const board = await newBoard();
    const expected = {
      answer: expect.stringMatching(NOTHING_CONNECTED),
      contextTokens: 0,
      answered: false,
      mode: "extractive",
      citations: [],
    };
    expect((await ask(board, "Anything?")).json).toEqual(expected);
    await addTile(board, "Hidden away", { zone_id: await addZone(board, false) });
    expect((await ask(board, "What is hidden away?")).json).toEqual(expected);
    expect((await askByGet(board, "What is hidden away?")).json).toEqual(expected);
  });

  test("is not guessed if the content does not contain it", async () => {
    const board = await newBoard();
    await addTile(board, "The bakery opens at seven.");
    for (const question of ["Who won the chess tournament in Reykjavik?", "!!! ??? ---", "😀", '" OR 1=1 --', "NEAR(a b) col:* ^x"]) {
      const { status, json } = await ask(board, question);
      expect([status, json.answered], question).toEqual([200, false]);
    }
  });

  test("has at most ten citations", async () => {
    const board = await newBoard();
    for (let i = 0; i < 15; i++) await addTile(board, `The ferry number ${i} leaves the harbour at dawn.`);
    const { json } = await ask(board, "When does the ferry leave the harbour?");
    expect(json.answered).toBe(true);
    expect(json.citations.length).toBeGreaterThan(0);
    expect(json.citations.length).toBeLessThanOrEqual(10);
  });
});

describe("the request", () => {
  test.each([[{}], [{ question: "" }], [{ question: " \n" }], [{ question: null }], [{ q: "x" }]])(
    "is rejected with the body %j: question is required",
    async (body) => {
      const { status, json } = await service.call("POST", `/api/board/${service.boardId}/ask`, { body });
      expect([status, json]).toEqual([400, { error: "question is required." }]);
    },
  );

  test.each(["", "?q=", "?q=%20", "?question=x"])("is rejected as GET with %j: question is required", async (query) => {
    const { status, json } = await service.call("GET", `/api/board/${service.boardId}/ask${query}`);
    expect([status, json]).toEqual([400, { error: "question is required." }]);
  });

  test.each([
    [5, "question must be a string."],
    [["x"], "question must be a string."],
    ["a\u0000b", "question must be valid Unicode without NUL."],
    ["x".repeat(4_001), "question is too long. The maximum is 4,000 characters."],
  ])("is rejected with a message for each invalid question", async (question, message) => {
    const { status, json } = await ask(service.boardId, question);
    expect([status, json]).toEqual([400, { error: message }]);
  });

  test("counts 4,000 characters alike in GET and POST, and both reject an invalid explain", async () => {
    expect((await ask(service.boardId, "😀".repeat(4_000))).status).toBe(200);
    expect((await askByGet(service.boardId, "x".repeat(4_000))).status).toBe(200);
    expect((await askByGet(service.boardId, "x".repeat(4_001))).json).toEqual({
      error: "question is too long. The maximum is 4,000 characters.",
    });
    expect((await askByGet(service.boardId, "x", "&q=y")).json).toEqual({ error: "question must be a string." });
    for (const answer of [await ask(service.boardId, "x", { explain: "maybe" }), await askByGet(service.boardId, "x", "&explain=maybe")]) {
      expect([answer.status, answer.json]).toEqual([400, { error: "explain must be a boolean." }]);
    }
    expect((await ask(UNKNOWN_TARGET.boardId, "x")).json).toEqual({ error: "Board not found." });
  });
});

describe("content that must not be read", () => {
  test("never appears: disconnected zones, other boards, other businesses, deleted tiles", async () => {
    const board = await newBoard();
    const other = await service.newBusiness("Other");
    const { key } = await service.newKey({ businessId: other.businessId });
    await addTile(board, "The password of the vault is kept by the captain.");
    await addTile(board, "The password of the vault is Nonce-Disconnected-7781.", { zone_id: await addZone(board, false) });
    await addTile(await newBoard(), "The password of the vault is Nonce-Board-7782.");
    await addTile(other.boardId, "The password of the vault is Nonce-Business-7783.", {}, key);
    const deleted = await addTile(board, "The password of the vault is Nonce-Deleted-7784.");
    await service.call("DELETE", `/api/board/tiles/${deleted}`);
    for (const nonce of ["Disconnected-7781", "Board-7782", "Business-7783", "Deleted-7784"]) {
      for (const words of ["What is the password of the vault?", `zzz7781 ${nonce.split("-")[1]}`])
        expect(await askEverywhere(board, words)).not.toContain(nonce);
    }
    expect(await askEverywhere(board, "What is the password of the vault?")).toContain("captain");
  });

  test("follows each change of a zone or tile in the next answer", async () => {
    const board = await newBoard();
    const [open, closed] = [await addZone(board, true), await addZone(board, false)];
    const tile = await addTile(board, "The treasure map is under the Quillwort-4471 stone.", { zone_id: open });
    const isSeen = async (): Promise<boolean> => (await askEverywhere(board, "Where is the treasure map?")).includes("Quillwort-4471");
    const step = async (path: string, body?: unknown, method = "PATCH"): Promise<boolean> => {
      expect((await service.call(method, `/api/board/${path}`, body === undefined ? {} : { body })).status).toBe(200);
      return isSeen();
    };
    expect(await isSeen()).toBe(true);
    expect(await step(`zones/${open}`, { connected_to_chat: false })).toBe(false);
    expect(await step(`zones/${open}`, { connected_to_chat: true })).toBe(true);
    expect(await step(`tiles/${tile}`, { zone_id: closed })).toBe(false);
    expect(await step(`tiles/${tile}`, { zone_id: null })).toBe(true);
    expect(await step(`tiles/${tile}`, { zone_id: open })).toBe(true);
    expect(await step(`tiles/${tile}`, undefined, "DELETE")).toBe(false);
    expect(await step(`tiles/${tile}/restore`, undefined, "POST")).toBe(true);
    expect(await step(`zones/${open}`, undefined, "DELETE")).toBe(false);
    expect(await step(`zones/${open}/restore`, undefined, "POST")).toBe(true);
    expect(await step(`tiles/${tile}`, { content: "The treasure map was burnt." })).toBe(false);
  });
});

describe("the stream", () => {
  test("sends tokens that join to the answer, and done with the whole plain body", async () => {
    const board = await newBoard();
    await addTile(board, "The observatory opens its dome at nightfall, and visitors may look through the great telescope until midnight.");
    const question = "When does the observatory open its dome?";
    const plain = (await ask(board, question)).json;
    const posted = await ask(board, question, {}, { accept: "text/event-stream" });
    expect(posted.status).toBe(200);
    expect(posted.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(posted.headers.get("x-request-id")).toMatch(/^req_/);
    const events = parseEvents(posted.text);
    expect(events.slice(0, -1).every(({ event, data }) => event === "token" && typeof data.text === "string")).toBe(true);
    expect(
      events
        .slice(0, -1)
        .map(({ data }) => data.text)
        .join(""),
    ).toBe(plain.answer);
    expect(events.at(-1)).toEqual({ event: "done", data: plain });
    const got = await service.call("GET", `/api/board/${board}/ask?q=${encodeURIComponent(question)}`, {
      headers: { accept: "text/event-stream" },
    });
    expect(got.text).toBe(posted.text);
  });

  test("returns errors before the stream as plain JSON", async () => {
    for (const [body, key, status] of [
      [{}, service.key, 400],
      [{ question: "x" }, "x", 401],
    ] as const) {
      const answer = await service.call("POST", `/api/board/${service.boardId}/ask`, {
        key,
        body,
        headers: { accept: "text/event-stream" },
      });
      expect([answer.status, Object.keys(answer.json)]).toEqual([status, ["error"]]);
    }
  });
});

describe("search", () => {
  test("returns one row per tile, best first, with quotes from the text", async () => {
    const board = await newBoard();
    const best = await addTile(board, "Granite granite granite: the quarry sells granite.", { title: "Granite" });
    for (let i = 0; i < 15; i++) await addTile(board, `Stone ${i} is not as hard as granite, says the mason of this town.`);
    const { json } = await service.call("GET", `/api/board/${board}/search?q=granite`);
    expect(json.results).toHaveLength(10);
    expect(json.results[0]).toMatchObject({
      tileId: best,
      title: "Granite",
      type: "TEXT",
      score: expect.any(Number),
      quote: expect.any(String),
    });
    expect(new Set(json.results.map(({ tileId }: any) => tileId)).size).toBe(10);
    const scores = json.results.map(({ score }: any) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    for (const { tileId, quote } of json.results)
      expect((await service.call("GET", `/api/board/tiles/${tileId}`)).json.tile.extractedText).toContain(quote);
    expect((await service.call("GET", `/api/board/${board}/search?q=granite&limit=100`)).json.results).toHaveLength(16);
    expect((await service.call("GET", `/api/board/${board}/search?q=granite&limit=2`)).json.results).toHaveLength(2);
    expect((await service.call("GET", `/api/board/${board}/search?q=nowhere`)).json).toEqual({ results: [] });
  });

  test.each([
    ["", "q is required."],
    ["?q=+", "q is required."],
    ["?q=x&limit=0", "limit must be a whole number from 1 to 100."],
    ["?q=x&limit=101", "limit must be a whole number from 1 to 100."],
    [`?q=${"x".repeat(4_001)}`, "q is too long. The maximum is 4,000 characters."],
  ])("rejects %j: %s", async (query, message) => {
    const { status, json } = await service.call("GET", `/api/board/${service.boardId}/search${query}`);
    expect([status, json]).toEqual([400, { error: message }]);
  });

  test.each(['"', "'", "*", "NEAR(x", "col:x", "a AND", "(", "\\", "%", "_", "x OR y NOT", "{}", "^x"])(
    "treats operators as ordinary words: %s",
    async (words) => {
      expect((await service.call("GET", `/api/board/${service.boardId}/search?q=${encodeURIComponent(words)}`)).status).toBe(200);
      expect((await ask(service.boardId, words)).status).toBe(200);
    },
  );
});
