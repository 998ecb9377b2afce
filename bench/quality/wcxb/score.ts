/** Below this F1, a page counts as lost. */
export const LOST_F1 = 0.3;

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

/** The words of a value in lower case, without punctuation. */
const splitWords = (value: string): readonly string[] => value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const SEPARATOR = /\s+[-–—|·•:»«›>/~]+\s+|\s*[|»›]\s*|:\s+/u;

/** Whether words are what a site is called: its own name for itself, or the start of a label of its domain. */
function namesSite(words: string, siteName: string | null, url: string): boolean {
  const letters = words.replaceAll(" ", "").replace(/^the/, "");
  const own = splitWords(siteName ?? "")
    .join("")
    .replace(/^the/, "");
  if (letters === "" || letters === own) return true;
  const labels = (URL.parse(url)?.hostname ?? "").split(".");
  const isLabel = labels.slice(0, -1).some((label) => label.replaceAll("-", "").startsWith(letters));
  return letters.length >= 3 && (isLabel || labels.slice(-2).join("") === letters);
}

/** A title's words, without the parts before the first or after the last separators that name the site. */
function stripSite(title: string, siteName: string | null, url: string): string {
  const parts = title.split(SEPARATOR).map((part) => splitWords(part).join(" "));
  while (parts.length > 1 && namesSite(parts.at(-1) ?? "", siteName, url)) parts.pop();
  while (parts.length > 1 && namesSite(parts[0] ?? "", siteName, url)) parts.shift();
  return parts.filter((part) => part !== "").join(" ");
}

/**
 * Whether a title is the true one, but for case, punctuation and the site's name before or after a separator. Both must have the same
 * words otherwise: a reference that was cut, or is a heading where the page's title differs from it, counts against the reader.
 */
export function isSameTitle(
  truth: string,
  title: string | null,
  page: { readonly siteName: string | null; readonly url: string },
): boolean {
  const [expected, actual] = [truth, title ?? ""].map((one) => stripSite(one, page.siteName, page.url));
  return actual !== "" && expected === actual;
}

/** Whether one of two titles has all words of the other, in a row: readers may not mind what is added or missing. */
export function isTitleWithin(truth: string, title: string | null): boolean {
  const [expected, actual] = [truth, title ?? ""].map((one) => ` ${splitWords(one).join(" ")} `) as [string, string];
  return expected.trim() !== "" && actual.trim() !== "" && (expected.includes(actual) || actual.includes(expected));
}

/**
 * Whether an author is the true one, but for case, punctuation, "and" and the order of the names. Either may have more words, such as a
 * job or a second author.
 */
export function isSameAuthor(truth: string, author: string): boolean {
  const [expected, actual] = [truth, author].map((one) => new Set(splitWords(one).filter((word) => word !== "and"))) as [
    Set<string>,
    Set<string>,
  ];
  return actual.size > 0 && expected.size > 0 && (expected.isSubsetOf(actual) || actual.isSubsetOf(expected));
}

/** Whether both times are on the same day, or a time zone apart. */
export const isSameDay = (truth: string, published: string): boolean =>
  Math.abs(Date.parse(truth) - Date.parse(published)) < 36 * 3_600_000;
