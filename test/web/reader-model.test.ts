import type { Tile } from "@tessera-board/sdk";
import { expect, it } from "vitest";
import { getDetails } from "../../web/src/reader/details.ts";
import { getKindName } from "../../web/src/text/kind-name.ts";
import { groupSegments } from "../../web/src/reader/text/transcript.ts";

const TILE: Tile = {
  id: "til_1",
  boardId: "brd_1",
  zoneId: null,
  type: "YOUTUBE",
  title: "Talk",
  rawContent: "",
  extractedText: "",
  status: "ready",
  sourceUrl: "https://youtu.be/abc",
  metadata: {},
  error: null,
  warnings: [],
  sortOrder: 0,
  externalId: null,
  connectedToChat: null,
  tags: [],
  properties: {},
  sourceId: null,
  hasFile: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

const listDetailNames = (tile: Tile): readonly string[] => getDetails(tile).map(({ name }) => name);

it("tile metadata is formatted, with links to web addresses only", () => {
  const facts = getDetails({
    ...TILE,
    metadata: {
      author: "Ada",
      authorUrl: "javascript:alert(1)",
      subtype: "SHORT_VIDEO",
      durationSeconds: 3_725,
      language: "de",
      canonicalUrl: "https://example.org/a",
      stats: { viewCount: 3 },
    },
  });
  expect(facts).toContainEqual({ name: "Author", value: "Ada" });
  expect(facts).toContainEqual({ name: "Type", value: "Short video" });
  expect(facts).toContainEqual({ name: "Length", value: "1:02:05" });
  expect(facts).toContainEqual({ name: "Language", value: "German" });
  expect(facts).toContainEqual({ name: "View count", value: "3" });
  expect(facts).toContainEqual({ name: "Canonical URL", value: "https://example.org/a", address: "https://example.org/a" });
});

it("tile metadata omits values of unexpected types", () => {
  const metadata = {
    author: 7,
    siteName: {},
    durationSeconds: "long",
    wordCount: Number.NaN,
    stats: ["a"],
    language: "",
    publishedAt: null,
  };
  expect(listDetailNames({ ...TILE, metadata: metadata as never })).toEqual(["Added"]);
  expect(listDetailNames({ ...TILE, metadata: { language: "not a tag", publishedAt: "soon" } })).toEqual([
    "Published",
    "Language",
    "Added",
  ]);
});

const text = "Intro.\n\nFirst words second words\n\nthird words";
const [first, second, third] = [
  { start: 8, end: 19, seconds: 0 },
  { start: 20, end: 32, seconds: 5 },
  { start: 34, end: 45, seconds: 9 },
];

it("transcripts are grouped into sections that end with a paragraph or after some seconds", () => {
  expect(groupSegments(text, [first!, second!, third!])).toEqual([
    { start: 8, end: 34, seconds: 0 },
    { start: 34, end: 45, seconds: 9 },
  ]);
  expect(groupSegments(text, [first!, { ...second!, seconds: 25 }])).toHaveLength(2);
});

it("transcripts have no sections without segments, or with segments that do not fit the text", () => {
  expect(groupSegments(text, undefined)).toEqual([]);
  for (const wrong of [
    { start: 40, end: 99, seconds: 1 },
    { start: 5, end: 5, seconds: 1 },
    { start: 1, end: 3, seconds: Number.NaN },
    { start: Number.NaN, end: 3, seconds: 1 },
  ])
    expect(groupSegments(text, [wrong])).toEqual([]);
  expect(groupSegments(text, [second!, first!])).toEqual([]);
});

it("an unknown kind is named after its code", () => {
  expect(getKindName("YOUTUBE")).toBe("YouTube");
  expect(getKindName("TEXT")).toBe("Text");
  expect(getKindName("HOLO_DECK")).toBe("Holo deck");
});
