import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "../browser");
/** What puts a text into a field in one step, and so never finds a field that loses keys or moves the caret. */
const IN_ONE_STEP = /\.(?:fill|insertText)\(/;
/** The line above says why a text is not typed. */
const REASON = /^\s*\/\/ Not typed: ./;

const violationsIn = (source: string): readonly number[] =>
  source.split("\n").flatMap((line, index, lines) => (IN_ONE_STEP.test(line) && !REASON.test(lines[index - 1] ?? "") ? [index + 1] : []));

it("browser tests type into fields key by key, by typeInto of support/input/typing.ts, unless the line above says why not", () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap((name) => violationsIn(readFileSync(join(FOLDER, name), "utf8")).map((line) => `${name}:${line}`));
  expect(found).toEqual([]);
});

it("the rule finds what it forbids, and takes a reason", () => {
  expect(violationsIn('await box.fill("all at once");')).toEqual([1]);
  expect(violationsIn("  // Not typed: 1 MB by keys takes minutes.\n  await box.fill(text);")).toEqual([]);
});
