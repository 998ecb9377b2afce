import { expect, it } from "vitest";
import { parsePage } from "#ingest/clean/dom.ts";
import { toMarkdown } from "#ingest/clean/markdown.ts";
import { isAffordable } from "#ingest/clean/measure/cost.ts";
import { BudgetError, withCpuBudget } from "#ingest/clean/measure/cpu-budget.ts";
import { measurePage } from "#ingest/clean/measure/measure.ts";
import { cleanPage } from "#ingest/clean/page.ts";

const SENTENCE = "Words of a sentence that says something of the harbour, and a little more. ";
const ARTICLE = `<h1>The harbour</h1><h2>Opening hours</h2><p>${SENTENCE.repeat(4)}</p>`;
const many = (count: number, write: (at: number) => string): string => Array.from({ length: count }, (_, at) => write(at)).join("");
const nested = (depth: number, open: string, close: string, inner: string): string => open.repeat(depth) + inner + close.repeat(depth);

const pages: readonly (readonly [string, string])[] = [
  ["chains of deep elements", many(6, () => nested(390, "<div>word ", "</div>", ""))],
  [
    "many elements far down",
    nested(
      30,
      "<div>",
      "</div>",
      many(12_000, (at) => `<p>${at} </p>`),
    ),
  ],
  ["nested tables", many(4, () => nested(129, "<table><tr><td>cell ", "</td></tr></table>", ""))],
  ["unclosed formatting elements", many(330, (at) => `${["<b>", "<i>", "<u>"][at % 3]}word `)],
  ["many comments between words", many(31_000, () => "a<!--x-->")],
  ["many spaces that do not break", `<p>${"a\u00a0".repeat(61_000)}</p>`],
  ["many spaces that do not break, as entities", `<p>${"a&nbsp;".repeat(61_000)}</p>`],
  ["many marks that are escaped", `<p>${"a&lt;".repeat(61_000)}</p>`],
  ["long lists of attributes", many(300, () => `<p ${many(201, (at) => `a${at}=x `)}>word</p>`)],
  ["a long text far down", nested(150, "<ul><li>", "</li></ul>", `<pre>${"a\n".repeat(100_000)}</pre>`)],
];

it.each(pages)("a page whose tree would take too long is converted linearly: %s", { timeout: 300_000 }, (_name, hostile) => {
  const html = ARTICLE + hostile;
  expect(isAffordable(measurePage(html).cost)).toBe(false);
  const { text } = cleanPage({ html, url: "https://example.com/" });
  expect(text).toContain("Opening hours");
  expect(text).not.toContain("## Opening hours");
});

it("a page whose tree would take too long is distinguished from large ordinary pages", { timeout: 300_000 }, () => {
  const section = (at: number): string =>
    `<section><h2>Chapter ${at}</h2>${many(4, () => `<p>${SENTENCE}<a href="/wiki/${at}">a link</a> and <b>bold</b>&nbsp;words. ${SENTENCE}</p>`)}
       <ul>${many(6, (item) => `<li class="item" id="i${at}-${item}">An item <a href="/x">of a list</a></li>`)}</ul></section>`;
  const body = nested(8, '<div class="content">', "</div>", `<h1>The harbour</h1>${many(400, section)}<!-- end -->`);
  const html = `<html><head><title>The harbour</title><script>${"if (a < b && c > d) go();".repeat(20_000)}</script></head><body>${body}</body></html>`;
  const { cost, elements } = measurePage(html);
  expect(elements).toBeGreaterThan(10_000);
  expect(isAffordable(cost)).toBe(true);
  expect(cleanPage({ html, url: "https://example.com/" }).text).toContain("## Chapter 7\n");
});

it("a list of thousands of links stays a list", { timeout: 300_000 }, () => {
  const items = many(5_000, (at) => `<li><a href="https://other.example/${at}">Harbour ${at}</a>, built in ${1_500 + (at % 500)}</li>`);
  const { text } = cleanPage({ html: `${ARTICLE}<p>${SENTENCE.repeat(5)}</p><ul>${items}</ul>`, url: "https://example.com/" });
  expect(text).toContain("## Opening hours");
  expect(text).toMatch(/^- .*Harbour 4999.*, built in 1999$/m);
});

it("the CPU time limit of a tree ends every traversal once spent, even if callers catch the error, and prevents later ones", () => {
  const page = parsePage(ARTICLE);
  const walk = (): number => page.body.textContent!.length + [...page.body.querySelectorAll("p")].length;
  const seen: unknown[] = [];
  const work = (): void => {
    while (seen.length < 3) {
      try {
        walk();
      } catch (error) {
        seen.push(error);
      }
    }
    walk();
  };
  expect(() => withCpuBudget(0, work)).toThrow(BudgetError);
  expect(seen.every((error) => error instanceof BudgetError)).toBe(true);
  expect(withCpuBudget(60_000, walk)).toBe(walk());
});

it("nested quote markers do not multiply a long text", { timeout: 300_000 }, () => {
  const page = parsePage(nested(60, "<blockquote>", "</blockquote>", `<pre>${"a\n".repeat(200_000)}</pre>`));
  const text = toMarkdown(page.body);
  expect(text.startsWith("> > ")).toBe(true);
  expect(text.length).toBeLessThan(3_000_000);
});
