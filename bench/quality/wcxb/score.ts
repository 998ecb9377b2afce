import { normaliseText } from "#ingest/clean/text.ts";

const countWords = (text: string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};
const countAll = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** F1 of the words of a text against those of the true one, as multisets: 1 if both are empty, 0 if one is. The metric of WCXB. */
export function scoreWords(truth: string, text: string): number {
  const [expected, actual] = [countWords(truth), countWords(text)];
  const [all, found] = [countAll(expected), countAll(actual)];
  if (all === 0 || found === 0) return all === found ? 1 : 0;
  let common = 0;
  for (const [word, count] of expected) common += Math.min(count, actual.get(word) ?? 0);
  return (2 * common) / (all + found);
}

const clean = (value: string): string =>
  normaliseText(value)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Whether a title is the true one, but for case, punctuation and the name of the site. */
export function isSameTitle(truth: string, title: string | null): boolean {
  const [expected, actual] = [clean(truth), clean(title ?? "")];
  if (actual === "") return false;
  return expected === actual || ` ${expected} `.startsWith(` ${actual} `) || ` ${actual} `.startsWith(` ${expected} `);
}

/** Whether an author is the true one. Either name may have more parts, such as a job or a second author. */
export function isSameAuthor(truth: string, author: string): boolean {
  const [expected, actual] = [clean(truth), clean(author)];
  return ` ${expected} `.includes(` ${actual} `) || ` ${actual} `.includes(` ${expected} `);
}

/** Whether both times are on the same day, or a time zone apart. */
export const isSameDay = (truth: string, published: string): boolean =>
  Math.abs(Date.parse(truth) - Date.parse(published)) < 36 * 3_600_000;
