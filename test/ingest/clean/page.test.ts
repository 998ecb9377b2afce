import { describe, expect, it } from "vitest";
import { toIsoDate } from "#ingest/clean/dates.ts";
import { measurePage } from "#ingest/clean/measure/measure.ts";
import { cleanPage } from "#ingest/clean/page.ts";
import { truncateText, countWords, normaliseTitle } from "#ingest/clean/text.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";

const url = "https://example.com/blog/lens";
const sentence = "The lens bends the light, and the keeper of the lighthouse turns it through the night, whatever the weather. ";
const body = `<p>${sentence.repeat(3)}</p><p>${sentence.repeat(4)}</p>`;
const article = (inside: string, head = ""): string =>
  `<html lang="en"><head><title>Lens</title>${head}</head><body><nav><a href="/">Home</a></nav><article><h1>Lens</h1>${body}${inside}${body}</article><footer>Imprint</footer></body></html>`;
const clean = (html: string) => cleanPage({ html, url });

describe("text of a page", () => {
  it("the text of a page is empty for markup only, such as a truncated tag", () => {
    expect(cleanPage({ html: "<html><title>Odd</title><body><div><div><", url: "https://a.example/" }).text).toBe("");
    expect(cleanPage({ html: "<html><body><p>🎉</p></body></html>", url: "https://a.example/" }).text).toBe("🎉");
  });

  it("the text of a page keeps headings, lists, quotes, code and tables as light Markdown", () => {
    const { text } = clean(
      article(`<h2>How it works</h2><ul><li>First thing<ol><li>inner one</li><li>inner two</li></ol></li><li>Second thing</li></ul>
        <blockquote><p>Light is everything.</p></blockquote><pre><code>let a = 1;\n  let b = 2;</code></pre>
        <table><tr><th>Name</th><th>Metres</th></tr><tr><td>North</td><td>40</td></tr></table>`),
    );
    expect(text).toContain("## How it works");
    expect(text).toContain("- First thing\n  1. inner one\n  2. inner two\n- Second thing");
    expect(text).toContain("> Light is everything.");
    expect(text).toContain("```\nlet a = 1;\n  let b = 2;\n```");
    expect(text).toContain("| Name | Metres |\n| --- | --- |\n| North | 40 |");
  });

  it("the text of a page has no link targets, pictures or emphasis", () => {
    const { text } = clean(
      article(
        '<p>See <a href="https://secret.example/x">the <b>manual</b></a>, which has plenty to say. <img src="a.png" alt="A picture"></p>',
      ),
    );
    expect(text).toContain("See the manual, which");
    expect(text).not.toMatch(/secret|A picture|a\.png/);
  });

  it("the text of a page excludes menus, footers, sharing lines, asides and a repeated title, and keeps captions", () => {
    const { text } = clean(
      article(
        "<figure><img src=x><figcaption>Caption words</figcaption></figure><p>Share this article</p><p>Advertisement</p><aside>Elsewhere</aside>",
      ),
    );
    expect(text).not.toMatch(/Home|Imprint|Share this|Advertisement|# Lens/);
    expect(text).toContain("Caption words");
  });

  it("the text of a page is what readers without scripts see, if the rest of the page is a frame", () => {
    const post = (author: string, text: string): string =>
      `<div class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator"><a href="/u/x">${author}</a></span></div><div class="post" itemprop="text"><p>${text}</p></div></div>`;
    const posts = [post("ada", `Which oil does the lens need? ${sentence}`), post("ben", `Whale oil, since 1887. ${sentence}`)].join("");
    const state = `<div class="hidden" id="data-preloaded" data-preloaded="${"&quot;x&quot;".repeat(500)}"></div><script>${"var state = 1;".repeat(500)}</script>`;
    const page = `<html lang="en"><head><title>Oil for the lens - Keepers</title></head><body>${state}<section id="main"></section><noscript data-path="/t/1"><header><a href="/">Keepers</a></header><div id="main-outlet" class="wrap"><h1>Oil for the lens</h1>${posts}</div><footer><p>Powered by Discourse, best viewed with JavaScript enabled</p></footer></noscript><div>Log in or register to reply.</div></body></html>`;
    const { text, warnings } = clean(page);
    expect(text).toContain("Which oil does the lens need?");
    expect(text).toContain("Whale oil, since 1887.");
    expect(warnings).toEqual([]);
  });

  it("a short page that was read whole has no warning, and a few words beside a long menu have one", () => {
    const short = `<h1>Tides</h1><p>High water is at noon today, and low water follows six hours later.</p><table><tr><th>Day</th><th>High</th></tr><tr><td>Monday</td><td>12:10</td></tr></table>`;
    expect(clean(`<body>${short}<a href="/login">Log in to your account</a></body>`).warnings).toEqual([]);
    const menu = Array.from({ length: 60 }, (_, n) => `<li><a href="/${n}">Harbour number ${n}</a></li>`).join("");
    expect(clean(`<body><div class="menu"><ul>${menu}</ul></div>${short}</body>`).warnings.map(({ code }) => code)).toEqual([
      "thin_content",
    ]);
  });

  it("the text of a page excludes what readers without scripts see beside an article", () => {
    const fallback = `<p>Switch JavaScript on to see the harbour. ${sentence.repeat(4)}</p>`;
    expect(clean(article(`<noscript>${fallback}</noscript>`)).text).not.toContain("Switch JavaScript on");
    expect(clean(article(`<noscript>${body}</noscript>`)).text).toBe(clean(article("")).text);
    expect(clean("<body><p>A note.</p><noscript>You need to enable JavaScript to run this app.</noscript></body>").text).toBe("A note.");
  });

  it("the text of a page excludes short blocks of links, and keeps lists that contain a link", () => {
    const { text } = clean(
      article(
        '<div><a href="/1">Another story</a> <a href="/2">Yet another story</a></div><ul><li><a href="/d">Docs</a></li><li>A long point about glass and brass that has no link in it</li></ul>',
      ),
    );
    expect(text).not.toContain("Another story");
    expect(text).toContain("- Docs");
  });

  it("the text of a page is extracted from a form that contains the whole page", () => {
    expect(clean(`<body><form><article>${body}</article></form></body>`).text).toContain("The lens bends");
  });

  it("the text of a page is the whole body if no article is detected", () => {
    expect(clean("<p>hello there</p>").text).toBe("hello there");
  });

  it("the text of a page has no NUL and no lone surrogate", () => {
    expect(clean("<p>a\u0000b \uD800 c</p>").text).toBe("ab \uFFFD c");
  });

  it("the text of a page is truncated at a million code points with a warning", () => {
    const cleaned = clean(`<p>${"😀".repeat(1_000_001)}</p>`);
    expect([...cleaned.text].length).toBe(1_000_000);
    expect(cleaned.warnings.map((one) => one.code)).toContain("truncated");
  });
});

describe("hostile pages", () => {
  const pages: readonly (readonly [string, string, string])[] = [
    ["2,000 nested divs", `${"<div>".repeat(2_000)}deep words`, "deep words"],
    ["1,000,000 nested divs", `${"<div>".repeat(1_000_000)}deep words`, "deep words"],
    ["26,000 paragraphs", "<p>A paragraph.</p>".repeat(26_000), "A paragraph."],
    ["a megabyte of links", '<a href="https://example.com/aaaaaaaaaaaaa">link text</a> '.repeat(17_000), "link text"],
    ["a long list of links", `<ul>${'<li><a href="/a">link text</a></li>'.repeat(9_000)}</ul>`, "link text"],
    ["50 MB in one line", "word ".repeat(10_000_000), "word word"],
    ["a megabyte of open brackets", "<".repeat(1_000_000), ""],
    ["many spans", `<p>${"<span>word, </span>".repeat(9_000)}</p>`, "word,"],
  ];
  it.each(pages)("hostile pages are parsed in bounded time: %s", { timeout: 300_000 }, (_name, html, expected) => {
    expect(measureCpuMs(() => expect(clean(html).text).toContain(expected))).toBeLessThan(20_000);
  });

  it("hostile pages are measured without a tree", () => {
    expect(measurePage("<div><p>a<br>b</p></div>")).toMatchObject({ elements: 3, depth: 2 });
    expect(measurePage("<div>".repeat(5_000)).depth).toBe(5_000);
  });

  it("hostile pages never make the reader throw", () => {
    for (const html of [
      "",
      "<",
      "<html>",
      "<frameset><frame>",
      "<!--",
      "<![CDATA[x",
      '<script type="application/ld+json">{"@graph":[[[{',
      "<table><tr><td>",
    ]) {
      expect(() => clean(html)).not.toThrow();
    }
  });
});

describe("metadata of a page", () => {
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
    expect(clean(article("", graph + ld({ "@type": "Article", datePublished: "0000-00-00" }))).publishedAt).toBe(
      "2024-02-03T02:05:06.000Z",
    );
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
});

it("a page with megabytes of data in a script is parsed normally, without its menus", () => {
  const menu = `<nav>${'<a href="/x">Menu entry</a> '.repeat(30)}</nav><div class="related">${'<a href="/y">Related story</a> '.repeat(30)}</div>`;
  const words =
    "<p>The harbour gate opens at six, and the keeper of the old light walks down to it with his dog every single morning.</p>".repeat(8);
  const page = (script: string) =>
    `<html><body>${menu}<script>${script}</script><article><h2>Gate times</h2>${words}</article></body></html>`;
  const { text } = clean(page("x".repeat(500_000)));
  expect(text).toBe(clean(page("")).text);
  expect(text).not.toContain("Related story");
});

describe("warnings about a page", () => {
  const codes = (html: string): readonly string[] => clean(html).warnings.map((one) => one.code);

  it("warnings do not speak of a few words if there are none", () =>
    expect(codes("<title>A</title><p></p>")).not.toContain("thin_content"));

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
});
