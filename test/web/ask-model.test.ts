import { describe, expect, it } from "vitest";
import { parseAnswer } from "../../web/src/ask/questions/answer-blocks.ts";
import { formatAnswer, formatGeneration, formatSavedAnswer, formatSavedGeneration } from "../../web/src/ask/parts/answer-markdown.ts";
import { DEFAULT_OPTIONS, toGenerateInput, toIdeaInput } from "../../web/src/ask/generate/generate-options.ts";
import { type Source, WHOLE_BOARD, removeMissing, validateSource, getSkipReason } from "../../web/src/ask/generate/source.ts";
import { measureCpuMs } from "../support/cpu-time.ts";

const CITATION = {
  tileId: "til_1",
  title: "Ferry",
  type: "TEXT",
  sourceUrl: "https://example.org/f",
  quote: "leaves\nat 7:40",
  start: 0,
  end: 14,
};

/** The blocks of an answer without tables. */
const parseTextBlocks = (answer: string, citations: number) =>
  parseAnswer(answer, citations).flatMap((block) => (block.kind === "table" ? [] : [block]));

describe("answers", () => {
  it("an answer has its citations and inline formatting parsed", () => {
    expect(parseAnswer("It **leaves** at `7:40` [1][2]. Nice. [unsupported]", 2)).toEqual([
      {
        kind: "paragraph",
        lines: [
          [
            { kind: "text", text: "It " },
            { kind: "strong", text: "leaves" },
            { kind: "text", text: " at " },
            { kind: "code", text: "7:40" },
            { kind: "citations", numbers: [1, 2] },
            { kind: "text", text: ". Nice." },
            { kind: "unsupported" },
          ],
        ],
      },
    ]);
  });

  it("numbers without a citation are left unchanged", () => {
    for (const [answer, citations] of [
      ["See [3].", 2],
      ["See [0].", 2],
      ["See [1].", 0],
      ["[unsupported]", 0],
    ] as const)
      expect(parseAnswer(answer, citations)).toEqual([{ kind: "paragraph", lines: [[{ kind: "text", text: answer }]] }]);
  });

  it("an answer has its paragraphs, headings and lists parsed", () => {
    const kinds = parseTextBlocks("# Head\nText\nmore\n\nOther\n- a\n\n- b\n3. c\n4. d", 0);
    expect(kinds.map(({ kind, lines }) => [kind, lines.length])).toEqual([
      ["heading", 1],
      ["paragraph", 2],
      ["paragraph", 1],
      ["list", 2],
      ["list", 2],
    ]);
    expect(kinds.at(-1)).toMatchObject({ isOrdered: true, first: 3 });
  });

  it("hostile input is parsed in reasonable time", () => {
    const took = measureCpuMs(() => {
      for (const piece of ["[1]", "|", "| a |", "|\\|", "[", "**", "`a", "[1, ", " [unsupported", "- "])
        parseAnswer(piece.repeat(20_000), 9);
    });
    expect(took).toBeLessThan(1_500);
  });

  it("answers are copied with the question and the sources", () => {
    const answer = "At 7:40 [1]. From pier two. [unsupported]";
    expect(formatAnswer(" When? ", { mode: "model", answer, citations: [{ ...CITATION, seconds: 83 }] })).toBe(
      "**When?**\n\nAt 7:40 [1]. From pier two.\n\nSources\n1. Ferry, at 1:23: “leaves at 7:40” https://example.org/f",
    );
  });

  it("answers are saved without citation markers, with readable quotes", () => {
    const answer = "At 7:40 [1][2]. See [3] and [12:30]. From pier two. [unsupported]";
    const row = { ...CITATION, sourceUrl: null, quote: "| Day | **Hour** |\n| --- | --- |\n| Monday | 7:40 |" };
    expect(formatSavedAnswer("When?", { mode: "model", answer, citations: [CITATION, row] })).toBe(
      "**When?**\n\nAt 7:40. See [3] and [12:30]. From pier two.\n\n**Sources**\n\n- Ferry: “leaves at 7:40” https://example.org/f\n- Ferry: “Day · Hour Monday · 7:40”",
    );
    // Without a model, a number in brackets is text of a tile.
    expect(formatSavedAnswer("When?", { mode: "extractive", answer: "At noon.[1]", citations: [] })).toBe("**When?**\n\nAt noon.[1]");
  });

  it.each(["**Sources**\n\n- [1]\n- [2]", "## Sources\n1. [1]\n2. [2]", "Sources: [1], [2]", "**Sources:** [1][2]"])(
    "answers are saved without a heading that contains citation markers only: %j",
    (end) => {
      const answer = `At 7:40 [1]. Quotes:\n\n- early [2]\n\n${end}`;
      expect(formatSavedAnswer("When?", { mode: "model", answer, citations: [CITATION, { ...CITATION, title: "Pier" }] })).toBe(
        "**When?**\n\nAt 7:40. Quotes:\n\n- early\n\n**Sources**\n\n- Ferry: “leaves at 7:40” https://example.org/f\n- Pier: “leaves at 7:40” https://example.org/f",
      );
    },
  );

  it("answers are saved without the sources heading of a quoted saved answer", () => {
    const answer = "**When?**\n\nAt 7:40.\n\n**Sources**";
    expect(formatSavedAnswer("When does it leave?", { mode: "extractive", answer, citations: [] })).toBe(
      "**When does it leave?**\n\n**When?**\n\nAt 7:40.",
    );
  });

  it("an answer has its tables parsed", () => {
    const [before, table, after] = parseAnswer("Times:\n| Day | Hour |\n|---|:-:|\n| Mon | **7** [1] |\n| a \\| b |  |\nand so on", 1);
    expect(before).toMatchObject({ kind: "paragraph" });
    expect(after).toMatchObject({ kind: "paragraph" });
    expect(table).toEqual({
      kind: "table",
      rows: [
        [[{ kind: "text", text: "Day" }], [{ kind: "text", text: "Hour" }]],
        [
          [{ kind: "text", text: "Mon" }],
          [
            { kind: "strong", text: "7" },
            { kind: "citations", numbers: [1] },
          ],
        ],
        [[{ kind: "text", text: "a | b" }], []],
      ],
    });
  });
});

