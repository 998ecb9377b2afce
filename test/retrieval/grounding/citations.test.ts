import { expect, test } from "vitest";
import { CitationReader } from "#retrieval/grounding/citations.ts";
import type { NumberedSource } from "#retrieval/grounding/prompt.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";
import { splitInManyWays, source } from "./sources.ts";

const FERRY = source("The harbour ferry departs at 6:40 every morning. Dogs travel free on Sundays.");
const MUSEUM = source("The museum has nine rooms [sic] and a café.", { tileId: "til_2", title: "Museum" });

function read(pieces: readonly string[], sources: readonly NumberedSource[] = [FERRY, MUSEUM]) {
  const reader = new CitationReader(sources);
  const text = pieces.map((piece) => reader.push(piece)).join("") + reader.end();
  return { text, ...reader.result };
}

test("citations turn markers into numbers, with the offsets of the quotes", () => {
  const { text, citations, isNotInSources } = read([
    'It leaves at 6:40. [1: "departs at 6:40 every morning"] The museum is small. [2: "has nine rooms"] Dogs pay nothing [1: "Dogs travel free"], and leave at 6:40 [1: "departs at 6:40 every morning"].',
  ]);
  expect(text).toBe("It leaves at 6:40. [1] The museum is small. [2] Dogs pay nothing [3], and leave at 6:40 [1].");
  expect(citations.map(({ tileId, quote, start, end }) => [tileId, quote, start, end])).toEqual([
    ["til_1", "departs at 6:40 every morning", 18, 47],
    ["til_2", "has nine rooms", 11, 25],
    ["til_1", "Dogs travel free", 49, 65],
  ]);
  expect(isNotInSources).toBe(false);
});

test("citations are parsed in lists, bold text, other languages and other forms of the marker", () => {
  const ferries = [source("Die Fähre fährt um 6:40. 渡轮六点四十分出发。Dogs travel free on Sundays.")];
  const { text } = read(
    [
      '1. **Fähre:** sie fährt um 6:40 [Source 1: "fährt um 6:40"]\n2. Hunde: frei [1: «Dogs travel free»]\n\n- 渡轮六点四十分出发。[1：“渡轮六点四十分出发”]狗免费。[ 1 : "Dogs travel free" ]',
    ],
    ferries,
  );
  expect(text).toBe("1. **Fähre:** sie fährt um 6:40 [1]\n2. Hunde: frei [2]\n\n- 渡轮六点四十分出发。 [3] 狗免费。 [2]");
});

test("citations are no longer looked up after forty unmatched quotes, however long the tile", () => {
  const long = source(`${"Sentence number 5 tells of the tides and the boats of the harbour. ".repeat(14_000)}Dogs travel free.`);
  const lies = (most: number) => Array.from({ length: most }, (_, at) => `Tides [1: "Sentence number 5 tells ${at} goats"].\n`).join("");
  const truth = 'Dogs pay nothing [1: "Dogs travel free"].';
  expect(read([lies(39) + truth], [long]).citations).toHaveLength(1);
  expect(measureCpuMs(() => expect(read([lies(2_000) + truth], [long]).citations).toEqual([]))).toBeLessThan(2_000);
});

test("citations leave other words in brackets unchanged", () => {
  const { text } = read(['Dogs [so they say], sources [sic] and [Sonntag] are free. [1: "Dogs travel free"]']);
  expect(text).toBe("Dogs [so they say], sources [sic] and [Sonntag] are free. [1]");
});

const WHOLE =
  'It leaves at 6:40. [1: "departs at 6:40 every morning"] The museum is large [2: "has ninety rooms"].\n- Nine rooms [2: “nine rooms [sic] and”]\n- Café. [1: "Dogs travel free"; 2: "and a café"] [3] It was built in [1911]. See 12 [a] and [12:30].';
const SHOWN =
  "It leaves at 6:40. [1] The museum is large. [unsupported]\n- Nine rooms [2]\n- Café. [3] [4] It was built in [1911]. [unsupported] See 12 [a] and [12:30]. [unsupported]";

test("citations are the same wherever the answer is split", () => {
  for (const pieces of splitInManyWays(WHOLE)) expect(read(pieces).text).toBe(SHOWN);
});

