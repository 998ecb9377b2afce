import { expect, it } from "vitest";
import { measurePage } from "#ingest/clean/measure/measure.ts";
import { cleanPage } from "#ingest/clean/page.ts";
import { onlyType } from "#ingest/clean/type/page-type.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";
import { article, body, clean, sentence } from "./page-samples.ts";

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
  expect(text).not.toMatch(/Home|Imprint|Share this|Advertisement/);
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

it("a short page that was read whole has no warning, and a page of a few words has one", () => {
  const short = `<h1>Tides</h1><p>High water is at noon today, and low water follows six hours later.</p><table><tr><th>Day</th><th>High</th></tr><tr><td>Monday</td><td>12:10</td></tr></table>`;
  expect(clean(`<body>${short}<a href="/login">Log in to your account</a></body>`).warnings).toEqual([]);
  expect(clean(`<body><div id="app"><p>Harbour board</p></div></body>`).warnings.map(({ code }) => code)).toEqual(["thin_content"]);
});

it("the text of a page excludes what readers without scripts see beside an article", () => {
  const fallback = `<p>Switch JavaScript on to see the harbour. ${sentence.repeat(4)}</p>`;
  expect(clean(article(`<noscript>${fallback}</noscript>`)).text).not.toContain("Switch JavaScript on");
  expect(clean(article(`<noscript>${body}</noscript>`)).text).toBe(clean(article("")).text);
  expect(clean("<body><p>A note.</p><noscript>You need to enable JavaScript to run this app.</noscript></body>").text).toBe("A note.");
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

it("the text of a page has no marks of links to a heading and back from a footnote", () => {
  const notes = `<h2>Oil <a href="#oil">#</a></h2><p>Whale ${sentence}</p><ol><li>Since 1887, when the tower was built. <a href="#n1">↩︎</a></li></ol>`;
  expect(clean(article(notes)).text).toMatch(/## Oil\n\n[^]*\n\n1\. Since 1887, when the tower was built\.$/);
});

it("the text and title of a page have no soft hyphens and other marks about line breaks", () => {
  const linked = '<script type="application/ld+json">{"@type":"Article","headline":"Leucht\\u00adturm an der Elbe"}</script>';
  const inside = `<p>Der Leucht&shy;turm\u00adwärter: ${sentence}</p><h2>Öl&#8203;</h2><p>&#xfeff;Whale ${sentence}</p>`;
  const { text, title } = clean(`<html><head>${linked}</head><body>${body}${inside}${body}</body></html>`);
  expect(title).toBe("Leuchtturm an der Elbe");
  expect(text).toContain("Der Leuchtturmwärter:");
  expect(text).toContain(`## Öl\n\nWhale ${sentence.trim()}`);
});

it("the text of a page is truncated at a million code points with a warning", () => {
  const cleaned = clean(`<p>${"😀".repeat(1_000_001)}</p>`);
  expect([...cleaned.text].length).toBe(1_000_000);
  expect(cleaned.warnings.map((one) => one.code)).toContain("truncated");
});

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

it("the model is told the types of schema.org at any depth, of lists too", () => {
  const asked: (readonly string[])[] = [];
  const data = '{"@graph":[{"@type":["Product","Thing"],"offers":{"@type" : "Offer"}},{"@type":"x\\"y"},{"@type":[]}]}';
  const html = `<script type="application/ld+json">${data}</script><body><p>${sentence}</p></body>`;
  cleanPage({ html, url: "https://example.com/" }, ({ blocks }, { types }) => {
    asked.push(types);
    return { types: onlyType("product"), titleAt: -1, probabilities: new Float32Array(blocks.length) };
  });
  expect(asked).toEqual([["Product", "Thing", "Offer"]]);
});
