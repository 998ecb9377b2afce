import { join } from "node:path";
import { expect } from "vitest";
import type { Finished } from "../e2e/support/process.ts";

export const ROOT = join(import.meta.dirname, "../..");

/** Fails unless the process ended with exit code 1 and one line on standard error that has no stack. */
export function expectSentence(ended: Finished, sentence: string | RegExp): void {
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
  if (typeof sentence === "string") expect(ended.stderr).toContain(sentence);
  else expect(ended.stderr).toMatch(sentence);
}
