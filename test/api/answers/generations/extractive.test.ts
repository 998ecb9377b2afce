import { expect, test } from "vitest";
import { authorizeOn, textTile } from "../../../support/boards.ts";
import {
  service,
  KELP,
  TIDES,
  MARKET,
  newBoard,
  addTile,
  addZone,
  newBoardOfTheBay,
  generate,
  findIdeas,
  expectQuotes,
  useExtractiveService,
} from "./extractive-service.ts";

useExtractiveService();

test.each(["video", "short_video", "post", "thread", "article", "newsletter", "carousel", "podcast"])(
  "without a model, a draft of type %s is an outline of verbatim quotes, labelled as extractive",
  async (type) => {
    const board = await newBoardOfTheBay();
    const { status, json } = await generate({ board_id: board, asset_type: type, prompt: "kelp and otters" });
    expect(status).toBe(200);
    const { generation } = json;
    expect(generation).toMatchObject({
      id: expect.stringMatching(/^gen_/),
      boardId: board,
      endpoint: "/api/v1/generate",
      assetType: type,
      status: "complete",
      mode: "extractive",
      contextTokens: expect.any(Number),
      notice: expect.stringMatching(/no language model/),
    });
    expect(generation.contextTokens).toBeGreaterThan(0);
    expect(generation.output.title).not.toBe("");
    expect(generation.output.sections.length).toBeGreaterThan(1);
    await expectQuotes(generation.citations);
    for (const { text, citations } of generation.output.sections) {
      expect(text).toBe(citations.map(({ quote }: any) => quote).join("\n\n"));
      expect(generation.output.text).toContain(text);
      if (type === "thread") expect([...text].length).toBeLessThanOrEqual(273);
    }
    const quotes = generation.output.sections.flatMap(({ citations }: any) => citations.map(({ quote }: any) => quote));
    expect(new Set(quotes).size).toBe(quotes.length);
  },
);

test("without a model, ideas are distinct themes with a hook from the tiles, and fewer if there are not enough", async () => {
  const board = await newBoardOfTheBay();
  const { status, json } = await findIdeas({ board_id: board, count: 20 });
  expect(status).toBe(200);
  const { generation } = json;
  expect(generation).toMatchObject({ endpoint: "/api/v1/idea", status: "complete", mode: "extractive" });
  expect(generation).not.toHaveProperty("assetType");
  expect(generation).not.toHaveProperty("output");
  const { ideas } = generation;
  expect(ideas.length).toBeGreaterThan(2);
  expect(ideas.length).toBeLessThan(12);
  expect(generation.notice).toMatch(/no more distinct themes/);
  for (const name of ["id", "title", "hook"]) expect(new Set(ideas.map((idea: any) => idea[name])).size).toBe(ideas.length);
  for (const { id, hook, angle, rationale, citations } of ideas) {
    expect(id).toMatch(/^ide_/);
    expect(citations[0].quote).toBe(hook);
    expect(angle).toMatch(/\.$/);
    expect(rationale).toMatch(/covers? this/);
    await expectQuotes(citations);
  }
  expect((await findIdeas({ board_id: board, count: 2 })).json.generation.ideas).toHaveLength(2);
});

