import { describe, expect, it } from "vitest";
import { parsePage } from "#ingest/clean/dom.ts";
import { toMarkdown } from "#ingest/clean/markdown.ts";

const convert = (html: string): string => toMarkdown(parsePage(`<html><head></head><body>${html}</body></html>`).body);
const fence = (language: string, ...lines: readonly string[]): string => ["```" + language, ...lines, "```"].join("\n");
const lines = "light(lamp);\n\n  turn(lens);";
const lamp = fence("js", "light(lamp);", "", "  turn(lens);");

describe("code", () => {
  it.each([
    ["class language- of code", `<pre><code class="language-js">${lines}\n</code></pre>`],
    ["class lang- of pre", `<pre class="prettyprint lang-js">${lines}</pre>`],
    ["a wrapper of GitHub", `<div class="highlight highlight-source-js"><pre>${lines}</pre></div>`],
    ["a wrapper of Sphinx", `<div class="highlight-js notranslate"><div class="highlight"><pre><span></span>${lines}</pre></div></div>`],
    ["data-lang", `<pre data-lang="js">${lines}</pre>`],
    ["highlight.js", `<pre><code class="hljs js">${lines}</code></pre>`],
    ["SyntaxHighlighter", `<pre class="brush: js; toolbar: false">${lines}</pre>`],
    ["code around pre", `<code class="language-js"><pre>${lines}</pre></code>`],
  ])("has its language from %s", (_name, html) => expect(convert(html)).toBe(lamp));

  it.each(["none", "plaintext", "en", "a b`c"])("has no language from the class language-%s", (name) => {
    expect(convert(`<pre><code class="language-${name}">x = 1</code></pre>`)).toMatch(/^```(?:a)?\nx = 1\n```$/);
  });
});

describe("lines of code", () => {
  const inLines = (open: string, close: string, between = ""): string =>
    ["light(lamp);", "", "  turn(lens);"].map((line) => open + (line === "" ? "\n" : line) + close).join(between);
  it.each([
    ["div", `<pre class="lang-js">${inLines("<div>", "</div>")}</pre>`],
    ["br", `<pre class="lang-js">light(lamp);<br><br>  turn(lens);<br></pre>`],
    ["div with br", `<pre class="lang-js"><div>light(lamp);</div><div><br></div><div>  turn(lens);</div></pre>`],
    [
      "span.line and line breaks",
      `<pre class="lang-js"><span class="line">light(lamp);</span>\n<span class="line"></span>\n<span class="line">  turn(lens);</span></pre>`,
    ],
    ["span.line alone", `<pre class="lang-js">${inLines('<span class="line">', "</span>")}</pre>`],
    ["data-line", `<pre class="lang-js">${inLines("<span data-line>", "</span>")}</pre>`],
    ["a list", `<pre class="lang-js"><ol class="linenums">\n ${inLines("<li>", "</li>", "\n ")}</ol></pre>`],
  ])("has a line for each %s", (_name, html) => expect(convert(html)).toBe(lamp));
});

describe("highlighted code", () => {
  const numbered = (open: string, close: string): string =>
    ["light(lamp);", "", "  turn(lens);"].map((line, at) => `${open}${at + 1}${close}${line}\n`).join("");
  it.each([
    ["spans", `<pre class="lang-js line-numbers">${numbered('<span class="line-number">', "</span>")}</pre>`],
    ["spans that cannot be selected", `<pre class="lang-js">${numbered('<span style="user-select:none"> ', "</span>")}</pre>`],
    [
      "a table in code",
      `<div class="language-js"><code><table><tbody>\n<tr><td class="gutter"><pre class="lineno">1\n2\n3\n</pre></td>\n<td><pre>${lines}\n</pre></td></tr></tbody></table></code></div>`,
    ],
    [
      "a table",
      `<table class="lntable"><tr><td class="lntd">\n<pre><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td>\n<td class="lntd"><pre><code class="language-js">${lines}</code></pre></td></tr></table>`,
    ],
    [
      "a table with a row for each line",
      `<div class="highlight-source-js"><table>${["light(lamp);", "\n", "  turn(lens);"].map((line, at) => `<tr>\n<td class="blob-num" data-line-number="${at + 1}"></td>\n<td class="blob-code">${line}</td>\n</tr>`).join("")}</table></div>`,
    ],
    [
      "a button and a toolbar",
      `<pre class="lang-js"><div class="code-header"><span>js</span></div><button>Copy</button>${lines}<span class="copy-button">Copy code</span></pre>`,
    ],
  ])("has no line numbers or controls from %s", (_name, html) => expect(convert(html)).toBe(lamp));

  it("keeps numbers and words that are code", () => {
    expect(convert('<pre class="line-numbers">1\n2</pre>')).toBe(fence("", "1", "2"));
    expect(convert('<pre><code class="copyable"><span class="number">1</span>, <span class="token header">copy</span></code></pre>')).toBe(
      fence("", "1, copy"),
    );
    expect(convert('<table><tr><td class="gutter">x</td><td>A long text.</td></tr></table>')).toBe("x\n\nA long text.");
  });

  it("in a sentence stays in its line", () => {
    expect(convert("<p>Call <code>light\n(lamp)</code> or<br><code>a<br>b</code>, or <tt>c</tt>.</p>")).toBe(
      "Call `light (lamp)` or\n`a`\n`b`, or `c`.",
    );
  });
});

