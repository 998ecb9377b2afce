import { expect, test } from "vitest";
import type { WireReply, WireRequest } from "../../../support/servers/openai-server.ts";
import { listen } from "../../../e2e/support/servers.ts";
import { startTestService } from "../../../support/service.ts";
import { model, service, TIDES, KELP, DRAFT, newBoard, generate, read, newest, listEvents, useModelService } from "./model-service.ts";

useModelService();

test("a generated draft is written from numbered sources in the format of its type, with citations from the tiles", async () => {
  const board = await newBoard(TIDES);
  let seen: WireRequest | undefined;
  model.script((request) => {
    seen = request;
    return { text: JSON.stringify(DRAFT) };
  });
  const wishes = { tone: "dry", audience: "sailors", language: "English", length: 300 };
  const { status, json } = await generate({ board_id: board, asset_type: "article", prompt: "the tide", ...wishes });
  expect(status).toBe(200);
  const { generation } = json;
  expect(generation).toMatchObject({ mode: "model", status: "complete", output: { title: DRAFT.title } });
  expect(generation).not.toHaveProperty("notice");
  expect(generation.contextTokens).toBeGreaterThan(10);
  const [first, second] = generation.output.sections;
  const quote = "rises four metres twice a day";
  const start = TIDES.indexOf(quote);
  expect(first.citations).toEqual([expect.objectContaining({ quote, start, end: start + quote.length, type: "TEXT" })]);
  expect(second.citations).toEqual([]);
  expect(generation.citations).toEqual(first.citations);
  expect(generation.output.text).toBe(
    "# Four metres of tide\n\nTwice a day the bay fills.\n\n## When to leave\n\nGo before the water is high.",
  );
  expect(seen?.system).toContain("The kind: an article.");
  expect(seen?.system).not.toContain("sailors");
  for (const wish of ["Tone: dry", "Audience: sailors", "Language: English", "Length: about 300 words", "the tide"])
    expect(seen?.prompt).toContain(wish);
  expect(seen?.prompt).toMatch(/source 1: Untitled note\nThe tide of the bay/);
});

test.each(["video", "short_video", "post", "thread", "article", "newsletter", "carousel", "podcast"])(
  "a generated draft of type %s has its own format",
  async (type) => {
    const board = await newBoard(TIDES);
    let system = "";
    model.script((request) => {
      system = request.system;
      return { text: JSON.stringify({ ...DRAFT, sections: DRAFT.sections.slice(0, 1) }) };
    });
    const { generation } = (await generate({ board_id: board, asset_type: type })).json;
    expect(generation.output.text).toContain("Twice a day the bay fills.");
    expect(system).toContain(type.replace("_", " "));
    expect(system).toMatch(/Sections?[,:]|[Ee]ach section/);
    expect(system).toMatch(/title/);
  },
);

test("a generated draft receives the idea it is written from, with the quotes of the idea", async () => {
  const board = await newBoard(KELP, TIDES);
  const ideas = [
    {
      title: "Otters save forests",
      hook: "An otter eats 20 urchins.",
      angle: "For divers.",
      rationale: "One tile.",
      citations: [{ source: 1, quote: "Sea otters keep urchins away" }],
    },
  ];
  model.script((request) => {
    const at = Number(/source (\d+): .*\nKelp/.exec(request.prompt)?.[1]);
    return { text: JSON.stringify({ ideas: [{ ...ideas[0], citations: [{ source: at, quote: "Sea otters keep urchins away" }] }] }) };
  });
  const made = await service.call("POST", "/api/v1/idea", { body: { board_id: board, prompt: "otters", count: 3 } });
  expect(made.json.generation).toMatchObject({ mode: "model", endpoint: "/api/v1/idea", contextTokens: expect.any(Number) });
  const [idea] = made.json.generation.ideas;
  expect(idea).toMatchObject({
    id: expect.stringMatching(/^ide_/),
    title: "Otters save forests",
    citations: [{ quote: "Sea otters keep urchins away" }],
  });
  let prompt = "";
  model.script((request) => {
    ({ prompt } = request);
    return {
      text: JSON.stringify({
        ...DRAFT,
        sections: [{ heading: "", text: "Otters.", citations: [{ source: 1, quote: "Kelp forests grow half a metre" }] }],
      }),
    };
  });
  expect((await generate({ board_id: board, asset_type: "post", idea_id: idea.id })).status).toBe(200);
  for (const words of ["Otters save forests", "An otter eats 20 urchins.", "For divers."]) expect(prompt).toContain(words);
  expect(prompt).toMatch(/source 1: .*\nKelp forests/);
});

test("a generated draft is saved as a tile in the same transaction as its completion", async () => {
  const board = await newBoard(TIDES);
  const zone = (await service.call("POST", `/api/board/${board}/zones`, { body: { name: "Zone" } })).json.zone.id;
  const { generation } = (await generate({ board_id: board, asset_type: "post", save_to_zone_id: zone })).json;
  const { tile } = (await service.call("GET", `/api/board/tiles/${generation.savedTileId}`)).json;
  expect(tile).toMatchObject({ zoneId: zone, title: DRAFT.title, extractedText: generation.output.text });
});

