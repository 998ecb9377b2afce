import { expect, it } from "vitest";
import { chooseDiverse } from "#retrieval/key-passages/diverse.ts";
import { Collector, type KeyText } from "#retrieval/key-passages/collection.ts";
import { rankSentences } from "#retrieval/key-passages/ranking.ts";
import type { Steps } from "#retrieval/key-passages/steps.ts";
import { findThemes } from "#retrieval/key-passages/themes.ts";
import { measureCpuMs } from "../support/cpu-time.ts";

/** Runs the steps without a pause. */
function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

function rankTexts(texts: readonly KeyText[], question?: string) {
  const collector = new Collector();
  for (const text of texts) finish(collector.add(text));
  return finish(rankSentences(collector.collection, question));
}

const BAY: readonly KeyText[] = [
  {
    title: "The kelp forest",
    text: "# Growth\n\n- Kelp forests grow half a metre a day in cold water.\n- Sea otters keep the urchins away from the kelp forest.\n\n## Harvest\n\nFishermen cut the kelp by hand from May to August.",
  },
  { title: "Urchins", text: "Where otters were hunted, urchins ate whole kelp forests within ten years." },
  { title: "The market", text: "The fish market opens at six in the morning. It closes when the last box is sold." },
];

it("key sentences are verbatim, without list markers, under their headings", () => {
  const { sentences } = rankTexts(BAY);
  expect(sentences).toHaveLength(6);
  for (const { source, start, end, text } of sentences) expect(BAY[source]?.text.slice(start, end)).toBe(text);
  expect(sentences.find(({ text }) => text.startsWith("Kelp forests"))).toMatchObject({ heading: "Growth", source: 0 });
  expect(sentences.find(({ text }) => text.startsWith("Fishermen"))).toMatchObject({ heading: "Harvest" });
  expect(sentences.find(({ source }) => source === 1)).toMatchObject({ heading: null });
});

it("key sentences start with what several texts share, not with a passing mention", () => {
  const { sentences } = rankTexts(BAY);
  expect(sentences[0]?.text).toMatch(/otters/);
  expect(sentences.at(-1)?.text).not.toMatch(/otters|forest/);
  for (const [at, { score }] of sentences.entries()) expect(score).toBeLessThanOrEqual(sentences[at - 1]?.score ?? Infinity);
});

it("key sentences start with what the question asks for, if the texts contain it", () => {
  const asked = rankTexts(BAY, "When does the market open?");
  expect(asked.matchesQuestion).toBe(true);
  expect(asked.sentences[0]?.text).toBe("The fish market opens at six in the morning.");
  const beside = rankTexts(BAY, "quantum chromodynamics");
  expect(beside.matchesQuestion).toBe(false);
  expect(beside.sentences).toEqual(rankTexts(BAY).sentences);
});

it("key sentences are deterministic", () => {
  expect(rankTexts(BAY).sentences).toEqual(rankTexts(BAY).sentences);
});

it("key sentences exclude headings, code, tables, lists of links and text before a colon", () => {
  const text = [
    "# A heading with many words in it",
    "```",
    "const kelp = forest.map((tree) => tree.height);",
    "```",
    "| kelp | otter | urchin | bay | harbour |",
    "https://one.example/kelp https://two.example/otter https://three.example/bay",
    "These are the things that matter in the bay:",
    "Kelp forests grow half a metre a day.",
  ].join("\n");
  expect(rankTexts([{ title: "", text }]).sentences.map((sentence) => sentence.text)).toEqual(["Kelp forests grow half a metre a day."]);
});

it("key sentences state repeated sentences once", () => {
  const notice = "This site uses cookies to give you the best experience.";
  const texts = ["Kelp grows fast in cold water.", "Otters eat urchins all day long."].map((text) => ({
    title: "",
    text: `${text}\n${notice}`,
  }));
  expect(rankTexts(texts).sentences.filter(({ text }) => text === notice)).toHaveLength(1);
});

