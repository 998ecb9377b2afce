import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export type Page = { readonly id: string; readonly html: Buffer; /** The article's true text. */ readonly truth: string };

const SUFFIX = /\.html(?:\.gz)?$/;

/** Pages of a folder with their true text, smallest first; empty where there is no such folder. */
export function readPages(folder: string, truthFile: string, most: number): Page[] {
  if (!existsSync(truthFile)) return [];
  const truth = JSON.parse(readFileSync(truthFile, "utf8")) as Record<string, { articleBody: string }>;
  const files = readdirSync(folder).filter((name) => SUFFIX.test(name) && (truth[name.replace(SUFFIX, "")]?.articleBody.length ?? 0) > 300);
  const sizes = new Map(files.map((name) => [name, statSync(join(folder, name)).size]));
  return files
    .toSorted((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0))
    .slice(0, most)
    .map((name) => {
      const bytes = readFileSync(join(folder, name));
      const id = name.replace(SUFFIX, "");
      return { id, html: name.endsWith(".gz") ? gunzipSync(bytes) : bytes, truth: truth[id]?.articleBody ?? "" };
    });
}

const flat = (text: string): string => text.replaceAll(/\s+/g, " ");

/** A sentence of the true text that stands in the extracted one and in no other page's. */
export function distinctiveSentence(page: Page, extracted: string, others: readonly Page[]): string | undefined {
  const elsewhere = others.map(({ truth }) => flat(truth));
  return flat(page.truth)
    .split(/(?<=[.!?]) /)
    .filter((sentence) => sentence.length >= 60 && sentence.length <= 220 && /^[\p{L}\p{N}\s.,'’"-]+$/u.test(sentence))
    .find((sentence) => flat(extracted).includes(sentence) && elsewhere.every((text) => !text.includes(sentence)));
}

/** A question made of the sentence's longer words. */
export const questionFrom = (sentence: string): string =>
  `${[...new Set(sentence.match(/[\p{L}\p{N}]{4,}/gu) ?? [])].slice(0, 12).join(" ")}?`;
