import { expect, it } from "vitest";
import { parsePage } from "#ingest/clean/dom.ts";
import { outlinePage } from "#ingest/clean/model/outline.ts";
import { selectBlocks } from "#ingest/clean/model/select.ts";

const sentence = "The lens bends the light, and the keeper of the lighthouse turns it through the night.";

/** Selects blocks of a page, given their probabilities in order, and returns their texts. */
function select(body: string, probabilities: readonly number[]): readonly string[] {
  const { outline } = outlinePage(parsePage(`<html><head></head><body>${body}</body></html>`).body);
  expect(probabilities).toHaveLength(outline.blocks.length);
  const kept = selectBlocks(outline, Float32Array.from(probabilities));
  return outline.blocks.map(({ text }) => text).filter((_, at) => kept[at] === 1);
}

it("lines of sites are content inside cells and code, also in paragraphs of these", () => {
  expect(select(`<p>${sentence}</p><p>Advertisement</p>`, [0.9, 0.9])).toEqual([sentence]);
  expect(select("<table><tr><td><p>Advertisement</p></td><td>12</td></tr></table>", [0.9, 0.9])).toEqual(["Advertisement", "12"]);
  expect(select("<dl><dt>Section</dt><dd><div><p>Advertisement</p></div></dd></dl>", [0.9, 0.9])).toEqual(["Section", "Advertisement"]);
  expect(select("<pre><div>Sign in</div><div>Loading content</div></pre>", [0.9, 0.9])).toEqual(["Sign in", "Loading content"]);
});

it("lines of sites are removed from a cell that holds a part of the page", () => {
  const cell = `<p>${sentence}</p>`.repeat(4);
  expect(select(`<table><tr><td>${cell}<p>Advertisement</p></td></tr></table>`, [0.9, 0.9, 0.9, 0.9, 0.9])).not.toContain("Advertisement");
});