test("a generated draft completes without a tile, and says so, if its zone was deleted meanwhile", async () => {
  const board = await newBoard(TIDES);
  const zone = (await service.call("POST", `/api/board/${board}/zones`, { body: { name: "Zone" } })).json.zone.id;
  model.script(async () => {
    await service.call("DELETE", `/api/board/zones/${zone}`);
    return { text: JSON.stringify(DRAFT) };
  });
  const { generation } = (await generate({ board_id: board, asset_type: "post", save_to_zone_id: zone })).json;
  expect(generation).toMatchObject({ status: "complete", notice: expect.stringMatching(/zone to save to was deleted/) });
  expect(generation).not.toHaveProperty("savedTileId");
  expect(await listEvents(generation.id)).toEqual(["generation.complete"]);
});

const cases: readonly (readonly [string, WireReply, number, string, RegExp])[] = [
  ["is unavailable", { status: 500 }, 503, "model_unreachable", /unavailable|can't be reached/],
  ["is rate-limited", { status: 429, headers: { "retry-after": "77" } }, 503, "model_rate_limited", /rate limit/],
  ["refuses the key", { status: 401 }, 502, "model_refused", /refused the key/],
  ["hangs", { text: "{", end: "hang" }, 504, "model_timeout", /did not answer in time/],
  ["is cut off", { text: JSON.stringify(DRAFT), finish: "length" }, 502, "model_cut_off", /cut off/],
  ["returns prose", { text: "Sure! Here is your article." }, 502, "model_wrong_answer", /returned an invalid response/],
  ["returns another structure", { text: '{"title":5,"sections":[{}]}' }, 502, "model_wrong_answer", /returned invalid output/],
  ["returns no sections", { text: JSON.stringify({ title: "T", sections: [] }) }, 502, "model_wrong_answer", /returned invalid output/],
  [
    "invents its quotes",
    {
      text: JSON.stringify({
        title: "T",
        sections: [{ heading: "", text: "Made up.", citations: [{ source: 1, quote: "never said by anybody here" }] }],
      }),
    },
    502,
    "model_wrong_answer",
    /returned invalid output/,
  ],
];
test.each(cases)(
  "a model that %s makes the call return an error, without partial results",
  { timeout: 300_000 },
  async (_, reply, status, code, message) => {
    const board = await newBoard(TIDES);
    const zone = (await service.call("POST", `/api/board/${board}/zones`, { body: { name: "Zone" } })).json.zone.id;
    model.script(() => reply);
    const answer = await generate({ board_id: board, asset_type: "post", save_to_zone_id: zone });
    expect([answer.status, answer.json]).toEqual([status, { error: expect.stringMatching(message) }]);
    if (status === 503) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    if (code === "model_rate_limited") expect(answer.headers.get("retry-after")).toBe("77");
    const row = await newest(board);
    expect(row).toMatchObject({ status: "failed", error: { code, message: answer.json.error } });
    expect(await read(row.id)).toMatchObject({ status: "failed", mode: null, output: null, citations: [] });
    expect(await listEvents(row.id)).toEqual(["generation.failed"]);
    expect((await service.call("GET", `/api/board/${board}/tiles?zone_id=${zone}`)).json.tiles).toEqual([]);
  },
);

test("a model that is not reachable makes the call return 503", async () => {
  const gone = await listen(() => {});
  await gone.close();
  const other = await startTestService({ LLM_PROVIDER: "openai-compatible", LLM_MODEL: "m", LLM_BASE_URL: gone.url });
  try {
    await other.call("POST", `/api/board/${other.boardId}/tiles`, { body: { content: TIDES } });
    const { status, json } = await other.call("POST", "/api/v1/idea", { body: { board_id: other.boardId } });
    expect([status, json]).toEqual([503, { error: expect.stringMatching(/can't be reached/) }]);
  } finally {
    await other.stop();
  }
});

test("a model is asked again, with the problem, after an invalid response", async () => {
  const board = await newBoard(TIDES);
  const before = model.requests.length;
  model.script((request) => ({
    text: /your last answer was refused: .*sections/.test(request.prompt) ? JSON.stringify(DRAFT) : '{"title":"T"}',
  }));
  expect((await generate({ board_id: board, asset_type: "post" })).status).toBe(200);
  expect(model.requests.length - before).toBe(2);
});

test("a model has at most 100 unmatched quotes looked up", async () => {
  const board = await newBoard(TIDES);
  const section = (quotes: readonly string[]) => ({
    heading: "",
    text: "The bay fills.",
    citations: quotes.map((quote) => ({ source: 1, quote })),
  });
  const lies = Array.from({ length: 20 }, (_, at) => `the tide of the goats, ${at} of them`);
  const sections = (many: number) => [...Array.from({ length: many }, () => section(lies)), section(["rises four metres twice a day"])];
  const answer = (many: number) => () => ({ text: JSON.stringify({ title: "T", sections: sections(many) }) });
  model.script(answer(4));
  expect((await generate({ board_id: board, asset_type: "article" })).status).toBe(200);
  model.script(answer(5));
  expect((await generate({ board_id: board, asset_type: "article" })).status).toBe(502);
});

test("a model is asked again for a thread post that exceeds the length limit", async () => {
  const board = await newBoard(TIDES);
  const withText = (text: string) => JSON.stringify({ title: "T", sections: [{ ...DRAFT.sections[0], text }] });
  model.script((request) => ({ text: withText(/section 1 is too long/.test(request.prompt) ? "Short." : "x ".repeat(200)) }));
  const { generation } = (await generate({ board_id: board, asset_type: "thread" })).json;
  expect(generation.output.text).toBe("1/1 Short.");
});