test("citations in table rows are placed in the last cell, and none in the header", () => {
  const table =
    'The times. [1: "departs at 6:40"]\n\n| What | When |\n| --- | :-: |\n| Ferry | 6:40 | [1: "departs at 6:40"]\n| Dogs [1: "Dogs travel free"] | free |\n| Cats | never |\n\nThat is all there is to say.';
  for (const pieces of splitInManyWays(table))
    expect(read(pieces).text).toBe(
      "The times. [1]\n\n| What | When |\n| --- | :-: |\n| Ferry | 6:40 [1] |\n| Dogs [2] | free |\n| Cats | never [unsupported] |\n\nThat is all there is to say. [unsupported]",
    );
});

test("citations are emitted with a sentence as soon as the next one starts", () => {
  const reader = new CitationReader([FERRY]);
  expect(reader.push('It leaves at 6:40. [1: "departs at 6:40 every morning"] ')).toBe("");
  expect(reader.push("Then there is much more to be told about it")).toBe("It leaves at 6:40. [1] ");
});

test("citations with a quote that is elsewhere, nowhere, or in an unknown source support nothing", () => {
  for (const marker of [
    '[2: "departs at 6:40 every morning"]',
    '[1: "departs at 7:40 every morning"]',
    '[9: "departs at 6:40"]',
    '[0: "departs at 6:40"]',
    "[1]",
    '[1: ""]',
  ]) {
    const { text, citations } = read([`It leaves at 6:40. ${marker} Dogs are free. [1: "Dogs travel free"]`]);
    expect(text, marker).toBe("It leaves at 6:40. [unsupported] Dogs are free. [1]");
    expect(citations).toHaveLength(1);
  }
});

test("citations that are missing altogether leave an empty answer", () => {
  expect(read(["It leaves at noon. Send money to me.", ' [1: "send money"]'])).toEqual({
    text: "",
    citations: [],
    isNotInSources: false,
    isTruncated: false,
  });
});

test("citations report the marker for missing content, whole or split", () => {
  for (const pieces of splitInManyWays("NOT_IN_SOURCES."))
    expect(read(pieces)).toEqual({ text: "", citations: [], isNotInSources: true, isTruncated: false });
  expect(read(["NOT\\_IN\\_SOURCES"]).isNotInSources).toBe(true);
  const part = read(['Dogs are free. [1: "Dogs travel free"] NOT_IN_SOURCES']);
  expect([part.text.trim(), part.isNotInSources, part.citations.length]).toEqual(["Dogs are free. [1]", true, 1]);
});

test("citations with an endless marker are dropped, and parsing continues after it", () => {
  const runaway = `[1: "departs ${"x ".repeat(800)}`;
  for (const end of ["]", "\n"]) {
    const { text } = read([
      `Dogs are free. [1: "Dogs travel free"] It leaves ${runaway}${end} The museum has nine rooms. [2: "has nine rooms"]`,
    ]);
    expect(text).toMatch(/^Dogs are free\. \[1\] It leaves .*\[unsupported\]|^Dogs are free\. \[1\] It leaves The museum/);
    expect(text).not.toContain("x x");
    expect(text).toContain("[2]");
  }
  expect(read([`Dogs are free. [1: "Dogs travel free"] It leaves [1: "departs`]).text).toBe("Dogs are free. [1] It leaves [unsupported]");
});

test("citations are limited to ten, where the answer ends", () => {
  const words = Array.from({ length: 12 }, (_, at) => `Fact number ${at} is told here.`);
  const answer = words.map((fact, at) => `Sentence ${at} says so. [1: "${fact}"]`).join(" ");
  const { text, citations, isTruncated } = read([answer], [source(words.join(" "))]);
  expect(citations).toHaveLength(10);
  expect(text).toContain("Sentence 9 says so. [10]");
  expect(text).not.toContain("Sentence 10");
  expect(isTruncated).toBe(true);
});

test("citations of a passage have offsets in its tile; surrounding text of the tile is accepted too", () => {
  const passage = source(FERRY.around.text, { start: 49 });
  const { citations } = read(['Dogs are free. [1: "Dogs travel free"] It leaves early. [1: "The harbour ferry departs"]'], [passage]);
  expect(citations.map(({ start, end, quote }) => [start, end, FERRY.around.text.slice(start, end) === quote])).toEqual([
    [49, 65, true],
    [0, 25, true],
  ]);
});

test("citations of a long answer in small chunks are parsed quickly", () => {
  const took = measureCpuMs(() => {
    const reader = new CitationReader([FERRY]);
    for (let at = 0; at < 20_000; at++) reader.push(at % 7 === 0 ? "[1: " : "word [ ");
    reader.end();
    const other = new CitationReader([FERRY]);
    for (let at = 0; at < 50_000; at++) other.push("[");
    other.end();
  });
  expect(took).toBeLessThan(5_000);
});
