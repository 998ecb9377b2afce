import { expect, it } from "vitest";
import { type PageElement, parsePage } from "#ingest/clean/dom.ts";
import type { Model } from "#ingest/clean/model/model.ts";
import { outlinePage } from "#ingest/clean/model/outline.ts";
import { selectBlocks } from "#ingest/clean/model/select/blocks.ts";
import { cleanPage } from "#ingest/clean/page.ts";
import { onlyType } from "#ingest/clean/type/page-type.ts";
import { removeRepeats } from "#ingest/clean/prune/repeats.ts";

const sentence = "The lens bends the light, and the keeper of the lighthouse turns it through the night.";
const answer = "Whale oil since 1887, filled before each night of the winter.";

/** Selects blocks of a page, given their probabilities in order, and returns their texts. */
function select(body: string, probabilities: readonly number[], titleAt = -1): readonly string[] {
  const { outline } = outlinePage(parsePage(`<html><head></head><body>${body}</body></html>`).body);
  expect(probabilities).toHaveLength(outline.blocks.length);
  const kept = selectBlocks(outline, Float32Array.from(probabilities), titleAt);
  return outline.blocks.map(({ text }) => text).filter((_, at) => kept[at] === 1);
}

it("lines of sites are content inside cells and code, also in paragraphs of these", () => {
  expect(select(`<p>${sentence}</p><p>Advertisement</p>`, [0.9, 0.9])).toEqual([sentence]);
  expect(select("<table><tr><td><p>Advertisement</p></td><td>12</td></tr></table>", [0.9, 0.9])).toEqual(["Advertisement", "12"]);
  expect(select("<dl><dt>Section</dt><dd><div><p>Advertisement</p></div></dd></dl>", [0.9, 0.9])).toEqual(["Section", "Advertisement"]);
  expect(select("<pre><div>Sign in</div><div>Loading content</div></pre>", [0.9, 0.9])).toEqual(["Sign in", "Loading content"]);
});

it("lines of sites are removed from a cell that holds a part of the page", () => {
  const cell = `<p>${sentence}</p>`.repeat(4);
  expect(select(`<table><tr><td>${cell}<p>Advertisement</p></td></tr></table>`, [0.9, 0.9, 0.9, 0.9, 0.9])).not.toContain("Advertisement");
});

it.each([
  ["a paragraph", "<p>Open daily.</p>"],
  ["text of the body itself", "Open daily."],
  ["a list", "<ul><li>Open daily.</li></ul>"],
  ["a list with paragraphs", "<ul><li><p>Open daily.</p></li></ul>"],
  ["a list in a list", "<ol><li><ul><li>Open daily.</li></ul></li></ol>"],
  ["a table", "<table><thead><tr><th>Open daily.</th></tr></thead></table>"],
  ["a caption", "<figure><img src=a><figcaption>Open daily.</figcaption></figure>"],
])("a likely line beside the content is content too: %s", (_name, beside) => {
  expect(select(`<p>${sentence}</p>${beside}`, [0.9, 0.28])).toEqual([sentence, "Open daily."]);
  expect(select(`${beside}<p>${sentence}</p>`, [0.28, 0.9])).toEqual(["Open daily.", sentence]);
  expect(select(`<div><div><p>${sentence}</p></div>${beside}</div>`, [0.9, 0.28])).toEqual([sentence, "Open daily."]);
});

it("a paragraph without spaces between its words counts as many words", () => {
  const story = "灯台守は毎晩、日が暮れる前に塔に登り、油を満たして灯をともした。";
  const cards = Array.from({ length: 6 }, () => "<div><p>Harbour wall gone after the storm</p></div>").join("");
  expect(select(`<p>${story.repeat(4)}</p>${cards}`, [0.9, ...Array.from({ length: 6 }, () => 0.4)])).toEqual([story.repeat(4)]);
});

it("a likely line in another part of the page, or a likely heading, is no content", () => {
  expect(select(`<div><p>${sentence}</p></div><div><ul><li>Open daily.</li></ul></div>`, [0.9, 0.28])).toEqual([sentence]);
  expect(select(`<p>${sentence}</p><h2>Open daily.</h2>`, [0.9, 0.28])).toEqual([sentence]);
});

it("a likely heading is content before content, and a likely line after the title", () => {
  expect(select(`<h2>Opening hours</h2><p>${sentence}</p>`, [0.28, 0.9])).toEqual(["Opening hours", sentence]);
  expect(select(`<h2>Related</h2><p>${sentence}</p>`, [0.28, 0.9])).toEqual([sentence]);
  const page = `<div><h1>The light</h1><p>Open daily.</p></div><div><p>${sentence}</p></div>`;
  expect(select(page, [0.1, 0.28, 0.9], 0)).toEqual(["Open daily.", sentence]);
  expect(select(page, [0.1, 0.28, 0.9])).toEqual([sentence]);
});

