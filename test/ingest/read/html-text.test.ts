import { expect, it } from "vitest";
import { decodeEntities, htmlToText } from "#ingest/read/markup/html-text.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";

it("the text of an HTML fragment keeps lines, paragraphs and lists, and drops tags, scripts and entities", () => {
  expect(htmlToText("<p>One &amp; two<br>three</p><p>Four</p><ul><li>a</li><li>b</li></ul><script>no()</script>")).toBe(
    "One & two\nthree\n\nFour\n\n- a\n- b",
  );
  expect(decodeEntities("a &lt; b <c")).toBe("a < b <c");
});

it("the text of an HTML fragment takes time proportional to the length, however it is nested", () => {
  for (const html of [
    `${"<b>".repeat(200_000)}words${"</i>".repeat(200_000)}`,
    `${"<div>".repeat(200_000)}words`,
    "<".repeat(500_000),
    "<b ".repeat(200_000),
    `${"<div></x>".repeat(110_000)}words`,
    "<b><!--</b>-->".repeat(60_000) + "</x>".repeat(100_000),
    `${"<b>".repeat(300)}<br>words${"</b>".repeat(300)}`,
  ]) {
    let text = "";
    expect(measureCpuMs(() => (text = htmlToText(html)))).toBeLessThan(5_000);
    if (html.includes("words")) expect(text).toBe("words");
  }
});
