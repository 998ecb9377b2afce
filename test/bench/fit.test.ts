import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { WEIGHTS } from "#retrieval/weights.ts";
import { type Constant, listConstants, listValues, updateSource } from "../../bench/fit/constants.ts";
import { fitConstants, type Half } from "../../bench/fit/descent.ts";
import { fit } from "../../bench/fit/main.ts";
import { readSets, selectQuestions } from "../../bench/fit/questions.ts";
import { createRandom } from "../../bench/output/random-text.ts";

const folder = mkdtempSync(join(tmpdir(), "tessera-fit-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a dataset in the format of the evaluation data. */
function writeSquad(corpus: readonly object[], queries: readonly object[]): void {
  const lines = (items: readonly object[]): Buffer => gzipSync(items.map((item) => `${JSON.stringify(item)}\n`).join(""));
  mkdirSync(join(folder, "squad"), { recursive: true });
  writeFileSync(join(folder, "squad", "corpus.jsonl.gz"), lines(corpus));
  writeFileSync(join(folder, "squad", "queries.jsonl.gz"), lines(queries));
}

const SUBJECTS =
  "harbour,bakery,bridge,library,museum,orchard,quarry,railway,school,theatre,tower,vineyard,mill,castle,market,lighthouse".split(",");

writeSquad(
  SUBJECTS.flatMap((subject, at) => [
    { id: `d${at}-0`, title: `Article ${at}`, text: `The old ${subject} was painted green in spring by the town.` },
    { id: `d${at}-1`, title: `Article ${at}`, text: `Something else happened in another year, far from here. Nobody saw the ${subject}.` },
  ]),
  SUBJECTS.map((subject, at) => ({
    id: `q${at}`,
    text: `When was the old ${subject} painted green?`,
    qrels: { [`d${at}-0`]: 1 },
    answers: ["in spring"],
    source_doc: `d${at}-0`,
  })),
);

/** A model of two features, for which weights 1 and 4 choose the right candidates. */
function plantModel() {
  const weights: Record<string, number> = { first: 1, second: 1 };
  const random = createRandom(7);
  const questions = Array.from({ length: 400 }, () => {
    const candidates = Array.from({ length: 8 }, () => ({ first: random(), second: random() }));
    const right = candidates.toSorted((a, b) => b.first + 4 * b.second - a.first - 4 * a.second)[0];
    return { candidates, right };
  });
  const measure = async (_: string, half: Half): Promise<number> => {
    const own = questions.filter((__, at) => (at % 2 === 0) === (half === "training"));
    const score = (candidate: { first: number; second: number }): number =>
      (weights["first"] ?? 0) * candidate.first + (weights["second"] ?? 0) * candidate.second;
    return own.filter(({ candidates, right }) => candidates.toSorted((a, b) => score(b) - score(a))[0] === right).length / own.length;
  };
  const constants = Object.keys(weights).map((name): Constant => ({
    name,
    get: () => weights[name] ?? 0,
    set: (value) => void (weights[name] = value),
  }));
  return { weights, measure, constants };
}

it("coordinate descent finds a planted optimum that also holds on held-out questions", async () => {
  const { weights, measure, constants } = plantModel();
  expect(await measure("", "held out")).toBeLessThan(0.9);
  const options = { listValues, measure, rounds: 6, minGain: 0.000_5, isTimeUp: () => false };
  const fits = await fitConstants(constants, options);
  expect((weights["second"] ?? 0) / (weights["first"] ?? 1)).toBeCloseTo(4, 0);
  expect(await measure("", "held out")).toBeGreaterThan(0.97);
  expect(fits.map(({ name }) => name)).toEqual(["first", "second"]);
  expect(fits.some(({ outcome }) => outcome === "accepted")).toBe(true);
});

it("coordinate descent keeps the old value if only the training half improves, and stops when its time is up", async () => {
  let value = 1;
  const constant: Constant = { name: "x", get: () => value, set: (next) => void (value = next) };
  const measure = async (_: string, half: Half): Promise<number> => (half === "training" ? value : 1 / value);
  const options = { listValues, measure, rounds: 1, minGain: 0, isTimeUp: () => false };
  expect(await fitConstants([constant], options)).toMatchObject([{ current: 1, fitted: 2, outcome: "worse on held-out data" }]);
  expect(value).toBe(1);
  expect(await fitConstants([constant], { ...options, isTimeUp: () => true })).toEqual([]);
});

it("constants are listed by name, without those of vectors if there are none", () => {
  const names = listConstants([], false).map(({ name }) => name);
  expect(names).toContain("rerank.proximity");
  expect(names).not.toContain("rerank.similarity");
  expect(listConstants([], true).map(({ name }) => name)).toContain("rerank.similarity");
  expect(listConstants(["rerank.newFeature"], false)[0]?.get()).toBe(0);
  expect(() => listConstants(["bm25.k2"], false)).toThrow("rerank.proximity");
  expect(() => listConstants(["nothing"], false)).toThrow("not a constant");
});

it("constants are written to their group with comments kept and new ones at its end", () => {
  const source = "const W = {\n  one: {\n    // Why.\n    a: 1,\n    b: 0.5,\n  },\n  two: {\n    a: -1_000,\n  },\n};\n";
  const values = new Map([
    ["two.a", 2.5],
    ["one.b", -0.25],
    ["one.c", 3],
  ]);
  expect(updateSource(source, values)).toBe(
    "const W = {\n  one: {\n    // Why.\n    a: 1,\n    b: -0.25,\n    c: 3,\n  },\n  two: {\n    a: 2.5,\n  },\n};\n",
  );
  expect(() => updateSource(source, new Map([["three.a", 1]]))).toThrow("three.a");
});

const [squad] = readSets(folder, ["squad", "cisi"]);

it("fitting on a dataset splits questions into halves that share no article", () => {
  if (squad === undefined) throw new Error("The set was not read.");
  const ids = (half: Half, sample = 100) => selectQuestions(squad, half, sample, () => true).flatMap((all) => all.map(({ id }) => id));
  expect([...ids("training"), ...ids("held out")].toSorted()).toEqual(SUBJECTS.map((_, at) => `q${at}`).toSorted());
  expect(ids("training", 3)).toHaveLength(3);
});

it("fitting on a dataset corrects a weight that ranks the right passages last, and keeps the others", async () => {
  const weights = WEIGHTS.rerank as Record<string, number>;
  const before = { ...weights };
  weights["lexical"] = -30;
  try {
    const options = { data: folder, sets: ["squad"], only: ["rerank.lexical"], sample: 100, hasVectors: false, minutes: 5 } as const;
    const [result] = await fit(options);
    expect(result).toMatchObject({ name: "rerank.lexical", current: -30, outcome: "accepted" });
    expect(result?.training[1]).toBe(1);
    expect(result?.heldOut[1]).toBe(1);
    expect({ ...weights, lexical: before["lexical"] }).toEqual(before);
    await expect(fit({ ...options, sets: ["cisi"] })).rejects.toThrow("--data");
  } finally {
    Object.assign(weights, before);
  }
});