it("a caption is content beside content, though the references of pages seldom have it", () => {
  const figure = (name: string): string => `<figure><img src=a><figcaption class="${name}">The tower</figcaption></figure>`;
  expect(select(`<p>${sentence}</p>${figure("text")}`, [0.9, 0.1])).toEqual([sentence, "The tower"]);
  expect(select(`<p>${sentence}</p>${figure("credit")}`, [0.9, 0.1])).toEqual([sentence]);
  expect(select(`<div><p>${sentence}</p></div><div>${figure("text")}</div>`, [0.9, 0.1])).toEqual([sentence]);
});

it("code and tables of data between content are content", () => {
  const between = (data: string, probability: number): readonly string[] =>
    select(`<p>${sentence}</p>${data}<p>${answer}</p>`, [0.9, probability, 0.9]);
  expect(between("<div><pre>let oil = 1;</pre></div>", 0.1)).toContain("let oil = 1;");
  expect(between("<figure><table><tr><td>12</td></tr></table></figure>", 0.1)).toContain("12");
  expect(between("<div><pre>let oil = 1;</pre></div>", 0.09)).not.toContain("let oil = 1;");
  expect(between("<div><p>Open daily.</p></div>", 0.1)).not.toContain("Open daily.");
  expect(select(`<p>${sentence}</p><table><tr><td>12</td></tr></table>`, [0.9, 0.1])).toEqual([sentence]);
});

it.each([
  ["an author", "<p>Words from a guest</p>"],
  ["a line named as metadata", '<p class="pub-date">In spring</p>'],
  ["a list of tags", '<ul class="tags"><li><a href="/t">towers</a></li></ul>'],
])("a likely line beside the content is no content if it is %s", (_name, beside) => {
  expect(select(`<p>${sentence}</p>${beside}`, [0.9, 0.3])).toEqual([sentence]);
});

it("an article is read without its title, and with another heading that is taken for it", () => {
  const model: Model = ({ blocks }) => ({
    types: onlyType("article"),
    titleAt: 0,
    probabilities: new Float32Array(blocks.length).fill(1),
  });
  const read = (heading: string, title: string): string => {
    const html = `<html><head><title>${title}</title></head><body><h1>${heading}</h1><p>${sentence}</p></body></html>`;
    return cleanPage({ html, url: "https://example.com/notes/oil" }, model).text;
  };
  expect(read("The oil of the lens", "The oil of the lens")).toBe(sentence);
  expect(read("The oil of the lens", "The oil of the lens: A keeper remembers")).toBe(sentence);
  expect(read("Letters of our readers", "The oil of the lens")).toBe(`# Letters of our readers\n\n${sentence}`);
});

it("the text of an element is outlined as a whole, whatever the element", () => {
  const [post] = parsePage(`<html><head></head><body>Posts<x-post><p>ada</p>${sentence}</x-post></body></html>`).body.children;
  expect(outlinePage(post as PageElement).outline.blocks.map(({ text }) => text)).toEqual(["ada", sentence]);
});

it("a paragraph that begins another one is removed, and equal lines of code and cells are kept", () => {
  const keepDifferent = (body: string): readonly string[] => {
    const { outline } = outlinePage(parsePage(`<html><head></head><body>${body}</body></html>`).body);
    const kept = new Uint8Array(outline.blocks.length).fill(1);
    removeRepeats(outline, kept);
    return outline.blocks.map(({ text }) => text).filter((_, at) => kept[at] === 1);
  };
  expect(keepDifferent(`<p>${sentence.slice(0, 80)}…</p><p>${sentence}</p><p>${sentence}</p>`)).toEqual([sentence]);
  const line = "if (isDark(hour)) lamp.light();";
  expect(keepDifferent(`<pre>${`<div>${line}</div>`.repeat(20)}</pre>`)).toHaveLength(20);
  expect(keepDifferent("<table><tr><td>until the next morning</td><td><p>until the next morning</p></td></tr></table>")).toHaveLength(2);
});

it("a cell with thousands of paragraphs is read as quickly as any other part of a page", { timeout: 300_000 }, () => {
  const ships = Array.from({ length: 15_000 }, (_, at) => `<p>Ship ${at} passed the light at night.</p>`).join("");
  const { pageType } = cleanPage({ html: `<h1>Ships</h1><table><tr><td>${ships}</td></tr></table>`, url: "https://example.com/" });
  expect(pageType).not.toBeNull();
});
