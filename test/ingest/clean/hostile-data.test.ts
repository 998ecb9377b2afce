import { expect, it } from "vitest";
import { measureCpuMs } from "../../support/cpu-time.ts";
import { readHead } from "#ingest/clean/head.ts";
import { article, clean, sentence, url } from "./page-samples.ts";

const ld = (json: string): string => `<script type="application/ld+json">${json}</script>`;
const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

it.each([
  ["an object that can't be converted to a string", '{"@type":{"toString":1}}'],
  ["such an object in a list", '{"@type":["Article",{"toString":1}],"headline":"Lens"}'],
  ["such an object as a flag", '{"@type":"Article","isAccessibleForFree":{"toString":1,"valueOf":1}}'],
  ["names of the prototype", '{"@type":["constructor","__proto__"],"__proto__":{"name":"x"},"constructor":{"prototype":null}}'],
  ["numbers that are too large", '{"@type":"Article","datePublished":1e999,"headline":1e999,"author":{"name":1e999}}'],
  ["invalid characters", '{"@type":"Article","headline":"\\ud800\\u0000\\u202e","datePublished":"2024-99-99T99:99:99Z"}'],
  ["deep lists after brackets", `]]${"]".repeat(20_000)}{"@type":${deep(20_000)}}`],
  ["deep lists after a quote", `"{"@type":${deep(20_000)}}`],
])("linked data never breaks a page: %s", (_name, json) => {
  const { text, title } = clean(article("", ld(json)));
  expect(text).toContain(sentence.trim());
  expect(title).toBe("Lens");
});

it("JSON that is too deep for a message between threads is left out, whatever precedes it", () => {
  for (const before of ['"', "]".repeat(2_000)]) expect(readHead({ html: ld(`${before}{"a":${deep(1_000)}}`), url }).jsonLd).toEqual([]);
});

it("a name that many nodes refer to is read in bounded time", { timeout: 300_000 }, () => {
  const author = Array.from({ length: 10 }, () => ({ "@id": "#x" }));
  const nodes = Array.from({ length: 400 }, () => ({ "@type": "Article", author }));
  const html = article("", ld(JSON.stringify([{ "@type": "Person", "@id": "#x", name: "1 ".repeat(400_000) }, ...nodes])));
  expect(measureCpuMs(() => clean(html))).toBeLessThan(5_000);
});

it("a long name of the site is compared with the parts of titles in bounded time", { timeout: 300_000 }, () => {
  const title = "exa | ".repeat(80);
  const meta = (name: string, content: string): string => `<meta property="${name}" content="${content}">`;
  const head = meta("og:site_name", "ab ".repeat(2_000_000)) + meta("og:title", title) + meta("twitter:title", title);
  expect(measureCpuMs(() => clean(article("", head)))).toBeLessThan(5_000);
});

it("a name does not become a heading or the beginning of code before a post", () => {
  const names = ["ada", "```js", "# ben", "> cyd"];
  const write = (name: string, at: number): string =>
    `<div class="post"><b class="author">${name}</b><time>1 May 2024 10:0${at}</time><div>${sentence.repeat(2)}${at}</div></div>`;
  const comment = names.map((name) => ({ "@type": "Comment", author: { name }, datePublished: "2024-05-01", text: `${sentence} ${name}` }));
  const posts = ld(JSON.stringify({ "@type": "DiscussionForumPosting", text: sentence, comment }));
  for (const text of [clean(names.map(write).join("")).text, clean(posts).text]) {
    for (const name of ["ada", "js", "ben", "cyd"]) expect(text).toMatch(new RegExp(`^${name} · `, "m"));
  }
});

it("a bar after a backslash does not end a cell", () => {
  const table = String.raw`<table><tr><th>a</th><th>b</th></tr><tr><td>x\|y</td><td>z|w</td></tr></table>`;
  expect(clean(article(table)).text).toContain(String.raw`| x\\\|y | z\|w |`);
});
