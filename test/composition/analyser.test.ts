import { expect, it } from "vitest";
import { iterateTerms } from "#domain/answers/analysis.ts";
import type { PendingTile } from "#domain/answers/search.ts";
import { analyse } from "#retrieval/lexical/analyse.ts";
import { BUSINESS, createTile, PROSE, setUp, toWaiting } from "./analyser-samples.ts";

const short = createTile("short", PROSE);
const medium = createTile("medium", PROSE.repeat(2_000));

it("the analyser reads and analyses each version once for all questions, those at the same time and later ones", async () => {
  const { analyser, reads, tasks } = setUp([short, medium]);
  const ask = () => analyser.analyseWaiting([toWaiting(short), toWaiting(medium)]);
  const answers = await Promise.all(Array.from({ length: 50 }, ask));
  answers.push(await ask());
  for (const [first, second] of answers) {
    expect(first).toBe(answers[0]?.[0]);
    expect(second).toBe(answers[0]?.[1]);
  }
  expect(answers[0]?.map(({ parts }) => parts)).toEqual([[analyse(short)], [analyse(medium)]]);
  expect(reads).toEqual(["short", "medium"]);
  expect(tasks.flatMap(({ parts }) => parts)).toHaveLength(2);
});

it("the analyser analyses a new version anew, and leaves out tiles that changed before they were read", async () => {
  const { analyser, stored, reads } = setUp([short]);
  await analyser.analyseWaiting([toWaiting(short)]);
  const changed = { ...short, version: 2, text: "Other words." };
  stored.push(changed);
  const [again] = await analyser.analyseWaiting([toWaiting(changed)]);
  expect([...iterateTerms(again!.parts[0]!.terms, "oth")]).toEqual(["other"]);
  expect(await analyser.analyseWaiting([{ ...toWaiting(short), version: 3 }])).toEqual([]);
  expect(reads).toHaveLength(3);
});

it("the analyser shares its result with the indexer", async () => {
  const { analyser, tasks } = setUp([medium]);
  const [waiting] = await analyser.analyseWaiting([toWaiting(medium)]);
  expect(await analyser.analyse([medium])).toEqual(waiting?.parts);
  expect(tasks).toHaveLength(1);
});

it("the analyser has the texts of a business in memory one batch at a time, and calls its tasks urgent", async () => {
  const tiles = Array.from({ length: 12 }, (_, n) => createTile(`t${n}`, PROSE.repeat(5_000)));
  const { analyser, tasks, state } = setUp(tiles);
  await Promise.all(tiles.map((tile) => analyser.analyseWaiting([toWaiting(tile)])));
  expect(state.mostRunning).toBe(1);
  expect(tasks).toHaveLength(12);
  for (const { options } of tasks) expect(options).toMatchObject({ business: BUSINESS, isUrgent: true });
});

it("the analyser does not let one business wait for the texts of another", async () => {
  const tiles = Array.from({ length: 12 }, (_, n) => createTile(`t${n}`, PROSE.repeat(5_000)));
  const other = createTile("other", PROSE.repeat(5_000), "biz_2");
  const { analyser, reads } = setUp([...tiles, other]);
  const ended: string[] = [];
  const ask = async (tile: PendingTile) => {
    await analyser.analyseWaiting([toWaiting(tile)]);
    ended.push(tile.tileId);
  };
  await Promise.all([...tiles, other].map(ask));
  expect(reads.indexOf("other")).toBeLessThan(3);
  expect(ended.indexOf("other")).toBeLessThan(3);
});

it("the analyser refuses no business because many questions of another wait", async () => {
  const other = createTile("other", PROSE, "biz_2");
  const { analyser, reads, state } = setUp([medium, other]);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const asked = Array.from({ length: 10_000 }, () => analyser.analyseWaiting([toWaiting(medium)]));
  expect(await analyser.analyseWaiting([toWaiting(other)])).toHaveLength(1);
  expect(reads).toEqual(["medium", "other"]);
  resolve();
  await Promise.all(asked);
});

it("the analyser keeps nothing of a question that was aborted before", async () => {
  const { analyser, reads } = setUp([medium, short]);
  const aborted = AbortSignal.abort(new Error("gone"));
  await expect(analyser.analyseWaiting([toWaiting(medium), toWaiting(short)], aborted)).rejects.toThrow("gone");
  // Otherwise the next question would find the batch of both tiles.
  expect(await analyser.analyseWaiting([toWaiting(short)])).toHaveLength(1);
  expect(reads).toEqual(["short"]);
});

it("the analyser ends waiting work when all its callers have aborted, and only then", async () => {
  const { analyser, tasks, state } = setUp([medium]);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const [first, second] = [new AbortController(), new AbortController()];
  const asked = [first, second].map(({ signal }) => analyser.analyseWaiting([toWaiting(medium)], signal));
  await expect.poll(() => tasks.length).toBe(1);
  first.abort(new Error("first"));
  await expect(asked[0]).rejects.toThrow("first");
  expect(tasks[0]?.options.signal?.aborted).toBe(false);
  second.abort(new Error("second"));
  await expect(asked[1]).rejects.toThrow("second");
  expect(tasks[0]?.options.signal?.aborted).toBe(true);
  resolve();
  expect(await analyser.analyseWaiting([toWaiting(medium)])).toHaveLength(1);
});

it("the analyser leaves out the parts of a text that can't be analysed, and does not try them again", async () => {
  const long = createTile("long", `${PROSE.repeat(9_000)}\n\npoison\n\n${"Other words come later. ".repeat(12_000)}`);
  const { analyser, tasks } = setUp([long]);
  const [found] = await analyser.analyseWaiting([toWaiting(long)]);
  const count = tasks.length;
  expect(found!.parts.length).toBe(count - 1);
  await analyser.analyseWaiting([toWaiting(long)]);
  expect(tasks).toHaveLength(count);
  const parts = [];
  for await (const part of analyser.analyseParts(long)) parts.push(part);
  expect(parts.filter((part) => part === null)).toHaveLength(1);
  expect(await analyser.analyse([createTile("a", "poison ".repeat(4_000)), short])).toEqual([null, analyse(short)]);
});
