import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export type Page = { readonly id: string; readonly html: Buffer; /** The reference text of the article. */ readonly truth: string };

const SUFFIX = /\.html(?:\.gz)?$/;

/** Reads the pages of a folder with their reference text, smallest first. Returns none if the folder does not exist. */
export function readPages(folder: string, truthFile: string, max: number): Page[] {
  if (!existsSync(truthFile)) return [];
  const truth = JSON.parse(readFileSync(truthFile, "utf8")) as Record<string, { articleBody: string }>;
  const files = readdirSync(folder).filter((name) => SUFFIX.test(name) && (truth[name.replace(SUFFIX, "")]?.articleBody.length ?? 0) > 300);
  const sizes = new Map(files.map((name) => [name, statSync(join(folder, name)).size]));
  return files
    .toSorted((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0))
    .slice(0, max)
    .map((name) => {
      const bytes = readFileSync(join(folder, name));
      const id = name.replace(SUFFIX, "");
      return { id, html: name.endsWith(".gz") ? gunzipSync(bytes) : bytes, truth: truth[id]?.articleBody ?? "" };
    });
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
