import { expect, it } from "vitest";
import { getLine, parseRoot } from "../../bench/quality/structure/dom.ts";
import { composePages } from "../../bench/quality/structure/pages.ts";
import { findUnits } from "../../bench/quality/structure/real.ts";
import { normaliseText, scoreText } from "../../bench/quality/structure/scores.ts";

const pages = composePages();

/** The text of a page as a browser renders it, on one line. */
function visibleText(html: string): string {
  const root = parseRoot(html);
  for (const hidden of root.querySelectorAll("script, style, title")) hidden.remove();
  return normaliseText(getLine(root));
}

it("the structure dataset has pages of many kinds in many layouts and is deterministic", () => {
  expect(pages.length).toBeGreaterThanOrEqual(90);
  expect(new Set(pages.map(({ content }) => content.kind)).size).toBeGreaterThanOrEqual(18);
  expect(new Set(pages.map(({ layout }) => layout)).size).toBeGreaterThanOrEqual(8);
  expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length);
  expect(composePages()).toEqual(pages);
});

it("the structure dataset shows each kind in at least three layouts", () => {
  for (const [kind, group] of Map.groupBy(pages, ({ content }) => content.kind)) {
    expect([kind, new Set(group.map(({ layout }) => layout)).size >= 3]).toEqual([kind, true]);
  }
});

it.each(pages.map((page) => [page.id, page] as const))(
  "the structure dataset labels what is present: %s",
  (_id, { content, boilerplate, html }) => {
    const text = visibleText(html);
    expect(/\[\[|\]\]|\{\{|<tr row| keep>|%(?:title|section|slug|content)%/.exec(html)?.[0]).toBeUndefined();
    expect(content.facts.length).toBeGreaterThanOrEqual(4);
    expect(boilerplate.length).toBeGreaterThanOrEqual(5);
    // Once only: text that is also in the title or byline would count as kept when its table is lost.
    expect(content.facts.filter((fact) => text.split(normaliseText(fact)).length !== 2)).toEqual([]);
    expect(boilerplate.filter((piece) => !text.includes(normaliseText(piece)))).toEqual([]);
  },
);

it.each(pages.map((page) => [page.id, page] as const))(
  "the structure dataset separates boilerplate from content: %s",
  (_id, { content, boilerplate }) => {
    const own = `${normaliseText(content.title)} ${normaliseText(content.section)} ${visibleText(content.html)}`;
    const facts = content.facts.map(normaliseText);
    const segments = boilerplate.map(normaliseText);
    expect(segments.filter((piece) => piece === "" || own.includes(piece))).toEqual([]);
    expect(new Set(facts).size).toBe(facts.length);
    expect(facts.filter((fact) => fact === "" || segments.some((piece) => piece.includes(fact)))).toEqual([]);
  },
);

it("the structure dataset parses rows as cells", () => {
  const tables = pages.flatMap(({ content }) => content.tables);
  expect(tables.length).toBeGreaterThan(0);
  for (const { rows } of tables) {
    expect(rows.length).toBeGreaterThan(1);
    for (const cells of rows) expect(cells.length).toBeGreaterThan(1);
  }
  expect(tables.filter(({ caption }) => caption !== null).length).toBeGreaterThan(0);
});

const rows = [
  ["Ward", "2011"],
  ["Harbour", "9,812"],
  ["Mill|fields", "12,077"],
];
const expected = { facts: ["9,812", "The pump stops"], tables: [{ caption: "Table 1", rows }], boilerplate: ["Sign in", "Related"] };
const score = (text: string) => {
  const { facts, rows: kept, captions, boilerplate } = scoreText(text, expected);
  return [facts.part, kept.part, captions.part, boilerplate.part];
};

it("the score of a text recognises a Markdown table with its caption, whatever markup surrounds it", () => {
  const table = "| Ward | 2011 |\n| --- | --- |\n| Harbour | **9,812** |\n| Mill\\|fields | 12,077 |";
  expect(score(`THE  pump *stops*\n\nTable 1\n\n${table}`)).toEqual([2, 3, 1, 0]);
  expect(score(`${table}\n\nTable 1\n[Sign in](/login)`)).toEqual([1, 3, 1, 1]);
});

it("the score of a text counts no row whose cells are split, merged or on a line with another row", () => {
  expect(score("Ward\n2011\nHarbour\n9,812\nMill|fields\n12,077")).toEqual([1, 0, 0, 0]);
  expect(score("Ward2011\nHarbour9,812\nMill|fields12,077")).toEqual([1, 0, 0, 0]);
  expect(score("Ward 2011 Harbour 9,812 Mill fields 12,077")).toEqual([1, 0, 0, 0]);
  expect(score("Ward 2011\n9,812 Harbour\nMill fields 12,077")).toEqual([1, 2, 0, 0]);
});

it("the score of a text counts a caption only next to its table", () => {
  const table = "Ward 2011\nHarbour 9,812\nMill fields 12,077";
  expect(score(`Table 1\n${"A long paragraph between the two. ".repeat(3)}\n${table}`)[2]).toBe(0);
  expect(score(`Table 1\n${table}`)[2]).toBe(1);
  expect(score(table)[2]).toBe(0);
});

it("the score of a text is 0 for structures that the page lacks", () => {
  const { rows: kept, captions } = scoreText("", { facts: [], tables: [], boilerplate: [] });
  expect([kept.whole, captions.whole]).toEqual([0, 0]);
});

const page = `<html><body><nav><ul><li>A first entry of the menu</li></ul></nav>
    <div><p>The ferry has been sold to a museum.</p>
    <table><tr><th>Built in</th><td>1961, Saltby</td></tr><tr><td></td><td>one cell alone</td></tr></table>
    <ul><li>Two engines of <a href="#">the same</a> make</li><li><ul><li>a list inside the other</li></ul></li></ul>
    <ul><li><a href="#">An article about something else</a></li></ul>
    <figure><img><figcaption>The ferry in her last summer</figcaption></figure>
    <p>Visitors are welcome from the spring.</p></div>
    <dl><dt>Telephone number</dt><dd>behind the last piece</dd></dl></body></html>`;
const segments = ["The ferry has been sold to a museum.", "Visitors are welcome from the spring."];
const list = (known: Parameters<typeof findUnits>[1]) => findUnits(page, known).map(({ kind, cells }) => [kind, ...cells]);

it("structures on real pages include those between two known parts of the main content", () => {
  expect(list({ truth: "", segments, unwanted: [] })).toEqual([
    ["table rows", "builtin", "1961,saltby"],
    ["list items", "twoenginesofthesamemake"],
    ["list items", "alistinsidetheother"],
    ["captions", "theferryinherlastsummer"],
  ]);
  expect(list({ truth: "", segments: segments.slice(0, 1), unwanted: [] })).toEqual([]);
  expect(list({ truth: "", segments, unwanted: ["Two engines"] })).toHaveLength(3);
});

it("structures on real pages include those within the article, and captions by their position", () => {
  const truth = `${segments[0]} Built in 1961, Saltby. ${segments[1]}`;
  expect(list({ truth, segments, unwanted: [] })).toEqual([
    ["table rows", "builtin", "1961,saltby"],
    ["captions", "theferryinherlastsummer"],
  ]);
});
