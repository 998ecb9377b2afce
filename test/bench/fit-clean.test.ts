import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { alignWords, splitWords } from "../../bench/fit/clean/align.ts";
import { type Example, readExamples } from "../../bench/fit/clean/examples.ts";
import { run } from "../../bench/fit/clean/main.ts";
import { FOLDS, getFold, getSite, isInside, isOutside } from "../../bench/fit/clean/folds.ts";
import { labelByParts, labelByTruth } from "../../bench/fit/clean/labels.ts";
import { countParallelParts } from "../../bench/fit/clean/parts.ts";
import { computeOdds, countTokens } from "../../bench/fit/clean/tokens.ts";
import { composeAllPages } from "../../bench/quality/structure/pages.ts";
import { runWcxb } from "../../bench/quality/wcxb/run.ts";

const folder = mkdtempSync(join(tmpdir(), "tessera-fit-clean-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sentence = "The lens bends the light, and the keeper of the lighthouse turns it through the night, whatever the weather.";
const post = (author: string, day: number): string =>
  `<div class="post"><a class="username" href="/users/${author}">${author}</a> <time datetime="2024-03-0${day}T10:00:00Z">then</time><p>${sentence} ${author} said so.</p></div>`;
const PAGES: Readonly<Record<string, { readonly type: string; readonly html: string }>> = {
  article: { type: "article", html: `<nav>Home and <![CDATA[ more</nav><article><h1>Lens</h1><p>${sentence}</p></article>` },
  thread: { type: "forum", html: `<h1>Oil</h1>${post("ada", 1)}${post("ben", 2)}${post("cyd", 3)}` },
  deep: { type: "article", html: `${"<div>".repeat(500)}<p>${sentence}</p>` },
};

/** Writes the three sets in the format of the evaluation data. */
function writeSets(): void {
  const html = (folderOfSet: string, name: string, page: string): void => {
    mkdirSync(join(folder, folderOfSet, "html"), { recursive: true });
    writeFileSync(join(folder, folderOfSet, "html", name), gzipSync(`<html><head><title>Lens</title></head><body>${page}</body></html>`));
  };
  for (const [id, page] of Object.entries(PAGES)) html("wcxb", `${id}.html.gz`, page.html);
  const entries = Object.entries(PAGES).map(([id, { type }]) => [id, { type, url: `https://www.${id}.test/lens`, text: sentence }]);
  writeFileSync(join(folder, "wcxb", "pages.json.gz"), gzipSync(JSON.stringify(Object.fromEntries(entries))));
  html("extraction", "a.html.gz", PAGES["article"]?.html ?? "");
  writeFileSync(join(folder, "extraction", "ground-truth.json"), JSON.stringify({ a: { url: "https://a.test/", articleBody: sentence } }));
  html("extraction-segments", "s.gz", PAGES["article"]?.html ?? "");
  const parts = { "https://s.test/": { file: "s", with: [sentence.slice(0, 40)], without: ["Home"] } };
  writeFileSync(join(folder, "extraction-segments", "evaldata.json"), JSON.stringify(parts));
}

const createBlocks = (texts: readonly string[]) => texts.map((text) => ({ element: 0, text, linked: 0, links: 0, inline: [] }));
const parts = (texts: readonly string[], wanted: readonly string[], unwanted: readonly string[]) =>
  labelByParts(createBlocks(texts), wanted, unwanted);

it("fitting page content asks for sets that are missing", async () => {
  await expect(run(["--data", folder, "--write"])).rejects.toThrow("wcxb, articles, segments");
  writeSets();
  rmSync(join(folder, "extraction"), { recursive: true });
  expect(() => [...readExamples(folder, () => false)]).toThrow(/ articles\. Pass .* --data/);
});

it("examples are what the model is asked when pages are read: threads too, but no pages without a tree", () => {
  writeSets();
  const examples = [...readExamples(folder, ({ url }) => url.includes(".test/"))];
  expect(examples.map(({ set, site, type }) => [set, site, type])).toEqual([
    ["wcxb", "article.test", "article"],
    ["wcxb", "thread.test", "forum"],
    ["articles", "a.test", null],
    ["segments", "s.test", null],
  ]);
  const [article, thread, , segments] = examples as [Example, Example, Example, Example];
  expect(article.outline.blocks.map(({ text }, at) => [text, article.labels[at]])).toEqual([
    ["Home and", 0],
    ["Lens", 0],
    [sentence, 1],
  ]);
  expect(article.hints.titles).toContain("Lens");
  expect(thread.outline.blocks.length).toBeGreaterThan(3);
  expect([...thread.weights].every((weight) => weight > 0)).toBe(true);
  expect(Math.max(...thread.labels)).toBeGreaterThan(0.8);
  expect([...segments.weights].map((weight) => weight > 0)).toEqual([true, false, true]);
});

it("pages of one content are in one fold, and contents in all folds", () => {
  const pages = composeAllPages();
  for (const [name, group] of Map.groupBy(pages, ({ content }) => content.name))
    expect([name, new Set(group.map((page) => getFold(getSite(page)))).size]).toEqual([name, 1]);
  expect(new Set(pages.map((page) => getFold(getSite(page)))).size).toBe(FOLDS);
  expect(getSite({ id: "", url: "https://www.news.example.com/a", html: "" })).toBe("example.com");
});

it("a token of our composed pages counts as one of a single site", () => {
  const blocks = createBlocks(["Subscribe", "Keeper"]);
  const outline = { elements: [{ names: ["teaser"], parent: -1 }], blocks } as unknown as Example["outline"];
  const create = (set: Example["set"], site: string): Example => ({
    set,
    site,
    type: null,
    outline,
    hints: {} as Example["hints"],
    labels: Float32Array.of(0, 1),
    weights: Float32Array.of(1, 1),
  });
  const sites = ["a", "b", "c", "d"];
  expect(computeOdds(countTokens(sites.map((site) => create("structure", site)))).word.size).toBe(0);
  expect([...computeOdds(countTokens(sites.map((site) => create("wcxb", site)))).word.keys()]).toEqual(["subscribe", "keeper"]);
});

it("each character is a word in scripts without spaces, so that a paragraph is aligned in part", () => {
  expect(splitWords("灯台の光 shines 24h")).toEqual(["灯", "台", "の", "光", "shines", "24", "h"]);
  const truth = "灯台守は夜のあいだ光をまもり、朝になると眠りにつく。";
  expect([...alignWords(splitWords("光をまもり人"), splitWords(truth))]).toEqual([1, 1, 1, 1, 1, 0]);
  const [label] = labelByTruth(createBlocks([`${truth}${"関連する記事はこちらからどうぞ".repeat(2)}`]), truth);
  expect(label).toBeGreaterThan(0.4);
  expect(label).toBeLessThan(0.6);
});

it("parts without letters are ignored, and short ones match whole words", () => {
  const texts = ["The lamp was lit at nine.", "Home", "A home for lamps", "Homeless lamps", "…"];
  expect(parts(texts, ["", "—"], ["Home"])).toEqual([null, 0, 0, null, null]);
  expect(parts(texts, ["lamp was lit at nine"], [])).toEqual([1, null, null, null, null]);
  expect(parts(["E-mail", "The lamp was lit"], ["email", "In June the lamp was lit again."], [])).toEqual([1, 1]);
});

it("as many parts are fitted at a time as there are processors and memory, and at least one", () => {
  expect([countParallelParts(8, 20 * 2 ** 30), countParallelParts(2, 64 * 2 ** 30), countParallelParts(4, 2 ** 30)]).toEqual([3, 2, 1]);
});

it("figures of all pages are not printed beside those of a sample", async () => {
  const read = async (sample: number | null) =>
    (await runWcxb({ data: folder, sets: [], hasVectors: false, sample }))?.sections[0]?.columns;
  expect(await read(null)).toContain("cross-validated");
  expect(await read(1)).toEqual(["type", "pages", "F1", "under 0.3", "warned"]);
});

it("a page is measured by models that know neither its content nor its layout", () => {
  const folds = Array.from({ length: FOLDS }, (_, fold) => fold);
  for (const page of composeAllPages()) {
    const [content, layout] = [getFold(page.content.name), getFold(page.layout)];
    expect(folds.filter((fold) => isInside(page, fold))).toEqual(content === layout ? [content] : []);
    expect(folds.filter((fold) => !isOutside(page, fold))).toEqual([...new Set([content, layout])].sort());
  }
});
