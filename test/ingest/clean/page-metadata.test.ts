import { expect, it } from "vitest";
import { toIsoDate } from "#ingest/clean/dates.ts";
import type { Model } from "#ingest/clean/model/model.ts";
import { cleanPage } from "#ingest/clean/page.ts";
import { truncateText, countWords, normaliseTitle } from "#ingest/clean/text.ts";
import { onlyType, type PageType } from "#ingest/clean/type/page-type.ts";
import { article, body, clean, sentence, url } from "./page-samples.ts";

const ld = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const about = (inside: string, head = "") => clean(`<html lang="en"><head>${head}</head><body>${inside}${body}</body></html>`);
const graph =
  '<meta property="og:title" content="Open title"><meta property="og:site_name" content="Open site"><meta property="article:published_time" content="2024-02-03T04:05:06+02:00"><meta property="og:image" content="/open.png">';

it("page metadata prefers JSON-LD to Open Graph to the page", () => {
  const work = {
    "@graph": [
      { "@type": "WebSite", name: "no" },
      {
        "@type": "NewsArticle",
        headline: "Its &amp; headline",
        author: [{ name: "A. Keeper" }, { name: "B. Keeper" }],
        datePublished: "2024-01-02",
      },
    ],
  };
  expect(about("", graph + ld(work))).toMatchObject({
    title: "Its & headline",
    author: "A. Keeper, B. Keeper",
    siteName: "Open site",
    publishedAt: "2024-01-02T00:00:00.000Z",
    thumbnailUrl: "https://example.com/open.png",
    language: "en",
  });
  expect(about("", graph)).toMatchObject({ title: "Open title", publishedAt: "2024-02-03T02:05:06.000Z" });
  expect(clean(article(""))).toMatchObject({ title: "Lens", publishedAt: null, author: null, siteName: null });
});

it("page metadata has the next source's date if one is invalid", () => {
  expect(clean(article("", graph + ld({ "@type": "Article", datePublished: "0000-00-00" }))).publishedAt).toBe("2024-02-03T02:05:06.000Z");
});

it.each([
  [
    "microdata",
    '<span itemprop="author" itemscope><a href="/u">Ada Keeper</a> <b itemprop="name">Ada Keeper</b> 135k points</span>',
    "Ada Keeper",
  ],
  ["a link to the author", '<a rel="author" href="/ada">Ada Keeper</a>', "Ada Keeper"],
  ["an element's name", '<div class="post-author">Posted by Ada Keeper on May 3, 2024</div>', "Ada Keeper"],
  ["a line under the heading", "<p>By Ada Keeper | 4 min read</p>", "Ada Keeper"],
  ["a byline in Arabic", '<div class="author">بقلم سلمى العلوي</div>', "سلمى العلوي"],
  ["a byline in Japanese", '<span class="author">記者・佐藤美咲</span>', "佐藤美咲"],
  ["an infobox", '<table class="infobox vcard"><tr><th>Fastnet Lighthouse</th></tr></table>', null],
  ["a technical account", '<a rel="author" href="/admin">admin</a>', null],
  ["an address", '<a rel="author" href="/">https://example.com/ada</a>', null],
  ["a date", '<span class="author">3 May 2024</span>', null],
  ["the author of a comment", '<div class="comments"><span class="author">Ada Keeper</span></div>', null],
])("page metadata has the author of %s", (_name, html, expected) => {
  expect(about(`<h1>Lamps of the coast</h1>${html}`).author).toBe(expected);
});

it("page metadata names the site as the author only if no source names another", () => {
  const head = `<meta property="og:site_name" content="Open site">${ld({ "@type": "Article", author: { name: "Open site" } })}`;
  expect(about("", head).author).toBe("Open site");
  expect(about('<a rel="author" href="/ada">Ada Keeper</a>', head).author).toBe("Ada Keeper");
});

it("page metadata has the author that JSON-LD refers to", () => {
  const graph = {
    "@graph": [
      { "@type": "Article", author: { "@id": "#ada" } },
      { "@type": "Person", "@id": "#ada", name: "Ada Keeper" },
    ],
  };
  expect(about("", ld(graph)).author).toBe("Ada Keeper");
});