describe("lists", () => {
  it.each([
    ["start at their number", '<ol start="0"><li>a<li value="7">b<li>c</ol>', "0. a\n7. b\n8. c"],
    ["may be nested", "<ul><li>a<ol><li>b<ul><li>c</ul></ol></ul>", "- a\n  1. b\n     - c"],
    ["may be nested without an item", "<ul><li>a</li><ol><li>b</li></ol></ul>", "- a\n  1. b"],
    ["have no empty items", "<ul><li> </li><li><br></li><li>a</li></ul><li></li>", "- a"],
    ["have one mark for each item", "<ul><div><li>a</li><li>b</li></div><li><ul><li>c</li></ul></li></ul>", "- a\n- b\n- c"],
    [
      "keep code and quotes in items",
      "<ul><li>a<pre>b\n c</pre></li><li><blockquote>d</blockquote></li></ul>",
      "- a\n  ```\n  b\n   c\n  ```\n- > d",
    ],
    ["may be definitions", "<dl><dt>Lens</dt><dd>Bends light</dd></dl>", "Lens\n\nBends light"],
  ])("%s", (_name, html, expected) => expect(convert(html)).toBe(expected));
});

describe("tables", () => {
  const row = (...cells: readonly string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  const long = `<p>${"A long text. ".repeat(30)}</p>`;
  it.each([
    [
      "may have lists in cells",
      row("Lamp", "- 3 %") + row("North", "<ul><li>red<li>a|b</ul>") + row("South", "Of:<ul><li>red<li>green</ul>"),
      "| Lamp | - 3 % |\n| North | red; a\\|b |\n| South | Of: red; green |",
    ],
    ["may have paragraphs in cells", row("North", "<p>red</p><p>green</p>") + row("South", "x"), "| North | red green |\n| South | x |"],
    ["with long texts are layout", row("North", `${long}<ul><li>red</ul>`) + row("South", "x"), "A long text.\n\n- red\n\nSouth"],
    ["for layout keep their caption", `<caption>Lamps</caption>${row("North")}${row("South")}`, "Lamps\n\nNorth\n\nSouth"],
  ])("%s", (_name, rows, expected) => expect(convert(`<table>${rows}</table>`)).toContain(expected));
});

it.each([
  ["line breaks leave at most one blank line", "<p>a<br>b<br><br><br>c</p>", "a\nb\n\nc"],
  ["quotes may be nested", "<blockquote><p>a</p><blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"],
  ["captions are paragraphs", "<figure><img src=a alt=b><figcaption>The <b>tower</b></figcaption></figure>x", "The tower\n\nx"],
  ["links are their text", '<p>See <a href="https://example.com/a">the tower</a>.</p>', "See the tower."],
  [
    "headings may be of any element",
    '<div role="heading" aria-level="3"><h2>Tower</h2></div><p role="heading">Lamp</p>',
    "### Tower\n\n## Lamp",
  ],
  ["numbers of footnotes are apart from words", '<p>released<sup><a href="#n2">2</a></sup>, 10<sup>6</sup></p>', "released[2], 106"],
  [
    "numbers of footnotes need no sup",
    '<p>It was dark.<a href="#n2">2</a> See page <a href="#p3">3</a>.</p>',
    "It was dark.[2] See page 3.",
  ],
  [
    "the author of a quote in a forum has a line",
    "<blockquote><div><cite>ada wrote:</cite>Oil?</div></blockquote><blockquote><p><cite>The Lamp</cite> is old</p></blockquote>",
    "> ada wrote:\n>\n> Oil?\n\n> The Lamp is old",
  ],
  [
    "elements of a row are apart, but for brackets, marks and prices",
    "<p><b>read</b><b>(</b><b>n</b></p><p><b>lamps</b><b>=</b><b>10</b><b>)</b></p><p><b>$</b><b>74.</b><b>99</b><b>each</b></p>",
    "read (n\n\nlamps=10)\n\n$74.99 each",
  ],
])("%s", (_name, html, expected) => expect(convert(html)).toBe(expected));
