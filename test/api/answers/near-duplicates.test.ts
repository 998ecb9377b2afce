import { expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";

const URL = "https://press.example/nordholm";
const TEXT =
  "The lighthouse at Nordholm was built in 1887 by the harbour board. Its light stands 42 metres above the sea and can be seen for twenty miles. " +
  "In the first years a keeper lived below the lamp with his family, and carried the oil up the stairs every evening before dusk.";

const service = useTestService({ ROLE: "api" });
const post = async (path: string, body: object) => (await service.call("POST", path, { body })).json;
const newBoard = async (): Promise<string> => (await post("/api/board/boards", { name: "Board" })).board.id;
const add = async (boardId: string, body: object): Promise<string> => (await post(`/api/board/${boardId}/tiles`, body)).tile.id;
const ask = (boardId: string, question: string) => post(`/api/board/${boardId}/ask`, { question, explain: true });

test("near-duplicates count once in an answer: the one with an address is cited, and explain says duplicate", async () => {
  const boardId = await newBoard();
  const note = await add(boardId, { content: TEXT });
  const page = await add(boardId, { content: TEXT.replace("every evening", "each evening"), source_url: URL });
  const other = await add(boardId, { content: "The lighthouse at Südholm was built in 1893. It is 61 metres tall." });
  const answer = await ask(boardId, "When was the lighthouse at Nordholm built?");
  expect(answer).toMatchObject({ answered: true, citations: [{ tileId: page, sourceUrl: URL }] });
  expect(answer.citations.map(({ tileId }: { tileId: string }) => tileId)).not.toContain(note);
  const reasons = Object.fromEntries(answer.explain.candidates.map(({ tileId, used, reason }: any) => [tileId, [used, reason]]));
  expect(reasons).toMatchObject({ [page]: [true, "in the context"], [note]: [false, "duplicate"], [other]: [true, "in the context"] });
  // Both are found by a search.
  const { results } = (await service.call("GET", `/api/board/${boardId}/search?q=lighthouse+keeper`)).json;
  expect(results.map(({ tileId }: { tileId: string }) => tileId)).toEqual(expect.arrayContaining([note, page]));
});

test("a copy that is not connected to chat does not displace the connected one", async () => {
  const boardId = await newBoard();
  const note = await add(boardId, { content: TEXT });
  await add(boardId, { content: TEXT, source_url: URL, connected_to_chat: false });
  expect(await ask(boardId, "When was the lighthouse at Nordholm built?")).toMatchObject({ answered: true, citations: [{ tileId: note }] });
});

test("copies do not displace other tiles from the context", async () => {
  const boardId = await newBoard();
  const other = await add(boardId, { content: "A ferry goes to the lighthouse at Nordholm at noon." });
  for (let n = 0; n < 30; n++) await add(boardId, { content: TEXT, title: "Lighthouse at Nordholm" });
  const answer = await ask(boardId, "Who lived below the lamp of the lighthouse at Nordholm?");
  const used = answer.explain.candidates.filter(({ used }: { used: boolean }) => used).map(({ tileId }: { tileId: string }) => tileId);
  expect(answer.answered).toBe(true);
  expect(used).toContain(other);
});