it.each([
  ["microdata", '<span itemprop="datePublished" content="2024-05-03">Friday</span>', "2024-05-03"],
  ["a time element", '<time datetime="2024-05-03T10:00:00Z">Friday</time>', "2024-05-03"],
  ["a time element without a value", "<time>3 de mayo de 2024</time>", "2024-05-03"],
  ["an element's name", '<div class="post-date">03.05.2024</div>', "2024-05-03"],
  ["an abbreviated month", '<div class="post-date">Mar 13, 2024</div>', "2024-03-13"],
  ["a line under the heading", "<p>Published on May 3rd, 2024</p>", "2024-05-03"],
  ["a line, not of other news", "<p>May 3rd, 2024</p><ul><li><time datetime='2024-06-01'>June</time></ul>", "2024-05-03"],
  ["a line above links", "<p>May 3rd, 2024</p><p>Next:</p><p>Lamps of the coast</p>", "2024-05-03"],
  ["the future", '<time datetime="2190-05-03">soon</time>', undefined],
  ["a comment", '<div class="comments"><time datetime="2024-05-03">Friday</time></div>', undefined],
  ["a sentence", `<p>The lamp went out on May 3, 2024, and ${sentence.repeat(3)}</p>`, undefined],
])("page metadata has the date of %s", (_name, html, expected) => {
  expect(about(`<h1>Lamps of the coast</h1>${html}`).publishedAt?.slice(0, 10)).toBe(expected);
});

it("page metadata keeps the time of day of a date at the heading", () => {
  const line = '<h1>Lamps of the coast</h1><p>By Ada Keeper, <time datetime="2024-05-03T10:00:00Z">May 3, 2024</time></p>';
  expect(about(`<time datetime="2024-06-01T08:00:00Z">June</time>${line}`).publishedAt).toBe("2024-05-03T10:00:00.000Z");
});

it("page metadata is read from JSON-LD of any shape", () => {
  let deep: unknown = { "@type": "Article", headline: "Deep" };
  for (let level = 0; level < 200; level++) deep = { "@graph": [deep] };
  const odd = [null, 7, { "@type": "Article", headline: { a: 1 }, author: [[], 3, { name: {} }], datePublished: ["x"] }];
  expect(about("<h1>Lamps of the coast</h1>", ld(deep) + ld(odd))).toMatchObject({
    title: "Lamps of the coast",
    author: null,
    publishedAt: null,
  });
});

it("page metadata accepts absolute http addresses only", () => {
  const head = '<link rel="canonical" href="/canon"><meta property="og:image" content="javascript:alert(1)">';
  expect(clean(article("", head))).toMatchObject({ canonicalUrl: "https://example.com/canon", thumbnailUrl: null });
});

it.each([
  ['<meta property="og:image" content="/lens.png"><meta name="twitter:image" content="/other.png">', "https://example.com/lens.png"],
  ['<meta property="og:image:url" content="//cdn.example/lens.png">', "https://cdn.example/lens.png"],
  ['<meta name="twitter:image" content="lens.png">', "https://example.com/blog/lens.png"],
  ['<meta name="twitter:image:src" content="https://cdn.example/lens.png">', "https://cdn.example/lens.png"],
  [
    '<meta property="og:image" content="data:image/png;base64,AA"><meta name="twitter:image" content="/lens.png">',
    "https://example.com/lens.png",
  ],
])("a page has a picture from %s", (head, expected) => {
  expect(clean(article("", head)).thumbnailUrl).toBe(expected);
});

it.each([
  ["2024-05-01", "2024-05-01T00:00:00.000Z"],
  ["2024-05-01T10:00:00+0200", "2024-05-01T08:00:00.000Z"],
  ["May 1st, 2024", "2024-05-01T00:00:00.000Z"],
  ["Wed, 01 May 2024 10:00:00 GMT", "2024-05-01T10:00:00.000Z"],
  ["1714557600", "2024-05-01T10:00:00.000Z"],
  ["2024-02-31", null],
  ["yesterday", null],
  ["99999-01-01", null],
  ["", null],
])("the date %s of a page is read as %s", (written, expected) => {
  expect(toIsoDate(written)).toBe(expected);
});

