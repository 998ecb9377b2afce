import { expect, it } from "vitest";
import { parseAnswer } from "../../web/src/ask/questions/answer-blocks.ts";
import { formatAnswer, formatGeneration, formatSavedAnswer, formatSavedGeneration } from "../../web/src/ask/parts/answer-markdown.ts";
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
    for (const piece of ["[1]", "|", "| a |", "|\\|", "[", "**", "`a", "[1, ", " [unsupported", "- "]) parseAnswer(piece.repeat(20_000), 9);
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
