import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setWebhook } from "#service/settings/webhooks.ts";
import { authorizeOn, textTile } from "../../support/boards.ts";
import { NOBODY } from "../../support/world.ts";
import { type TestService, startTestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const KELP = `# Kelp forests
Kelp forests grow half a metre a day in cold and clear water. Sea otters keep urchins away from the kelp, so that the forest stands.
Where otters were hunted, urchins ate whole forests within ten years.

## Harvest
Fishermen of the bay cut kelp by hand from May to August. A cut forest needs three years until it is as tall as before.`;
const TIDES =
  "The tide of the bay rises four metres twice a day. Boats leave the harbour two hours before high water. Kelp lies bare at low tide.";
const MARKET = "The fish market opens at six in the morning. Sea urchins are sold by weight and cost twelve crowns a kilo.";

async function newBoard(): Promise<string> {
  return (await service.call("POST", "/api/board/boards", { body: { name: "Bay" } })).json.board.id;
}

async function addTile(boardId: string, content: string, more: object = {}): Promise<string> {
  const { status, json } = await service.call("POST", `/api/board/${boardId}/tiles`, { body: { content, ...more } });
  expect(status).toBe(200);
  return json.tile.id;
}

const addZone = async (boardId: string, connected = true): Promise<string> =>
  (await service.call("POST", `/api/board/${boardId}/zones`, { body: { name: "Zone", connected_to_chat: connected } })).json.zone.id;

async function bay(): Promise<string> {
  const board = await newBoard();
  await addTile(board, KELP, { title: "The kelp forest" });
  await addTile(board, TIDES, { title: "Tides of the bay" });
  await addTile(board, MARKET, { title: "The market" });
  return board;
}

const generate = (body: object, headers: Record<string, string> = {}, key?: string) =>
  service.call("POST", "/api/v1/generate", { body, headers, ...(key === undefined ? {} : { key }) });
const findIdeas = (body: object, headers: Record<string, string> = {}) => service.call("POST", "/api/v1/idea", { body, headers });

async function expectQuotes(citations: readonly any[]): Promise<void> {
  for (const { tileId, quote, start, end } of citations) {
    const { json } = await service.call("GET", `/api/board/tiles/${tileId}`);
    expect(json.tile.extractedText.slice(start, end)).toBe(quote);
  }
}

describe("without a model", () => {
  test.each(["video", "short_video", "post", "thread", "article", "newsletter", "carousel", "podcast"])(
    "A %s is an outline of quotes that stand in the tiles, labelled as that.",
    async (type) => {
      const board = await bay();
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

  test("Ideas are distinct themes with a hook from the tiles, and fewer where there are not so many.", async () => {
    const board = await bay();
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

  test("What is asked for comes first; what nothing matches is made of the whole board, and says so.", async () => {
    const board = await bay();
    const about = (
      await generate({ board_id: board, asset_type: "article", prompt: "When does the market open and what do urchins cost?" })
    ).json;
    expect(about.generation.output.sections[0].citations[0].title).toBe("The market");
    const beside = (await generate({ board_id: board, asset_type: "article", prompt: "quantum chromodynamics" })).json;
    expect(beside.generation.notice).toMatch(/^Assembled .* No connected content matches the prompt/);
    expect(beside.generation.output.sections.length).toBeGreaterThan(1);
    const wish = (await generate({ board_id: board, asset_type: "article", tone: "dry", length: "short" })).json;
    expect(wish.generation.notice).toMatch(/Tone, audience and language have no effect/);
    expect(wish.generation.output.sections.length).toBeLessThan(beside.generation.output.sections.length);
  });

  test("The chosen zones and tiles alone are read, and of them what is connected.", async () => {
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
    const told = async (more: object) => {
      const { generation } = (await findIdeas({ board_id: board, ...more })).json;
      expect((await service.call("GET", `/api/v1/generations/${generation.id}`)).json.generation).toEqual(generation);
      return [generation.zoneIds, generation.tileIds];
    };
    expect(await told({})).toEqual([undefined, undefined]);
    expect(await told({ zone_ids: [open, open], tile_ids: [market] })).toEqual([[open], [market]]);
    const both = await titles({ zone_ids: [open], tile_ids: [market] });
    expect([both.includes("metre a day"), both.includes("market"), both.includes("tide")]).toEqual([true, true, false]);
    expect(await titles({ zone_ids: [closed] })).toEqual({
      error: expect.stringMatching(/^There is no connected content to generate from\./),
    });
  });

  test("A board with one short line yields what there is, and one in Japanese its own sentences.", async () => {
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
});

test("A quote of a transcript tells when it is said, in its section and in the whole.", async () => {
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

describe("the request", () => {
  const post = { asset_type: "post" };

  test("Nothing connected is a 400 that says what to do, and leaves nothing behind.", async () => {
    const board = await newBoard();
    const { status, json } = await generate({ board_id: board, ...post });
    expect([status, json.error]).toEqual([400, expect.stringMatching(/^There is no connected content to generate from\. Add tiles/)]);
    expect((await service.call("GET", `/api/v1/generations?board_id=${board}`)).json).toEqual({ generations: [] });
  });

  test.each([
    [{}, "board_id is required."],
    [{ board_id: " " }, "board_id is required."],
    [{ board_id: "BOARD" }, "asset_type is required."],
    [{ board_id: "BOARD", asset_type: "opera" }, /^asset_type must be one of video, short_video, /],
    [{ board_id: "BOARD", ...post, prompt: 5 }, "prompt must be a string."],
    [{ board_id: "BOARD", ...post, prompt: "x".repeat(4_001) }, "prompt is too long. The maximum is 4,000 characters."],
    [{ board_id: "BOARD", ...post, tone: "x".repeat(201) }, "tone is too long. The maximum is 200 characters."],
    [{ board_id: "BOARD", ...post, zone_ids: "x" }, "zone_ids must be an array."],
    [{ board_id: "BOARD", ...post, zone_ids: [5] }, "zone_ids must be an array of strings."],
    [{ board_id: "BOARD", ...post, tile_ids: ["a\u0000"] }, "tile_ids must be valid Unicode without NUL."],
    [{ board_id: "BOARD", ...post, tile_ids: Array.from({ length: 101 }, () => "x") }, "tile_ids has too many items. The maximum is 100."],
    [{ board_id: "BOARD", ...post, zone_ids: ["zon_x"] }, "The zone does not belong to this board."],
    [{ board_id: "BOARD", ...post, tile_ids: ["til_x"] }, "tile_ids must name tiles of this board."],
    [{ board_id: "BOARD", ...post, save_to_zone_id: "zon_x" }, "The zone does not belong to this board."],
    [{ board_id: "BOARD", ...post, length: {} }, /^length must be words/],
    [{ board_id: "BOARD", ...post, length: 5 }, /^length must be words/],
    [{ board_id: "BOARD", ...post, length: "x".repeat(201) }, "length is too long. The maximum is 200 characters."],
    [{ board_id: "BOARD", ...post, async: "maybe" }, "async must be a boolean."],
  ])("%j is refused.", async (body: any, message) => {
    const board = service.boardId;
    const answer = await generate(body.board_id === "BOARD" ? { ...body, board_id: board } : body);
    expect([answer.status, answer.json]).toEqual([400, { error: typeof message === "string" ? message : expect.stringMatching(message) }]);
  });

  test.each([
    [0, 400],
    [21, 400],
    ["3", 400],
    [1.5, 400],
    [null, 200],
  ])("A count of %j is answered with %i.", async (count, status) => {
    const board = await bay();
    const answer = await findIdeas({ board_id: board, count });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.json.error).toMatch(/^count must be a whole number/);
  });

  test("What is null, blank or empty counts as absent, and the camelCase aliases are taken.", async () => {
    const board = await bay();
    const absent = { prompt: null, zone_ids: [], tile_ids: [""], tone: " ", length: "", idea_id: "", save_to_zone_id: null, async: null };
    expect((await generate({ board_id: board, ...post, ...absent })).status).toBe(200);
    expect((await generate({ boardId: board, assetType: "post", length: 300 })).status).toBe(200);
  });

  test("Board, zone, tile and idea of somebody else do not exist.", async () => {
    const board = await bay();
    const other = await service.newBusiness("Other");
    const { key } = await service.newKey({ businessId: other.businessId });
    const second = await bay();
    const [zone, tile] = [await addZone(second), await addTile(second, TIDES)];
    expect((await generate({ board_id: board, ...post }, {}, key)).json).toEqual({ error: "Board not found." });
    expect((await generate({ board_id: NOBODY.boardId, ...post })).json).toEqual({ error: "Board not found." });
    expect((await generate({ board_id: board, ...post, zone_ids: [zone] })).status).toBe(400);
    expect((await generate({ board_id: board, ...post, tile_ids: [tile] })).status).toBe(400);
    const [idea] = (await findIdeas({ board_id: second, count: 1 })).json.generation.ideas;
    const elsewhere = await generate({ board_id: board, ...post, idea_id: idea.id });
    expect([elsewhere.status, elsewhere.json]).toEqual([404, { error: "Idea not found." }]);
    const { key: scoped } = await service.newKey({ boardId: board });
    expect((await generate({ board_id: second, ...post }, {}, scoped)).status).toBe(403);
    expect((await generate({ board_id: NOBODY.boardId, ...post }, {}, scoped)).status).toBe(403);
  });
});

describe("an idea carried out", () => {
  test("It gives the piece its title, and its words come first.", async () => {
    const board = await bay();
    const { ideas } = (await findIdeas({ board_id: board, count: 5 })).json.generation;
    const idea = ideas.at(-1);
    const { status, json } = await generate({ board_id: board, asset_type: "video", idea_id: idea.id });
    expect(status).toBe(200);
    expect(json.generation.output.title).toBe(idea.title);
    expect(json.generation.output.sections[0].text).toBe(idea.hook);
  });

  test("One that rests on what was deleted, disconnected or changed since is refused, so that nothing of it comes back.", async () => {
    const board = await newBoard();
    const zone = (await service.call("POST", `/api/board/${board}/zones`, { body: { name: "Plans" } })).json.zone.id;
    const content = "The Nonce-6612 crane was built in the old yard of the harbour.";
    const body = { content, title: "Plan Nonce-6612", zone_id: zone };
    const tile = (await service.call("POST", `/api/board/${board}/tiles`, { body })).json.tile.id;
    const [idea] = (await findIdeas({ board_id: board })).json.generation.ideas;
    await addTile(board, TIDES);
    const carryOut = () => generate({ board_id: board, asset_type: "video", idea_id: idea.id });
    expect((await carryOut()).status).toBe(200);
    const gone = { error: expect.stringMatching(/^The sources of this idea were deleted, disconnected or changed\./) };
    const changes: readonly (readonly [string, object, object])[] = [
      [`/api/board/zones/${zone}`, { connected_to_chat: false }, { connected_to_chat: true }],
      [`/api/board/tiles/${tile}`, { content: "Nothing of it is left." }, { content }],
    ];
    for (const [path, change, back] of changes) {
      await service.call("PATCH", path, { body: change });
      const refused = await carryOut();
      expect([refused.status, refused.json]).toEqual([400, gone]);
      await service.call("PATCH", path, { body: back });
      expect((await carryOut()).status).toBe(200);
    }
    await service.call("DELETE", `/api/board/tiles/${tile}`);
    expect((await carryOut()).status).toBe(400);
  });
});

describe("the result kept as a tile", () => {
  test("It stands in the zone, whole, and the generation names it.", async () => {
    const board = await bay();
    const zone = await addZone(board, false);
    const { json } = await generate({ board_id: board, asset_type: "newsletter", save_to_zone_id: zone });
    const { savedTileId, output } = json.generation;
    const { tile } = (await service.call("GET", `/api/board/tiles/${savedTileId}`)).json;
    expect(tile).toMatchObject({
      boardId: board,
      zoneId: zone,
      type: "TEXT",
      status: "ready",
      title: output.title,
      rawContent: output.text,
    });
    expect(tile.metadata).toEqual({ subtype: "GENERATED", origin: "generation" });
    const list = (await service.call("GET", `/api/board/${board}/tiles?zone_id=${zone}`)).json.tiles;
    expect(list.map(({ id }: any) => id)).toEqual([savedTileId]);
  });

  test("A key that may ask but not write is refused, before the board is looked at.", async () => {
    const board = await bay();
    const { key } = await service.newKey({ permission: "ask" });
    const refused = { status: 403, json: { error: "This API key does not have the permission for this operation." } };
    const body = { asset_type: "post", save_to_zone_id: await addZone(board) };
    expect(await generate({ board_id: board, ...body }, {}, key)).toMatchObject(refused);
    expect(await generate({ board_id: NOBODY.boardId, ...body }, {}, key)).toMatchObject(refused);
    expect((await generate({ board_id: board, asset_type: "post" }, {}, key)).status).toBe(200);
  });
});

describe("later answers", () => {
  test.each([
    ["the field", { async: true }, {}],
    ["the header", {}, { prefer: "wait=5, respond-async" }],
  ])("With %s it is 202 at once, and the Location has the result.", async (_, more, headers) => {
    const board = await bay();
    const answer = await generate({ board_id: board, asset_type: "post", ...more }, headers as Record<string, string>);
    expect(answer.status).toBe(202);
    const { generation } = answer.json;
    expect(generation).toMatchObject({ status: "processing", mode: null, output: null, citations: [], contextTokens: 0 });
    expect(answer.headers.get("location")).toBe(`/api/v1/generations/${generation.id}`);
    const done = await service.call("GET", `${answer.headers.get("location")}?wait=20`);
    expect(done.json.generation).toMatchObject({ id: generation.id, status: "complete", mode: "extractive" });
    expect((await service.call("GET", `/api/v1/generations/${generation.id}`)).json).toEqual(done.json);
  });

  test("It is streamed: tokens join to the text, and done carries the whole body.", async () => {
    const board = await bay();
    const events = async (answer: Promise<{ status: number; headers: Headers; text: string }>) => {
      const { status, headers, text } = await answer;
      expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
      return [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event, data]) => ({ event, data: JSON.parse(data ?? "") }));
    };
    const piece = await events(generate({ board_id: board, asset_type: "article" }, { accept: "text/event-stream" }));
    const done = piece.at(-1)!;
    expect(done).toMatchObject({ event: "done", data: { generation: { status: "complete", assetType: "article" } } });
    const tokens = piece.slice(0, -1);
    expect(tokens.every(({ event }) => event === "token")).toBe(true);
    expect(tokens.map(({ data }) => data.text).join("")).toBe(done.data.generation.output.text);
    expect((await service.call("GET", `/api/v1/generations/${done.data.generation.id}`)).json).toEqual(done.data);
    const ideas = await events(findIdeas({ board_id: board, count: 2 }, { accept: "text/event-stream" }));
    expect(ideas.at(-1)!.data.generation.ideas).toHaveLength(2);
    const refused = await generate({ board_id: board }, { accept: "text/event-stream" });
    expect([refused.status, refused.json]).toEqual([400, { error: "asset_type is required." }]);
    const blank = await newBoard();
    await addTile(blank, "???");
    expect(await events(generate({ board_id: blank, asset_type: "post" }, { accept: "text/event-stream" }))).toEqual([
      { event: "error", data: { error: expect.stringMatching(/^The connected content has no sentences/) } },
    ]);
  });
});

describe("the listing", () => {
  test("It has the newest first, in pages, by board and call, without what was made.", async () => {
    const [board, second] = [await bay(), await bay()];
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await generate({ board_id: board, asset_type: "post" })).json.generation.id);
    const idea = (await findIdeas({ board_id: board })).json.generation.id;
    const other = (await findIdeas({ board_id: second })).json.generation.id;
    const list = async (query: string, key?: string) =>
      (await service.call("GET", `/api/v1/generations${query}`, key === undefined ? {} : { key })).json;
    const idsOf = (json: any): string[] => json.generations.map(({ id }: any) => id);
    expect(idsOf(await list(`?board_id=${board}`))).toEqual([idea, ...ids]);
    expect(idsOf(await list("")).slice(0, 5)).toEqual([other, idea, ...ids]);
    expect(idsOf(await list(`?board_id=${board}&endpoint=/api/v1/generate`))).toEqual(ids);
    const [row] = (await list(`?board_id=${board}&endpoint=/api/v1/generate`)).generations;
    expect(row).toEqual({
      id: ids[0],
      boardId: board,
      endpoint: "/api/v1/generate",
      assetType: "post",
      status: "complete",
      title: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const first = await list(`?board_id=${board}&limit=3`);
    expect(idsOf(first)).toEqual([idea, ids[0], ids[1]]);
    const rest = await list(`?board_id=${board}&limit=3&cursor=${first.nextCursor}`);
    expect([idsOf(rest), rest.nextCursor]).toEqual([[ids[2]], null]);
    for (const query of [`?board_id=${second}&cursor=${first.nextCursor}`, "?cursor=x", `?cursor=${first.nextCursor}`])
      expect(await list(query)).toEqual({ error: "cursor is not valid." });
    const { key } = await service.newKey({ boardId: second, permission: "read" });
    expect(idsOf(await list("", key))).toEqual([other]);
    expect(await list(`?board_id=${board}`, key)).toEqual({ error: "This API key is not authorized for this board." });
    expect(await list(`?board_id=${NOBODY.boardId}`)).toEqual({ error: "Board not found." });
    expect(await list("?endpoint=/x")).toEqual({ error: "endpoint must be one of /api/v1/generate, /api/v1/idea." });
    expect(await list("?limit=0")).toEqual({ error: "limit must be a whole number from 1 to 500." });
    await service.call("DELETE", `/api/board/boards/${second}`);
    expect((await service.call("GET", `/api/v1/generations/${other}`)).json).toEqual({ error: "Generation not found." });
    expect(idsOf(await list("")).slice(0, 2)).toEqual([idea, ids[0]]);
  });
});

describe("an idempotency key", () => {
  const post = { asset_type: "post" };

  test("The same call makes one generation; another body under it is a conflict.", async () => {
    const board = await bay();
    const headers = { "idempotency-key": "k1" };
    const first = await generate({ board_id: board, ...post }, headers);
    const again = await generate({ board_id: board, ...post }, headers);
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect([first.headers.get("idempotency-replayed"), again.headers.get("idempotency-replayed")]).toEqual([null, "true"]);
    expect((await generate({ board_id: board, asset_type: "video" }, headers)).status).toBe(409);
    expect((await findIdeas({ board_id: board }, headers)).status).toBe(200);
    const many = await Promise.all(Array.from({ length: 8 }, () => generate({ board_id: board, ...post }, { "idempotency-key": "k2" })));
    const ids = new Set(many.filter(({ status }) => status === 200).map(({ json }) => json.generation.id));
    expect(ids.size).toBe(1);
    expect(many.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const list = (await service.call("GET", `/api/v1/generations?board_id=${board}&endpoint=/api/v1/generate`)).json;
    expect(list.generations).toHaveLength(2);
  });

  test("A call that came to nothing is not remembered.", async () => {
    const board = await newBoard();
    const tile = await addTile(board, "???");
    const headers = { "idempotency-key": "k3" };
    expect((await generate({ board_id: board, ...post }, headers)).status).toBe(400);
    await service.call("PATCH", `/api/board/tiles/${tile}`, { body: { content: TIDES } });
    expect((await generate({ board_id: board, ...post }, headers)).status).toBe(200);
  });
});

test("generation.complete is recorded once for each call, in the specification's shape; generation.failed is off.", async () => {
  const { deps } = service.appContext;
  await setWebhook(deps, service.businessId, { url: "https://receiver.example/hook", actor: "operator" });
  const board = await bay();
  const piece = (await generate({ board_id: board, asset_type: "video" })).json.generation;
  const ideas = (await findIdeas({ board_id: board, asset_type: "video" })).json.generation;
  const blank = await newBoard();
  await addTile(blank, "???");
  expect((await generate({ board_id: blank, asset_type: "video" })).status).toBe(400);
  const events = (await deps.store.webhooks.deliveries(service.businessId, 100)).map(({ event, payload }) => [event, JSON.parse(payload)]);
  expect(events.toReversed()).toEqual([
    ["generation.complete", { generationId: piece.id, boardId: board, endpoint: "/api/v1/generate", assetType: "video" }],
    ["generation.complete", { generationId: ideas.id, boardId: board, endpoint: "/api/v1/idea" }],
  ]);
  await deps.store.webhooks.clear(service.businessId, "operator", Date.now());
});

test("A cancellation is 409 once it has ended, and the operator's own words tell so.", async () => {
  const board = await bay();
  const { id } = (await generate({ board_id: board, asset_type: "post" })).json.generation;
  const answer = await service.call("POST", `/api/v1/generations/${id}/cancel`);
  expect([answer.status, answer.json]).toEqual([409, { error: "This generation has ended already: it is complete." }]);
});