test("without a model, no sentence is below the heading of another tile or chapter", async () => {
  const board = await newBoard();
  const texts = [
    "# Otters\n\nSea otters keep the urchins away from the kelp forest of the bay.\n\n# Harvest\n\nThe kelp forest of the bay is cut by hand by the fishermen.",
    "# Urchins\n\nSea urchins ate the kelp forest of the bay where otters were hunted.\n\n# Prices\n\nUrchins of the bay are sold by weight with the kelp of the forest.",
  ];
  const headings = new Map<string, string>();
  for (const text of texts) {
    await addTile(board, text, { title: text.slice(2, 8) });
    for (const chapter of text.split(/^# /m).slice(1)) headings.set(chapter.split("\n\n")[1] as string, chapter.split("\n")[0] as string);
  }
  const { json } = await generate({ board_id: board, asset_type: "article", prompt: "the kelp forest, otters and urchins" });
  const { sections } = json.generation.output;
  const known = new Set(headings.values());
  const cited = sections.flatMap(({ heading, citations }: any) => citations.map(({ quote }: any) => ({ heading, quote })));
  expect(cited.length).toBeGreaterThan(2);
  for (const { heading, quote } of cited) if (known.has(heading)) expect(headings.get(quote), quote).toBe(heading);
  for (const { citations } of sections) expect(new Set(citations.map(({ tileId }: any) => tileId)).size).toBe(1);
});

test("without a model, matching content comes first; without a match the whole board is used, with a notice", async () => {
  const board = await newBoardOfTheBay();
  const about = (await generate({ board_id: board, asset_type: "article", prompt: "When does the market open and what do urchins cost?" }))
    .json;
  expect(about.generation.output.sections[0].citations[0].title).toBe("The market");
  const beside = (await generate({ board_id: board, asset_type: "article", prompt: "quantum chromodynamics" })).json;
  expect(beside.generation.notice).toMatch(/^Assembled .* No connected content matches the prompt/);
  expect(beside.generation.output.sections.length).toBeGreaterThan(1);
  const wish = (await generate({ board_id: board, asset_type: "article", tone: "dry", length: "short" })).json;
  expect(wish.generation.notice).toMatch(/Tone, audience and language have no effect/);
  expect(wish.generation.output.sections.length).toBeLessThan(beside.generation.output.sections.length);
});

test("without a model, only the selected zones and tiles are read, and of those only connected ones", async () => {
  const board = await newBoard();
  const [open, closed] = [await addZone(board), await addZone(board, false)];
  await addTile(board, KELP, { zone_id: open });
  await addTile(board, "The Nonce-5511 vault is opened by the captain of the guard.", { zone_id: closed });
  const market = await addTile(board, MARKET);
  await addTile(board, TIDES);
  const titles = async (more: object) => {
    const { json } = await findIdeas({ board_id: board, count: 20, ...more });
    return json.generation?.ideas.map(({ hook }: any) => hook).join(" ") ?? json;
  };
  expect(await titles({})).not.toContain("Nonce-5511");
  expect(await titles({ prompt: "the vault that the captain of the guard opens" })).not.toContain("Nonce-5511");
  const zone = await titles({ zone_ids: [open] });
  expect([zone.includes("kelp"), zone.includes("market"), zone.includes("tide")]).toEqual([true, false, false]);
  const tile = await titles({ tile_ids: [market], prompt: "kelp" });
  expect([tile.includes("half a metre"), tile.includes("market"), tile.includes("tide")]).toEqual([false, true, false]);
  const readFilter = async (more: object) => {
    const { generation } = (await findIdeas({ board_id: board, ...more })).json;
    expect((await service.call("GET", `/api/v1/generations/${generation.id}`)).json.generation).toEqual(generation);
    return [generation.zoneIds, generation.tileIds];
  };
  expect(await readFilter({})).toEqual([undefined, undefined]);
  expect(await readFilter({ zone_ids: [open, open], tile_ids: [market] })).toEqual([[open], [market]]);
  const both = await titles({ zone_ids: [open], tile_ids: [market] });
  expect([both.includes("metre a day"), both.includes("market"), both.includes("tide")]).toEqual([true, true, false]);
  expect(await titles({ zone_ids: [closed] })).toEqual({
    error: expect.stringMatching(/^There is no connected content to generate from\./),
  });
});

test("without a model, a board with one short line returns what there is, and a Japanese board quotes its sentences", async () => {
  const board = await newBoard();
  await addTile(board, "Open at six");
  const { generation } = (await generate({ board_id: board, asset_type: "post" })).json;
  expect(generation.output.text).toBe("Open at six");
  expect((await findIdeas({ board_id: board })).json.generation.ideas).toHaveLength(1);
  const other = await newBoard();
  await addTile(other, "港は朝六時に開きます。昆布の森は一日に半メートル伸びます。ラッコはウニから昆布を守ります。");
  const ideas = (await findIdeas({ board_id: other })).json.generation.ideas;
  expect(ideas.length).toBeGreaterThan(1);
  for (const { hook } of ideas) expect(hook).toMatch(/。$/);
  const blank = await newBoard();
  await addTile(blank, "!!! ??? — 🌊");
  expect(await generate({ board_id: blank, asset_type: "post" })).toMatchObject({
    status: 400,
    json: { error: expect.stringMatching(/^The connected content has no sentences to generate from\./) },
  });
});

test("a quote of a transcript has its second, in the section and in the whole", async () => {
  const board = await newBoard();
  const { boards, tiles } = service.appContext.deps.store;
  const scope = authorizeOn((await boards.find(service.businessId, board))!);
  const segments = [
    { start: 0, end: 40, seconds: 0 },
    { start: 41, end: KELP.length, seconds: 12.5 },
  ];
  await tiles.create(scope, textTile(KELP, { type: "YOUTUBE", title: "A dive", segments }), Date.now());
  const { generation } = (await generate({ board_id: board, asset_type: "article" })).json;
  const quotes = generation.output.sections.flatMap(({ citations }: any) => citations);
  expect(quotes.length).toBeGreaterThan(1);
  for (const { start, seconds } of [...quotes, ...generation.citations]) expect(seconds).toBe(start < 41 ? 0 : 12.5);
});

test("a draft from an idea has the title of the idea, and its words come first", async () => {
  const board = await newBoardOfTheBay();
  const { ideas } = (await findIdeas({ board_id: board, count: 5 })).json.generation;
  const idea = ideas.at(-1);
  const { status, json } = await generate({ board_id: board, asset_type: "video", idea_id: idea.id });
  expect(status).toBe(200);
  expect(json.generation.output.title).toBe(idea.title);
  expect(json.generation.output.sections[0].text).toBe(idea.hook);
});

test("a draft from an idea is rejected if a source of the idea was deleted, disconnected or changed", async () => {
  const board = await newBoard();
  const zone = (await service.call("POST", `/api/board/${board}/zones`, { body: { name: "Plans" } })).json.zone.id;
  const content = "The Nonce-6612 crane was built in the old yard of the harbour.";
  const body = { content, title: "Plan Nonce-6612", zone_id: zone };
  const tile = (await service.call("POST", `/api/board/${board}/tiles`, { body })).json.tile.id;
  const [idea] = (await findIdeas({ board_id: board })).json.generation.ideas;
  await addTile(board, TIDES);
  const generateFromIdea = () => generate({ board_id: board, asset_type: "video", idea_id: idea.id });
  expect((await generateFromIdea()).status).toBe(200);
  const gone = { error: expect.stringMatching(/^The sources of this idea were deleted, disconnected or changed\./) };
  const changes: readonly (readonly [string, object, object])[] = [
    [`/api/board/zones/${zone}`, { connected_to_chat: false }, { connected_to_chat: true }],
    [`/api/board/tiles/${tile}`, { content: "Nothing of it is left." }, { content }],
  ];
  for (const [path, change, back] of changes) {
    await service.call("PATCH", path, { body: change });
    const refused = await generateFromIdea();
    expect([refused.status, refused.json]).toEqual([400, gone]);
    await service.call("PATCH", path, { body: back });
    expect((await generateFromIdea()).status).toBe(200);
  }
  await service.call("DELETE", `/api/board/tiles/${tile}`);
  expect((await generateFromIdea()).status).toBe(400);
});
