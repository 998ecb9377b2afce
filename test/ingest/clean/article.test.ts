import { describe, expect, it } from "vitest";
import { cleanPage } from "#ingest/clean/page.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";

const url = "https://example.com/notes/lens";
const sentence = "The lens bends the light, and the keeper of the lighthouse turns it through the night, whatever the weather. ";
const body = `<p>${sentence.repeat(3)}</p><p>${sentence.repeat(4)}</p>`;
const page = (inside: string, head = ""): string =>
  `<html lang="en"><head><title>Lens of the north</title>${head}</head><body><div class="page">${inside}</div></body></html>`;
const cleanText = (inside: string, head = ""): string => cleanPage({ html: page(inside, head), url }).text;
const inArticle = (inside: string): string => cleanText(`<article><h1>Lens of the north</h1>${body}${inside}${body}</article>`);

describe("text around an article", () => {
  it.each([
    ["share bars", '<div class="post-share">Pass this on to friends</div>'],
    ["related pages", '<section id="related-stories"><p>A storm took the harbour wall away last night.</p></section>'],
    ["comments", '<div class="CommentList"><p>I was there and saw all of it myself that night.</p></div>'],
    ["newsletter boxes", '<div class="newsletter-box">Every Friday in your mailbox</div>'],
    ["bylines", '<p class="byline">Words from a guest</p>'],
    ["advertisements", '<div class="ad">Buy two lamps and pay for one of them today.</div>'],
    ["lists of tags", '<ul class="tags"><li>towers and lights</li></ul>'],
    ["commission notes", "<p>We may earn a commission on what you buy through our links.</p>"],
  ])("text around an article is removed: %s", (_name, html) => {
    const words = html.replace(/<[^>]*>/g, "").trim();
    expect(inArticle(html)).not.toContain(words);
  });

  it("text around an article is kept if an element is also named as content", () => {
    const text = cleanText(
      `<article><h1>Lens of the north</h1><div class="entry share">${body}</div></article><p>${"Other words. ".repeat(60)}</p>`,
    );
    expect(text).toContain("The lens bends");
  });

  it("text around an article is kept if a class name only describes features or layout", () => {
    expect(inArticle('<div class="has-caption section--ads"><p>The oil was brought by boat in spring.</p></div>')).toContain(
      "brought by boat",
    );
  });

  it("text around an article does not include quoted posts of other sites", () => {
    const quoted =
      '<div class="social-embed"><blockquote class="twitter-tweet"><p>We saw the lamp from forty miles away.</p><a href="https://twitter.com/a/1">May 1, 2024</a></blockquote></div>';
    expect(inArticle(quoted)).toContain("> We saw the lamp from forty miles away.");
  });
});

describe("edges of an article", () => {
  const ends = (before: string, after: string): string => cleanText(`<div class="story">${before}${body}${body}${after}</div>`);

  it.each([
    ["a date", "<p>Updated 5:27 am CST, Wednesday, November 20, 2019</p>"],
    ["a date in another language", "<p>Publicado em sexta-feira, 22 de outubro de 2010 às 20:13</p>"],
    ["a byline", "<p>By Ada Keeper, Harbour Correspondent</p>"],
    ["an address", "<p>https://example.com/notes/lens-of-the-north</p>"],
  ])("the edges of an article are trimmed of %s before the first paragraph and after the last", (_name, html) => {
    const words = html.replace(/<[^>]*>/g, "");
    expect(ends(html, "")).not.toContain(words);
    expect(ends("", html)).not.toContain(words);
  });

  it("the edges of an article are trimmed of text about the author, if the page names the author", () => {
    const head = '<meta name="author" content="Ada Keeper">';
    const text = cleanText(`<div class="story">${body}${body}<p>Ada Keeper has kept the northern light for nine years.</p></div>`, head);
    expect(text).not.toContain("nine years");
  });

  it.each(["Related articles", "You may also like", "Das könnte dich auch interessieren", "Lire aussi", "Comments", "Читайте также"])(
    "the edges of an article are trimmed at the heading %s if no paragraph follows it",
    (heading) => {
      const text = ends("", `<h3>${heading}</h3><p>Harbour wall gone after storm</p><p>Ferry is late again</p>`);
      expect(text).not.toMatch(/Harbour wall|Ferry is late/);
    },
  );

  it("the edges of an article are not trimmed before a paragraph, whatever its heading", () => {
    expect(ends("", `<h3>Read more</h3><p>The second lamp was made of brass. ${sentence}</p>`)).toContain("second lamp was made of brass");
  });

  it("the edges of an article keep dates between paragraphs", () => {
    expect(inArticle("<h2>May 1, 2024</h2>")).toContain("## May 1, 2024");
  });
});

const list = (host: string): string =>
  `<ul><li><a href="${host}/one">Maker of the first lamp</a></li><li><a href="${host}/two">Maker of the second lamp</a></li></ul>`;

it("links to the page's own site are removed from short blocks, and those to other sites are kept", () => {
  expect(inArticle(list("https://www.example.com"))).not.toContain("first lamp");
  expect(inArticle(list(""))).not.toContain("first lamp");
  expect(inArticle(list("https://lamps.example.org"))).toContain("- Maker of the first lamp");
});

const post = (title: string, words: string): string => `<article><h1>${title}</h1><p>${words.repeat(6)}</p></article>`;
const other =
  '<article><h2><a href="/x">Harbour wall</a></h2><p>' +
  "A storm took the harbour wall away last night, and nobody was hurt. ".repeat(8) +
  "</p></article>";

it("several articles on a page are reduced to the one that the title names", () => {
  const text = cleanText(post("Lens of the north", sentence) + other + other);
  expect(text).toContain("The lens bends");
  expect(text).not.toContain("harbour wall");
});

it("several articles on a page are all kept if the title names none, and if they are parts of one", () => {
  expect(cleanText(other + other, "<title>Notes</title>")).toContain("harbour wall");
  const part =
    "<article><h2>The lamp</h2><p>" + "The lamp burns oil in winter and gas in summer, as it always did. ".repeat(8) + "</p></article>";
  expect(cleanText(post("Lens of the north", sentence) + part)).toContain("burns oil in winter");
});

describe("dropped text", () => {
  const article = `<div class="text"><div class="copy">${body}${body}</div></div>`;
  const lead =
    "In the north a lamp has been burning for two hundred years without a break, and those who keep it say that it will burn for two hundred more, if the oil is brought in time.";

  it("text that article detection drops is restored if it is a lead paragraph between heading and article", () => {
    const text = cleanText(`<header><h1>Lens of the north</h1><div class="header"><p class="lead">${lead}</p></div></header>${article}`);
    expect(text.startsWith(lead)).toBe(true);
  });

  it("text that article detection drops is restored if it is the description of the page", () => {
    const text = cleanText(
      `<header><h1>Lens of the north</h1><div class="header"><p>${lead}</p></div></header>${article}`,
      `<meta name="description" content="${lead}">`,
    );
    expect(text.startsWith(lead)).toBe(true);
  });

  it("text that article detection drops is not restored if it is one line that repeats the title", () => {
    const text = cleanText(
      `<header><h1>Lens of the north</h1><div class="header"><p class="lead">How a lamp burns.</p></div></header>${article}`,
    );
    expect(text).not.toContain("How a lamp burns");
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