it("ideas are copied one below the other", () => {
  const idea = { id: "ide_1", title: "Morning", hook: "Early.", angle: "", rationale: "Why.", citations: [] };
  const generation = {
    id: "gen_1",
    boardId: "brd_1",
    endpoint: "/api/v1/idea",
    status: "complete",
    mode: "model",
    ideas: [idea],
    citations: [],
    contextTokens: 1,
    createdAt: "",
    updatedAt: "",
  } as const;
  expect(formatGeneration(generation)).toBe("## Morning\nEarly.\n\nWhy.");
  expect(formatSavedGeneration({ ...generation, citations: [CITATION] })).toBe(
    "## Morning\nEarly.\n\nWhy.\n\n**Sources**\n\n- Ferry: “leaves at 7:40” https://example.org/f",
  );
});

it("generation requests contain the trimmed fields that are filled in", () => {
  expect(toGenerateInput("brd_1", DEFAULT_OPTIONS)).toEqual({ boardId: "brd_1", assetType: "post" });
  const options = { ...DEFAULT_OPTIONS, prompt: " ferry ", length: " 300 ", zoneId: "zon_1", tone: "  " };
  expect(toGenerateInput("brd_1", options, "ide_1")).toEqual({
    boardId: "brd_1",
    assetType: "post",
    prompt: "ferry",
    length: 300,
    saveToZoneId: "zon_1",
    ideaId: "ide_1",
  });
  expect(toGenerateInput("brd_1", { ...DEFAULT_OPTIONS, length: "short" }).length).toBe("short");
  expect(toIdeaInput("brd_1", { ...DEFAULT_OPTIONS, count: "8" })).toEqual({ boardId: "brd_1", assetType: "post", count: 8 });
});

describe("generation sources", () => {
  const zones = [
    { id: "zon_on", connectedToChat: true },
    { id: "zon_off", connectedToChat: false },
  ];
  const tile = (id: string, zoneId: string | null = "zon_on", status = "ready") => ({ id, zoneId, status });
  const tiles = [
    tile("til_1"),
    tile("til_2", null),
    tile("til_off", "zon_off"),
    tile("til_new", "zon_on", "processing"),
    tile("til_bad", null, "failed"),
  ];
  const some = (from: Source["from"], tileIds: readonly string[] = [], zoneIds: readonly string[] = []): Source => ({
    from,
    tileIds,
    zoneIds,
  });

  it("a generation request sends only the ids of the active mode", () => {
    const inputs = (source: Source) => [
      toGenerateInput("brd_1", { ...DEFAULT_OPTIONS, source }),
      toIdeaInput("brd_1", { ...DEFAULT_OPTIONS, source }),
    ];
    for (const input of inputs(some("board", ["til_1"], ["zon_on"]))) {
      expect(input).not.toHaveProperty("zoneIds");
      expect(input).not.toHaveProperty("tileIds");
    }
    for (const input of inputs(some("zones", ["til_1"], ["zon_on"]))) {
      expect(input).toMatchObject({ zoneIds: ["zon_on"] });
      expect(input).not.toHaveProperty("tileIds");
    }
    for (const input of inputs(some("tiles", ["til_1"], ["zon_on"]))) {
      expect(input).toMatchObject({ tileIds: ["til_1"] });
      expect(input).not.toHaveProperty("zoneIds");
    }
  });

  it("the sources of a generation lose deleted tiles and zones, and disconnected zones", () => {
    const source = some("zones", ["til_gone", "til_off", "til_1"], ["zon_gone", "zon_off", "zon_on"]);
    expect(removeMissing(source, zones, tiles)).toEqual({ from: "zones", tileIds: ["til_off", "til_1"], zoneIds: ["zon_on"] });
  });

  it("each skipped tile has a reason", () => {
    expect(tiles.map((one) => getSkipReason(one, zones))).toEqual([null, null, "Zone not connected to chat", "Still processing", "Failed"]);
    expect(getSkipReason({ id: "til_1", zoneId: null, status: "ready", connectedToChat: false }, zones)).toBe("Not used in answers");
  });

  it("a generation requires at least one usable tile, and at most 100", () => {
    const many = Array.from({ length: 101 }, (_, index) => `til_${index}`);
    expect(validateSource(WHOLE_BOARD, [], [])).toBeNull();
    expect(validateSource(some("zones"), zones, tiles)).toMatch(/^Choose at least one zone/);
    expect(validateSource(some("zones", [], ["zon_on"]), zones, tiles)).toBeNull();
    expect(validateSource(some("zones", [], many), zones, tiles)).toBe("Choose at most 100 zones; you chose 101.");
    expect(validateSource(some("tiles"), zones, tiles)).toMatch(/^Select at least one tile/);
    expect(validateSource(some("tiles", many), zones, tiles)).toBe("Select at most 100 tiles; you selected 101.");
    expect(validateSource(some("tiles", ["til_off", "til_1"]), zones, tiles)).toBeNull();
    expect(validateSource(some("tiles", ["til_off", "til_new", "til_bad"]), zones, tiles)).toMatch(/^None of these tiles can be used\./);
  });
});
