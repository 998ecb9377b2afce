import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Page = { readonly id: string; readonly html: Buffer; /** The reference text of the article. */ readonly truth: string };

/** Reads the pages of a folder with the reference text that `ground-truth.json` has of each. */
export function readPages(folder: string): Page[] {
  const truth = JSON.parse(readFileSync(join(folder, "ground-truth.json"), "utf8")) as Record<string, { articleBody: string }>;
  return Object.entries(truth).map(([id, { articleBody }]) => ({ id, html: readFileSync(join(folder, `${id}.html`)), truth: articleBody }));
}

const collapseSpaces = (text: string): string => text.replaceAll(/\s+/g, " ");

/** Finds a sentence of the reference text that is also in the extracted text, and in no other page. */
export function distinctiveSentence(page: Page, extracted: string, others: readonly Page[]): string | undefined {
  const elsewhere = others.map(({ truth }) => collapseSpaces(truth));
  return collapseSpaces(page.truth)
    .split(/(?<=[.!?]) /)
    .filter((sentence) => sentence.length >= 60 && sentence.length <= 220 && /^[\p{L}\p{N}\s.,'’"-]+$/u.test(sentence))
    .find((sentence) => collapseSpaces(extracted).includes(sentence) && elsewhere.every((text) => !text.includes(sentence)));
}

/** Builds a question from the longer words of a sentence. */
export const questionFrom = (sentence: string): string =>
  `${[...new Set(sentence.match(/[\p{L}\p{N}]{4,}/gu) ?? [])].slice(0, 12).join(" ")}?`;
