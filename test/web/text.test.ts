import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRightToLeft } from "../../web/src/text/direction.ts";
import { mapSpan } from "../../web/src/text/offset-map.ts";
import { parseBlocks, renderBlock } from "../../web/src/text/prose/markdown.ts";
import { findMarks, findQuote } from "../../web/src/text/quote.ts";
import { stripMarkdown } from "../../web/src/text/strip-markdown.ts";
import { measureCpuMs } from "../support/cpu-time.ts";

/** The text that a browser would show for this HTML. */
const shown = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
const extractLetters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "");
const htmlOfAll = (markdown: string): string => (parseBlocks(markdown) ?? []).map(renderBlock).join("");
/** Whether a text contains these letters in order, with others in between. */
function isWithin(letters: string, all: string): boolean {
  let from = 0;
  for (const letter of letters) {
    const at = all.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}

const PIECES = [
  "# The harbour",
  "The **ferry** leaves at 7:40, *every* day; it costs `4 euro` & more.",
  "- one\n- two **bold**\n  - three",
  "1. first\n2. second\n\n   with a paragraph",
  "- [x] done\n- [ ] open",
  "| Day | First |\n| --- | --- |\n| Monday | 5:40 |",
  "> quoted words\n> on two lines",
  '[a link](https://example.org/a_b?c=d "Title") and <b>tags</b> and ![a picture](x.png)',
  "```js\nlet a = [1](b);\n```",
  "snake_case and 2 * 3 * 4, https://example.org/x_y.",
  "Über die Brücke 🚢 gehen 日本語",
  "Title\n=====",
];

describe("spans of Markdown", () => {
  it("mapping spans of Markdown to rendered text is exact for all spans of all kinds of blocks", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (pieces, one, other) => {
        const markdown = pieces.join("\n\n");
        const blocks = parseBlocks(markdown);
        expect(blocks).not.toBeNull();
        for (const block of blocks ?? []) {
          const source = markdown.slice(block.start, block.end);
          const words = shown(renderBlock(block));
          const [start, end] = [one % (source.length + 1), other % (source.length + 1)].toSorted((a, b) => a - b);
          const place = mapSpan(source, words, { start: start ?? 0, end: end ?? 0 });
          expect(place, source).not.toBeNull();
          const marked = place === undefined ? "" : words.slice(place?.start, place?.end);
          // Only Markdown's own syntax, such as a link target, may be missing.
          expect(isWithin(extractLetters(marked), extractLetters(source.slice(start, end)))).toBe(true);
          if (!/[\][`.)]|===/.test(source)) expect(extractLetters(marked)).toBe(extractLetters(source.slice(start, end)));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("mapping a span of Markdown finds the second of two equal words, with the full stop after it", () => {
    const words = "no, no.";
    expect(mapSpan("**no**, *no*.", words, { start: 8, end: 13 })).toEqual({ start: 4, end: 7 });
    expect(mapSpan("**no**, *no*.", words, { start: 6, end: 8 })).toBeUndefined();
  });

  it("mapping a span of Markdown returns null if the letters differ", () => {
    expect(mapSpan("[a](b) c", "a (b) c", { start: 0, end: 3 })).toBeNull();
  });
});

describe("Markdown", () => {
  it("Markdown shows tags, definitions and other URL schemes as text", () => {
    const html = htmlOfAll(
      '<script>x()</script>\n\n<img src=x onerror=x()> [a](javascript:x()) [b](data:text/html,x) [c](//evil.test) [d](https://u:p@evil.test)\n\n[r]: https://x.y\n\n![p](https://x.y/z.png) <https://a.b/"onmouseover="x()>',
    );
    expect(html).not.toMatch(/<(?:script|img)|javascript:|data:text|u:p@/);
    expect(html).not.toMatch(/<a (?!href="https?:\/\/[^"]*">)/);
    expect(shown(html)).toContain("<script>x()</script>");
    expect(shown(html)).toContain("[r]: https://x.y");
  });

  it("Markdown renders headings below those of the page", () => {
    expect(htmlOfAll("# One\n\n###### Six")).toBe("<h3>One</h3>\n<h6>Six</h6>\n");
  });

  it("Markdown keeps offsets with Windows line endings", () => {
    const text = "# One\r\n\r\nTwo words\r\nhere";
    const [, second] = parseBlocks(text) ?? [];
    expect(text.slice(second?.start, second?.end)).toBe("Two words\r\nhere");
  });

  it.each([
    ["brackets", "[".repeat(100_000)],
    ["stars", "*a ".repeat(30_000)],
    ["blanks", `a${" ".repeat(110_000)}b`],
    ["columns", `${"|a".repeat(5_000)}\n${"|-".repeat(5_000)}\n${"|a\n".repeat(1_000)}`],
    ["lists in lists", "1. ".repeat(30_000)],
    ["quotes in quotes", ">".repeat(30_000)],
    ["a deep list", Array.from({ length: 400 }, (_, depth) => `${" ".repeat(depth * 2)}- a`).join("\n")],
    ["a book", "words ".repeat(100_000)],
  ])("rendering Markdown returns null quickly for input that takes too long: %s", (_name, text) => {
    expect(measureCpuMs(() => expect(parseBlocks(text)).toBeNull())).toBeLessThan(200);
  });

  it.each(["[", "![", "](", "**a ", "_a ", "`", "<", "\\", "&#", "~~", "a@b.", "www.", "|a"])(
    "rendering Markdown limits the time for repeated %s",
    (piece) => {
      const line = piece.repeat(Math.floor(300 / piece.length));
      expect(measureCpuMs(() => htmlOfAll(`${line}\n\n`.repeat(100)))).toBeLessThan(1_500);
    },
  );
});

describe("quotes", () => {
  it("a quote is found at its position, otherwise at the nearest occurrence", () => {
    const text = "one two one two";
    expect(findQuote(text, { start: 8, end: 11, quote: "one" })).toEqual({ start: 8, end: 11 });
    expect(findQuote(text, { start: 7, end: 10, quote: "one" })).toEqual({ start: 8, end: 11 });
    expect(findQuote(text, { start: 3, end: 6, quote: "one" })).toEqual({ start: 0, end: 3 });
    expect(findQuote(text, { start: 0, end: 5, quote: "three" })).toBeNull();
    expect(findQuote(text, { start: 0, end: 99 })).toBeNull();
    expect(findQuote(text, { start: 4, end: 4, quote: "" })).toBeNull();
  });

  const TEXT = "Intro. One. Two.\n\nThree. End.";
  const QUOTE = { start: 7, end: 24, quote: "One. Two.\n\nThree." };
  const readMarks = (text: string, quote: Parameters<typeof findMarks>[1]) =>
    findMarks(text, quote).map(({ start, end, isLight = false }) => `${isLight ? "light" : "strong"} ${text.slice(start, end)}`);

  it("a quote is marked where it answers, and lightly around that", () => {
    const highlights = [
      { start: 11, end: 17 },
      { start: 5, end: 9 },
    ];
    const shaded = { ...QUOTE, highlights, isShaded: true };
    expect(readMarks(TEXT, shaded)).toEqual(["light One. ", "strong Two.", "strong Three."]);
    expect(readMarks(`More. ${TEXT}`, shaded)).toEqual(["light One. ", "strong Two.", "strong Three."]);
    expect(readMarks(TEXT, { ...QUOTE, highlights })).toEqual(["strong Two.", "strong Three."]);
  });

  it("a quote is marked whole if nothing in it is, and not at all if it is gone", () => {
    expect(readMarks(TEXT, { ...QUOTE, highlights: [], isShaded: true })).toEqual([`strong ${QUOTE.quote}`]);
    expect(readMarks(TEXT, { ...QUOTE, highlights: [{ start: 90, end: 99 }], isShaded: true })).toEqual([`strong ${QUOTE.quote}`]);
    expect(readMarks("Other.", { ...QUOTE, isShaded: true })).toEqual([]);
  });
});

it("stripMarkdown returns the text without Markdown", () => {
  const quote = "## Tickets\n\n- A **single** costs *4 euro*\n- `x`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> Dogs 2 * 3 * 4 snake_case";
  expect(stripMarkdown(quote)).toBe("Tickets • A single costs 4 euro • x a · b 1 · 2 Dogs 2 * 3 * 4 snake_case");
});

it("the first letter decides the direction of a line", () => {
  const told = ["שעות (2026)", "12. سجل", "“ܫܠܡܐ”", "Hours שעות", "42", "", "港の記録"].map(isRightToLeft);
  expect(told).toEqual([true, true, true, false, false, false, false]);
});
