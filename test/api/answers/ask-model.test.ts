import { expect, test, vi } from "vitest";
import { authorizeOn, textTile } from "../../support/boards.ts";
import {
  FERRY,
  QUESTION,
  model,
  service,
  board,
  ferry,
  museum,
  newBoard,
  addTile,
  ask,
  findSourceNumber,
  useAskModelService,
} from "./support/ask-model-service.ts";

useAskModelService();

test("answers of the language model have verified citations, and the plain and the streamed response are equal", async () => {
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

test("the language model is given one of two tiles with the same text: the one with an address, which is cited", async () => {
  const twice = await newBoard();
  await addTile(twice, FERRY, { title: "Ferry times" });
  const page = await addTile(twice, FERRY, { title: "Ferry times", source_url: "https://press.example/ferry" });
  const { json } = await ask(twice);
  expect(json).toMatchObject({ mode: "model", citations: [{ tileId: page, sourceUrl: "https://press.example/ferry" }] });
  expect(model.requests.at(-1)!.prompt.split(FERRY)).toHaveLength(2);
});

test("answers of the language model use all connected tiles of a small board, in order", async () => {
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

test("answers of the language model use a saved answer only if it is connected to chat, on small and on large boards", async () => {
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

test("answers of the language model use the matching passages of a large board, within the token budget", async () => {
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

test("answers of the language model drop invented quotes, mark their sentences as unsupported, and number repeated quotes once", async () => {
  model.script(({ prompt }) => {
    const n = findSourceNumber(prompt, "The harbour ferry");
    return {
      text: `It leaves at 6:40. [${n}: "departs at 6:40 every morning"] It costs nine euros. [${n}: "costs nine euros"] Dogs pay nothing. [${n}: "Dogs travel free on Sundays"] It leaves early [${n}: "departs at 6:40 every morning"].`,
    };
  });
  const { json } = await ask(board);
  expect(json.answer).toBe("It leaves at 6:40. [1] It costs nine euros. [unsupported] Dogs pay nothing. [2] It leaves early [1].");
  expect(json.citations.map(({ quote }: any) => quote)).toEqual(["departs at 6:40 every morning", "Dogs travel free on Sundays"]);
});

test.each([
  ["the model finds no answer", "NOT_IN_SOURCES"],
  ["none of its sentences is supported", "It leaves at noon, everybody knows that."],
  ["its quotes are invented", 'It leaves at noon. [1: "leaves at noon"]'],
])("answers of the language model are answered: false when %s, and cite the nearest passages", async (_, text) => {
  model.script(() => ({ text }));
  const { json } = await ask(board);
  expect(json).toMatchObject({ answered: false, mode: "model", answer: expect.stringContaining("does not seem to hold the answer") });
  expect(json.citations[0].tileId).toBe(ferry);
  expect(json.citations.length).toBeLessThanOrEqual(3);
  expect(json).not.toHaveProperty("notice");
});

test("answers of the language model call the model on a small board even if nothing matches", async () => {
  model.script(({ prompt }) => ({ text: `Neun. [${findSourceNumber(prompt, "The museum")}: "has nine rooms"]` }));
  const { json } = await ask(board, "Wieviele Zimmer?");
  expect(json).toMatchObject({ answered: true, answer: "Neun. [1]", citations: [{ tileId: museum }] });
});

test("answers of the language model do not call the model without connected or matching content", async () => {
  const empty = await newBoard();
  const large = await newBoard();
  for (let at = 0; at < 12; at++)
    await addTile(large, `Report ${at}. ${`Line ${at} of the annual report on bread and butter. `.repeat(40)}`);
  const before = model.requests.length;
  expect((await ask(empty)).json).toMatchObject({ answered: false, mode: "extractive", contextTokens: 0, citations: [] });
  expect((await ask(large, "zebra xylophone")).json).toMatchObject({ answered: false, mode: "extractive", contextTokens: 0 });
  expect(model.requests.length).toBe(before);
});

test("answers of the language model cite transcripts with their second, without reading the texts again", async () => {
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
  const find = vi.spyOn(deps.store.tiles, "find");
  const { json } = await ask(films, "When does the comet return?");
  expect(json.citations).toMatchObject([{ type: "YOUTUBE", start: 21, seconds: 7.5 }]);
  expect(find).not.toHaveBeenCalled();
  find.mockRestore();
});
