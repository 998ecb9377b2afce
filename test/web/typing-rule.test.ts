import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "../browser");
/** Calls that set a value in one step, and so never detect a field that loses keys or moves the caret. */
const IN_ONE_STEP = /\.(?:fill|insertText)\(/;
/** The comment above gives the reason for not typing. */
const REASON = /^\s*\/\/ Not typed: ./;

const violationsIn = (source: string): readonly number[] =>
  source.split("\n").flatMap((line, index, lines) => (IN_ONE_STEP.test(line) && !REASON.test(lines[index - 1] ?? "") ? [index + 1] : []));

it("browser tests type key by key with typeInto, unless the line above gives a reason", () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap((name) => violationsIn(readFileSync(join(FOLDER, name), "utf8")).map((line) => `${name}:${line}`));
  expect(found).toEqual([]);
});

it("the rule detects violations and accepts a reason", () => {
  expect(violationsIn('await box.fill("all at once");')).toEqual([1]);
  expect(violationsIn("  // Not typed: 1 MB by keys takes minutes.\n  await box.fill(text);")).toEqual([]);
});
