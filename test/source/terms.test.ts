import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FILES = ["*.md", "{src,test,web,sdk,scripts,bench,conformance,docs,server}/**/*.{ts,tsx,css,sql,md,mjs,txt}"];
/** Files whose words are not ours or no longer change, and the list itself. */
const SKIPPED = /(?:^|\/)(?:node_modules|dist|fixtures|results|contents|layouts)\/|^test\/source\/terms\./;

const terms = readFileSync(join(import.meta.dirname, "terms.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [words = "", standard = ""] = line.split("\t");
    return { pattern: new RegExp(words, "g"), standard };
  });

/** Terms of the list in a file, in its path too: one line each. */
const findTerms = (path: string, text: string): readonly string[] =>
  terms.flatMap(({ pattern, standard }) =>
    [...`${path}\n${text}`.matchAll(pattern)].map(([found]) => `${path} says "${found}"; the standard term is "${standard}".`),
  );

it("each term to avoid has a standard one", () => {
  expect(terms.filter(({ standard }) => standard === "")).toEqual([]);
});

it("terms to avoid are found in names and in prose", () => {
  expect(findTerms("src/a.ts", "new Turnstile(); // by whomever")).toEqual([
    'src/a.ts says "Turnstile"; the standard term is "fair queue".',
    'src/a.ts says "by whomever"; the standard term is "by anybody".',
  ]);
});

it("the terms of every file are the standard ones", () => {
  const paths = globSync(FILES, { cwd: ROOT }).filter((path) => !SKIPPED.test(path));
  expect(paths.length).toBeGreaterThan(1_000);
  expect(paths.flatMap((path) => findTerms(path, readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
});
