import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasWords, matchesName } from "../../web/src/palette/names.ts";
import { getResultStatus } from "../../web/src/palette/result-status.ts";
import { toPrefixQuery } from "../../web/src/palette/prefix-query.ts";
import { buildSnippet } from "../../web/src/text/snippet.ts";

const marked = (quote: string, spans: { start: number; end: number }[]): string =>
  buildSnippet(quote, spans)
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join("");

describe("snippets", () => {
  it("snippets highlight matches", () => {
    expect(
      marked("Gardeners water early.", [
        { start: 16, end: 21 },
        { start: 0, end: 9 },
      ]),
    ).toBe("[Gardeners] water [early].");
  });

  it("snippets begin near the first match, at a word, with an ellipsis", () => {
    const quote = `${"many words before ".repeat(20)}the hit ${"and after ".repeat(40)}`;
    const start = quote.indexOf("hit");
    const text = marked(quote, [{ start, end: start + 3 }]);
    expect(text).toMatch(/^…\w+ .*the \[hit\] and after .*…$/);
    expect(text.length).toBeLessThan(200);
  });

  it("snippets are stripped of Markdown, and matches keep their position", () => {
    const quote = "## Opening *hours*\n\n| day | from |\n| --- | --- |\n| Monday | **nine** o'clock |\n- `closed` on Sundays";
    const spans = ["hours", "nine", "closed"].map((word) => ({ start: quote.indexOf(word), end: quote.indexOf(word) + word.length }));
    expect(marked(quote, spans)).toBe("Opening [hours] day · from Monday · [nine] o'clock • [closed] on Sundays");
  });

  it.each([
    ["size is 2*3*4 metres", ["2", "4"], "size is [2]*3*[4] metres"],
    ["f(a*b*c)", ["a", "c"], "f([a]*b*[c])"],
    ["## Head\n- item", ["## Head", "- item"], "[Head] • [item]"],
    ["**two words** e\u0301t\u00e9", ["two words", "e\u0301t\u00e9"], "[two words] [e\u0301t\u00e9]"],
    ["a | b -- c", ["--"], "a | b -- c"],
  ])("snippets keep punctuation beside a match: %s", (quote, hits, shown) => {
    expect(
      marked(
        quote,
        hits.map((hit) => ({ start: quote.indexOf(hit), end: quote.indexOf(hit) + hit.length })),
      ),
    ).toBe(shown);
  });

  it("snippets ignore invalid spans", () => {
    const span = fc.record({ start: fc.integer({ min: -5, max: 400 }), end: fc.integer({ min: -5, max: 400 }) });
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.array(span, { maxLength: 8 }), (quote, spans) => {
        const shown = buildSnippet(quote, spans)
          .map(({ text }) => text)
          .join("");
        const letters = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
        expect(letters(quote)).toContain(letters(shown));
      }),
    );
  });
});

it("the last word matches as a prefix, unless it is quoted", () => {
  expect([toPrefixQuery("garden ear"), toPrefixQuery("a."), toPrefixQuery('"two words"'), toPrefixQuery("")]).toEqual([
    "garden ear*",
    "a.",
    '"two words"',
    "",
  ]);
});

it("the status of a result is shown if the tile is not ready or not used in answers", () => {
  expect(getResultStatus({ status: "failed", connected: false })).toEqual({ label: "Failed", tone: "danger" });
  expect(getResultStatus({ status: "processing", connected: true })).toEqual({ label: "Processing", tone: "accent" });
  expect(getResultStatus({ status: "ready", connected: false })).toEqual({ label: "Not in answers", tone: "plain" });
  expect(getResultStatus({ status: "ready", connected: true })).toBeNull();
  expect(getResultStatus({})).toBeNull();
});

it.each([
  ["Café des Amis", "cafe", true],
  ["Q3/Planning (draft)", "plan", true],
  ["Q3/Planning (draft)", "draft q3", true],
  ["🚀 Launch", "🚀", true],
  ["Harbour", "arbour", false],
  ["Harbour", "…", false],
  ["Harbour", "", true],
])("the name %s is found by %s: %s", (name, query, isFound) => expect(matchesName(name, query)).toBe(isFound));

it("names are meant by whole words alone", () => {
  expect(hasWords("Theme: dark", "dark")).toBe(true);
  expect(hasWords("Theme: dark", "Dark theme")).toBe(true);
  expect(hasWords("Theme: dark", "da")).toBe(false);
  expect(hasWords("Theme: dark", "?")).toBe(false);
});
