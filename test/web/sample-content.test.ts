import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { toSlug } from "#domain/core/slug.ts";
import { renderReport, REPORT_FILE } from "../../scripts/sample/annual-report.ts";
import { SAMPLE_NAME, SAMPLE_QUESTIONS, SAMPLE_TILE_COUNT, SAMPLE_ZONES } from "../../web/src/sample/content.ts";
import { isSampleBoard } from "../../web/src/sample/sample-memory.ts";

const FILES = new URL("../../web/src/sample/files/", import.meta.url);
const tiles = SAMPLE_ZONES.flatMap((zone) => zone.tiles);

test("the sample has ten tiles in three zones, each with a file and a title of its own, and three questions", () => {
  expect(SAMPLE_TILE_COUNT).toBe(10);
  expect(SAMPLE_ZONES).toHaveLength(3);
  expect(SAMPLE_QUESTIONS).toHaveLength(3);
  expect(new Set(tiles.map(({ title }) => title)).size).toBe(10);
  expect(tiles.map(({ file }) => file).sort()).toEqual(readdirSync(FILES).sort());
});

test("the sample has notes, articles and a PDF, and names no other server", () => {
  expect(new Set(tiles.map(({ file }) => file.split(".")[1]))).toEqual(new Set(["txt", "html", "pdf"]));
  for (const { file } of tiles) expect(readFileSync(new URL(file, FILES), "latin1")).not.toMatch(/https?:|src=|<script|<img/);
});

test("the PDF is the one that npm run sample writes", () => {
  expect(readFileSync(REPORT_FILE).equals(renderReport())).toBe(true);
});

test("a sample board is recognised by its slug, the second one too, and no other board", () => {
  expect(isSampleBoard({ slug: toSlug(SAMPLE_NAME) })).toBe(true);
  expect(isSampleBoard({ slug: `${toSlug(SAMPLE_NAME)}-2` })).toBe(true);
  expect(isSampleBoard({ slug: "sample" })).toBe(false);
  expect(isSampleBoard({ slug: "sample-fernhill-observatory-notes" })).toBe(false);
  expect(isSampleBoard(undefined)).toBe(false);
});
