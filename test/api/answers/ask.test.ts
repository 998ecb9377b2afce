import { expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";
import { UNKNOWN_TARGET } from "../../support/test-data.ts";

const service = useTestService();

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

test("the answer says that nothing is connected, with a context of 0 tokens", async () => {
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

test.each([
  [5, "question must be a string."],
  [["x"], "question must be a string."],
  ["a\u0000b", "question must be valid Unicode without NUL."],
  ["x".repeat(4_001), "question is too long. The maximum is 4,000 characters."],
])("a question is rejected with a message for each invalid question", async (question, message) => {
  const { status, json } = await ask(service.boardId, question);
  expect([status, json]).toEqual([400, { error: message }]);
});

test("a question has at most 4,000 characters in GET and POST alike, and both reject an invalid explain", async () => {
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

test("content that must not be read never appears: disconnected zones, other boards, other businesses, deleted tiles", async () => {
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

test("the next answer follows each change of a zone or tile", async () => {
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

test.each([
  ["", "q is required."],
  ["?q=+", "q is required."],
  ["?q=x&limit=0", "limit must be a whole number from 1 to 100."],
  ["?q=x&limit=101", "limit must be a whole number from 1 to 100."],
  [`?q=${"x".repeat(4_001)}`, "q is too long. The maximum is 4,000 characters."],
])("search rejects %j: %s", async (query, message) => {
  const { status, json } = await service.call("GET", `/api/board/${service.boardId}/search${query}`);
  expect([status, json]).toEqual([400, { error: message }]);
});

test.each([
  '"',
  "'",
  "*",
  "NEAR(x",
  "col:x",
  "a AND",
  "(",
  "-",
  "**",
  "a* b*",
  '"a',
  "'; DROP TABLE tile; --",
  "\\",
  "%",
  "_",
  "x OR y NOT",
  "{}",
  "^x",
])("search treats operators as ordinary words: %s", async (words) => {
  expect((await service.call("GET", `/api/board/${service.boardId}/search?q=${encodeURIComponent(words)}`)).status).toBe(200);
  expect((await ask(service.boardId, words)).status).toBe(200);
});