it("a page has a title of one line with at most 500 code points", () => {
  expect(normaliseTitle("  a\n b ")).toBe("a b");
  expect([...(normaliseTitle("😀".repeat(600)) ?? "")].length).toBe(500);
  expect(normaliseTitle(" \n ")).toBeNull();
});

it("page metadata counts words, and characters of scripts without spaces", () => {
  expect(countWords("Two words")).toBe(2);
  expect(countWords("商標")).toBe(2);
  expect(truncateText("a😀b", 2)).toEqual({ text: "a😀", truncated: true });
});

const codes = (html: string): readonly string[] => clean(html).warnings.map((one) => one.code);

it("warnings do not speak of a few words if there are none", () => expect(codes("<title>A</title><p></p>")).not.toContain("thin_content"));

it.each([
  ["thin_content", "<title>A</title><p>Only a few words</p>"],
  ["soft_404", "<title>Page not found</title><p>Sorry, there is nothing here. Go to our start page.</p>"],
  ["login_wall", "<title>Site</title><form><p>Log in to continue</p><input type=password></form>"],
  ["paywall", "<title>Story</title><p>The first words of it. Subscribe to continue reading this story.</p>"],
  ["javascript_required", "<title>App</title><noscript>x</noscript><p>You need to enable JavaScript to run this app.</p>"],
  ["cookie_wall", "<title>Site</title><p>We and our partners use cookies. Accept all cookies or leave.</p>"],
])("a warning reports a %s page", (code, html) => {
  expect(codes(html)).toContain(code);
});

it("a hidden form asks nobody to log in", () => {
  const form = '<form style="display: none"><p>Log in</p><input type="password"></form>';
  expect(codes(`<title>Site</title><p>Open from nine to five, and on Sundays from ten to twelve.</p>${form}`)).not.toContain("login_wall");
});

it("a list of cards beside a few words is read whole, without a warning", () => {
  const card = (n: number) =>
    `<div class="card"><h3><a href="/${n}">Lamp ${n}</a></h3><p>Number ${n} burned oil until the harbour had gas in ${1900 + n}.</p></div>`;
  const page = clean(
    `<title>Lamps</title><body><p>All of our lamps, with their years, and who kept them burning.</p>${Array.from({ length: 30 }, (_, n) => card(n)).join("")}</body>`,
  );
  expect(page.text).toContain("Number 29 burned oil");
  expect(page.warnings).toEqual([]);
});

it("warnings are not given for a page with enough text, whatever its footer", () => {
  expect(codes(article("<p>Please log in to leave a comment.</p>"))).toEqual([]);
});

it("page metadata has no author of the theme's name", () => {
  const page = `<html class="writer-html5" lang="en"><head></head><body class="author-box"><h1>Lamps of the coast</h1>${body}</body></html>`;
  expect(clean(page).author).toBeNull();
});

it("page metadata has the day of a job, and not that of an event", () => {
  expect(about("", ld({ "@type": "JobPosting", title: "Keeper", datePosted: "2024-05-03" })).publishedAt).toBe("2024-05-03T00:00:00.000Z");
  const event = ld({ "@type": "MusicEvent", name: "Horns", startDate: "2024-05-03T19:30:00-07:00" });
  expect(about("<h1>Horns</h1><p>Friday, May 3, 2024, 7:30 pm</p>", event).publishedAt).toBeNull();
});

it("page metadata of a list has no author and date of its items", () => {
  const item = (name: string, day: string): string =>
    `<li class="review"><p class="review-author">By ${name}</p><time datetime="${day}">${day}</time><p>${sentence}</p></li>`;
  const html = `<html><head><title>Lens</title></head><body><h1>Lens</h1>${body}<ol>${item("Ada", "2024-05-03")}${item("Ben", "2024-05-04")}</ol></body></html>`;
  const read = (type: PageType) => {
    const model: Model = ({ blocks }) => ({ types: onlyType(type), titleAt: 0, probabilities: new Float32Array(blocks.length).fill(0.9) });
    return cleanPage({ html, url }, model);
  };
  expect(read("article")).toMatchObject({ author: "Ada", publishedAt: "2024-05-03T00:00:00.000Z" });
  expect(read("product")).toMatchObject({ title: "Lens", author: null, publishedAt: null });
});
