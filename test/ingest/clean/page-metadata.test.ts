import { expect, it } from "vitest";
import { toIsoDate } from "#ingest/clean/dates.ts";
import { truncateText, countWords, normaliseTitle } from "#ingest/clean/text.ts";
import { article, clean } from "./page-samples.ts";

const ld = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
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
  expect(clean(article("", graph + ld(work)))).toMatchObject({
    title: "Its & headline",
    author: "A. Keeper, B. Keeper",
    siteName: "Open site",
    publishedAt: "2024-01-02T00:00:00.000Z",
    thumbnailUrl: "https://example.com/open.png",
    language: "en",
  });
  expect(clean(article("", graph))).toMatchObject({ title: "Open title", publishedAt: "2024-02-03T02:05:06.000Z" });
  expect(clean(article(""))).toMatchObject({ title: "Lens", publishedAt: null, author: null, siteName: null });
});

it("page metadata has the next source's date if one is invalid", () => {
  expect(clean(article("", graph + ld({ "@type": "Article", datePublished: "0000-00-00" }))).publishedAt).toBe("2024-02-03T02:05:06.000Z");
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

it("warnings are not given for a page with enough text, whatever its footer", () => {
  expect(codes(article("<p>Please log in to leave a comment.</p>"))).toEqual([]);
});
