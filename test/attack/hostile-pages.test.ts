import { afterAll, expect, test } from "vitest";
import { createPool } from "#ingest/threads/pool.ts";

const SENTENCE = "Words of a sentence that says something of the harbour, and a little more. ";
const never = new AbortController().signal;
const many = (count: number, write: (at: number) => string): string => Array.from({ length: count }, (_, at) => write(at)).join("");
/** A word of letters only for each number, so that it is a name of its own. */
const toWord = (at: number): string => `k${[...String(at)].map((digit) => "abcdefghij"[Number(digit)]).join("")}`;
const toClasses = (at: number): string => many(12, (one) => `${toWord(at * 12 + one)} `);
const toLinkedData = (json: string): string => `<script type="application/ld+json">${json}</script>`;
const toPost = (at: number, inside: string): string =>
  `<div class="post"><b class="author">${toWord(at)}</b><time>1 May 2024</time><div>${inside}${SENTENCE}</div></div>`;

const pages: readonly (readonly [string, string])[] = [
  ["millions of attributes of one element", `<p ${many(1_600_000, (at) => `${at.toString(36)} `)}>word</p>`],
  ["a value of character references", `<meta name="author" content="${"a &amp; ".repeat(1_000_000)}">word`],
  ["a title of blanks", `<title>${"a  ".repeat(2_600_000)}</title>word`],
  ["millions of lines", "a<br>".repeat(1_600_000)],
  ["one line of words", "слово ".repeat(1_300_000)],
  ["megabytes of linked data", many(8, () => toLinkedData(`{"@type":"Article","x":[${"{},".repeat(330_000)}1]}`)) + "word"],
  ["a long name of the site", `<meta property="og:site_name" content="${"ab ".repeat(2_600_000)}">word`],
  ["many short paragraphs", many(19_000, (at) => `<p>w${at} x</p>`)],
  ["many paragraphs of other letters", many(19_900, (at) => `<p>слово ${at} и ${"ещё ".repeat(25)}</p>`)],
  ["many headings", many(9_500, () => "<h1>The harbour</h1><p>x</p>")],
  ["many names", many(19_900, (at) => `<p class="${toClasses(at)}">w ${at}</p>`)],
  ["many attributes", many(19_900, (at) => `<p class="${toWord(at)}" id="${toWord(at)}" title=y>word ${"abc ".repeat(15)}</p>`)],
  ["a table as long as it is wide", `<table><tr>${"<td>a".repeat(9_900)}</tr>${"<tr><td>b</tr>".repeat(5_000)}</table>`],
  [
    "posts whose parts all differ",
    many(1_900, (at) =>
      toPost(
        at,
        many(6, (part) => `<div class="${toClasses(at * 6 + part)}">a word</div>`),
      ),
    ),
  ],
  [
    "posts with many authors",
    many(1_300, (at) =>
      toPost(
        at,
        many(10, (one) => `<b class="author ${toClasses(at * 10 + one)}">ab</b>`),
      ),
    ),
  ],
];

// The limits of the server.
const pool = createPool({ size: 1, timeoutMs: 120_000, memoryMb: 80, fileMemoryMb: 144, maxBuffersMb: 96, idleMs: 1_000 });
afterAll(() => pool.close());

test.each(pages)("the thread that reads a page survives %s", { timeout: 240_000 }, async (_name, html) => {
  const { text } = await pool.reader({ business: "biz_1" }).clean({ html, url: "https://example.com/" }, never);
  expect(text).not.toBe("");
});