it("key sentences work in scripts without spaces, and use fragments if there is nothing else", () => {
  const { sentences } = rankTexts([{ title: "港", text: "港は朝六時に開きます。昆布の森は一日に半メートル伸びます。" }]);
  expect(sentences.map(({ text }) => text).sort()).toEqual(["昆布の森は一日に半メートル伸びます。", "港は朝六時に開きます。"].sort());
  expect(rankTexts([{ title: "", text: "Open at six" }]).sentences).toMatchObject([{ text: "Open at six" }]);
  expect(rankTexts([{ title: "", text: "" }]).sentences).toEqual([]);
  expect(rankTexts([]).sentences).toEqual([]);
});

it("key sentences chosen together do not repeat each other", () => {
  const texts = [
    { title: "", text: "Sea otters keep the urchins away from the kelp forest." },
    { title: "", text: "The sea otters keep urchins away from kelp forests, too." },
    { title: "", text: "The fish market opens at six in the morning." },
  ];
  const chosen = finish(chooseDiverse(rankTexts(texts), { limit: 3 }));
  expect(chosen).toHaveLength(2);
  expect(new Set(chosen.map(({ source }) => source)).has(2)).toBe(true);
  expect(finish(chooseDiverse(rankTexts(texts), { limit: 1 }))).toHaveLength(1);
  expect(finish(chooseDiverse(rankTexts(texts), { limit: 3, maxLength: 46 })).map(({ source }) => source)).toEqual([2]);
  expect(finish(chooseDiverse(rankTexts(BAY), { limit: 9, perSource: 1 }))).toHaveLength(3);
});

it("themes have a lead, supporting sentences, terms and texts, and are distinct", () => {
  const themes = finish(findThemes(rankTexts(BAY), 10));
  expect(themes.length).toBeGreaterThan(1);
  expect(themes.length).toBeLessThan(6);
  const [first] = themes;
  expect(first?.lead.text).toMatch(/otters/);
  expect(first?.support.map(({ text }) => text).join()).toMatch(/otters/);
  expect(first?.sources).toEqual(expect.arrayContaining([0, 1]));
  expect(first?.words.length).toBeGreaterThan(0);
  for (const word of first?.words ?? []) expect(first?.lead.text).toContain(word);
  const all = themes.flatMap(({ lead, support }) => [lead, ...support].map(({ text }) => text));
  expect(new Set(all).size).toBe(all.length);
  expect(finish(findThemes(rankTexts([]), 5))).toEqual([]);
});

it("a large or hostile collection is ranked in bounded time", { timeout: 300_000 }, () => {
  const subjects = ["kelp", "otter", "urchin", "harbour", "tide", "ferry", "market", "lighthouse", "granite", "captain"];
  const texts = Array.from({ length: 5_000 }, (_, n) => ({
    title: `Note ${n}`,
    text: Array.from(
      { length: 3 },
      (_, s) => `The ${subjects[(n + s) % 10]} of place ${n % 700} has ${n * 7 + s} marks beside the ${subjects[(n * 3 + s) % 10]}.`,
    ).join(" "),
  }));
  const took = measureCpuMs(() => {
    const ranking = rankTexts(texts);
    expect(ranking.sentences).toHaveLength(2_000);
    expect(finish(findThemes(ranking, 20)).length).toBeGreaterThan(3);
  });
  expect(took).toBeLessThan(4_000);
});

it.each([
  ["marks", "- ".repeat(200_000)],
  ["fences", "```\n".repeat(100_000)],
  ["headings", "#".repeat(400_000)],
  ["one word", "a".repeat(400_000)],
  ["dots", ".".repeat(400_000)],
  ["quotation marks", "?\"'".repeat(130_000)],
  ["numbers", "1. ".repeat(130_000)],
  ["blanks", `a${" ".repeat(400_000)}b`],
])("a large or hostile collection of %s takes negligible time", (_, text) => {
  expect(measureCpuMs(() => rankTexts([{ title: text, text }]))).toBeLessThan(2_000);
});
