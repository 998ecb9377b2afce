import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cleanPage } from "#ingest/clean/page.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";

const url = "https://example.com/notes/lens";
const sentence = "The lens bends the light, and the keeper of the lighthouse turns it through the night, whatever the weather. ";
const body = `<p>${sentence.repeat(3)}</p><p>${sentence.repeat(4)}</p>`;
const page = (inside: string, head = ""): string =>
  `<html lang="en"><head><title>Lens of the north</title>${head}</head><body><div class="page">${inside}</div></body></html>`;
const cleanText = (inside: string, head = ""): string => cleanPage({ html: page(inside, head), url }).text;

/** A page of a newspaper, with `inside` in the middle of its article and `after` at its end. */
const newspaper = (inside: string, after = ""): string =>
  cleanPage({
    html: readFileSync(join(import.meta.dirname, "pages/article.html"), "utf8")
      .replaceAll(/\[\[|\]\]|\{\{|\}\}/g, "")
      .replace("<h2>Eleven ships</h2>", `${inside}<h2>Eleven ships</h2>`)
      .replace('</div>\n<footer class="entry-footer">', `${after}</div>\n<footer class="entry-footer">`),
    url: "https://nordholm.example/news/keeper",
  }).text;

describe("text around an article", () => {
  it.each([
    [
      "share bars",
      '<div class="post-share"><span>Share this</span><a href="https://www.facebook.com/sharer.php">Pass this on to friends</a></div>',
    ],
    [
      "related pages",
      '<section class="related-stories"><h3>Related</h3><p><a href="/wall">A storm took the harbour wall away</a></p></section>',
    ],
    [
      "newsletter boxes",
      '<div class="newsletter-box"><form action="/newsletter"><label>Your address</label><input type="email"><p>Subscribe to our newsletter</p></form></div>',
    ],
    ["bylines", '<p class="byline">Words from a guest</p>'],
    ["lists of tags", '<ul class="tags"><li><a href="/tags/t">towers and lights</a></li></ul>'],
    ["commission notes", "<p>We may earn a commission on what you buy through our links.</p>"],
  ])("text around an article is removed: %s", (_name, html) => {
    const text = newspaper(html);
    expect(text).toContain("a trawler whose crew had fallen asleep");
    for (const line of html.split(/<[^>]*>/).filter((part) => part.trim() !== "")) expect(text).not.toContain(line);
  });

  it.each([
    ["a date", "<p>Updated 5:27 am CST, Tuesday, February 10, 2026</p>"],
    ["a heading of other pages", '<h3>You may also like</h3><ul><li><a href="/wall">Harbour wall gone after storm</a></li></ul>'],
    ["comments", '<h3>Comments</h3><div class="comment"><p>I was there and saw all of it.</p></div>'],
    ["the author", '<p class="bio">Ingrid Sand is a reporter for the Post.</p>'],
  ])("text around an article is removed after it: %s", (_name, html) => {
    const text = newspaper("", html);
    expect(text).toContain("From its kitchen, she says, one can see the light.");
    for (const line of html.split(/<[^>]*>/).filter((part) => part !== "")) expect(text).not.toContain(line);
  });

  it("text around an article is told from the article, whatever names and headings that has", () => {
    expect(
      newspaper('<div class="has-caption section--ads"><p>The oil was brought by boat in spring, in casks of forty litres.</p></div>'),
    ).toContain("brought by boat");
    const quoted =
      '<div class="social-embed"><blockquote class="twitter-tweet"><p>We saw the lamp from forty miles away.</p></blockquote></div>';
    expect(newspaper(quoted)).toContain("> We saw the lamp from forty miles away.");
  });

  it("text around an article is kept if it is an article of the same page", () => {
    const part = `<article><h2>The lamp</h2><p>${"The lamp burns oil in winter and gas in summer, as it always did. ".repeat(8)}</p></article>`;
    expect(cleanText(`<article><h1>Lens of the north</h1><p>${sentence.repeat(6)}</p></article>${part}`)).toContain("burns oil in winter");
  });
});

const about = (head: string, heading: string) =>
  cleanPage({ html: `<html><head>${head}</head><body><h1>${heading}</h1>${body}</body></html>`, url });

it("a page has no author that is a generic account", () => {
  expect(about('<meta name="author" content="admin">', "Lens").author).toBeNull();
  expect(about('<meta name="author" content="By Ada Keeper">', "Lens").author).toBe("Ada Keeper");
});

const deep = (depth: number, inside: string): string => "<div>".repeat(depth) + inside + "</div>".repeat(depth);
const pages: readonly (readonly [string, string])[] = [
  ["many pictures deep down", deep(380, "<img src=a>".repeat(18_000))],
  ["many boxes in boxes with telling names", "<div class='share related caption'>".repeat(390) + "<p>x</p>".repeat(15_000)],
  ["one element with text between many blocks", `<div>${`${sentence}<p>${sentence}</p>`.repeat(9_000)}</div>`],
  ["a description of megabytes", `<meta name="description" content="${"a b ".repeat(400_000)}">${"<p>x</p>".repeat(9_000)}`],
  ["a name of megabytes", `<p class="${"share-".repeat(400_000)}">${sentence}</p>`],
  ["thousands of articles", "<article><h1>Lens of the north</h1>words</article>".repeat(6_000)],
  ["articles in articles", "<article><h1>Lens of the north</h1><p>words</p>".repeat(39) + "<p>x</p>".repeat(15_000)],
  ["quotes in quotes", "<blockquote class=tweet>".repeat(300) + `<p>${sentence}</p>`.repeat(1_000)],
  ["thousands of leads", `<h1>x</h1>${`<p class=lead>${sentence.repeat(2)}</p>`.repeat(9_000)}`],
  ["thousands of dates", `${body}${"<p>By the way, 1 May 2024 10:00</p>".repeat(9_500)}${body}`],
  ["lines of spaces and brackets", `${body}<p>by ${" a".repeat(500_000)}</p><p>${"(".repeat(500_000)}</p>`],
];
it.each(pages)("hostile pages are parsed in bounded time: %s", { timeout: 300_000 }, (_name, html) => {
  expect(measureCpuMs(() => expect(() => cleanPage({ html: page(html), url })).not.toThrow())).toBeLessThan(20_000);
});
