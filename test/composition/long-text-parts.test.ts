import { expect, it } from "vitest";
import { createTile, setUp, toWaiting } from "./analyser-samples.ts";

const sections = Array.from({ length: 9 }, (_, n) => `# Chapter ${n}\n\n## Section\n\n${`Sentence ${n} of prose. `.repeat(4_500)}`);
const text = sections.join("\n\n");

it("the parts of a long text contain every word once, with the headings above them", async () => {
  const long = createTile("long", text);
  const { analyser, tasks } = setUp([long]);
  const [found] = await analyser.analyseWaiting([toWaiting(long)]);
  expect(tasks.length).toBeGreaterThan(2);
  for (const { parts } of tasks) expect(parts[0]!.text.length).toBeLessThanOrEqual(250_000);
  const chunks = found!.parts.flatMap((part) => part.chunks);
  const words = (value: string): string => value.replaceAll(/\s+/g, "");
  expect(words(chunks.map(({ start, end }) => text.slice(start, end)).join(""))).toBe(words(text));
  const first = tasks[1]!.parts[0]!;
  expect(first.headings.map((heading) => heading.words)).toEqual([expect.stringMatching(/^Chapter \d$/), "Section"]);
});

it("the parts of a long text end at a word, or between two characters if there is none", async () => {
  const long = createTile("long", "😀".repeat(200_000));
  const { analyser } = setUp([long]);
  const [found] = await analyser.analyseWaiting([toWaiting(long)]);
  for (const { start, end } of found!.parts.flatMap((part) => part.chunks)) expect([start % 2, end % 2]).toEqual([0, 0]);
});
