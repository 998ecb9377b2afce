import { decodeSafely } from "../../extract/fetch/urls.ts";
import { decodeEntities } from "../../read/markup/html-text.ts";
import { normaliseText, normaliseTitle } from "../text.ts";

/** Marks before the name of a section or site, and those that a title itself may have too. */
const SECTION = / [|·•»«›>/~]+ | ?[|»›] ?/u;
const DASH = / [-–—:]+ /u;
const SEPARATOR = new RegExp(`${SECTION.source}|${DASH.source}`, "gu");
const MIN_LENGTH = 3;
const MAX_HEADINGS = 10;
/** A name such as "Harbour Forum" begins with a label of the domain as long as this. */
const MIN_LABEL_LENGTH = 5;
/** Share of a heading's words that the page's titles and address repeat, if it is the same title in other words. */
const MIN_SHARED = 2 / 3;
/** A heading of fewer words may be the name of a section. */
const MIN_WORDS = 3;

/** The titles that a page gives itself, best first, its headings, and what its site is called. */
export type TitleSources = {
  readonly titles: readonly (string | null)[];
  readonly headings: readonly string[];
  readonly siteNames: readonly (string | null)[];
  readonly url: string;
};

/** Whether a text is what the site is called: by a name that it gives itself, or a part of its domain. */
function isSiteName(text: string, { siteNames, url }: TitleSources): boolean {
  const own = normaliseText(text.replace(/^the /i, ""));
  if (own === "" || siteNames.some((name) => name !== null && own === normaliseText(name.replace(/^the /i, "")))) return true;
  if (own.length < MIN_LENGTH) return false;
  return normaliseText(URL.parse(url)?.hostname ?? "").endsWith(own) || listLabels(url).some((label) => label.startsWith(own));
}

const listLabels = (url: string): readonly string[] => (URL.parse(url)?.hostname ?? "").split(".").slice(0, -1).map(normaliseText);

/** Whether a text begins with what the site is called. */
const opensWithSite = (text: string, { url }: TitleSources): boolean =>
  listLabels(url).some((label) => label.length >= MIN_LABEL_LENGTH && normaliseText(text).startsWith(label));

/** Removes the site's name before or after a separator, unless nothing else is left. */
function removeSiteName(title: string, sources: TitleSources): string {
  let rest = title;
  for (;;) {
    const marks = [...rest.matchAll(SEPARATOR)];
    const [first, last] = [marks[0], marks.at(-1)];
    if (first === undefined || last === undefined) return rest;
    const [head, tail] = [rest.slice(0, first.index), rest.slice(last.index + last[0].length)];
    if ((isSiteName(tail, sources) || opensWithSite(tail, sources)) && last.index > 0) rest = rest.slice(0, last.index);
    else if (isSiteName(head, sources) && tail !== "") rest = rest.slice(first.index + first[0].length);
    else return rest;
  }
}

const splitWords = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/** The words of the last part of an address, which many sites make of the title. */
function readAddress(url: string): ReadonlySet<string> {
  const parts = (URL.parse(url)?.pathname ?? "").split("/").filter((part) => part !== "");
  return new Set(splitWords(decodeSafely(parts.at(-1) ?? "").replace(/\.\w+$/, "")));
}

/** How many of its words a text shares with others, 0 to 1 (Dice). */
function computeSimilarity(text: string, others: ReadonlySet<string>): number {
  const words = new Set(splitWords(text));
  return (2 * words.intersection(others).size) / Math.max(1, words.size + others.size);
}

/** Removes the names of sections; a part behind a dash only if the address has none of it. */
function keepFirstPart(title: string, address: ReadonlySet<string>): string {
  const whole = cutAt(title, SECTION);
  const first = cutAt(whole, DASH);
  return computeSimilarity(first, address) > computeSimilarity(whole, address) ? first : whole;
}

/** Returns what stands before the first mark, unless it is a single word. */
function cutAt(title: string, mark: RegExp): string {
  const [first = title] = title.split(mark);
  return splitWords(first).length > 1 ? first : title;
}

/**
 * Chooses a page's title. A heading with which a title of the page begins, or of which its titles and its address repeat most words, is the
 * title as readers see it, unless the address is more like the title. Without one, it is the title that most sources give, without the names
 * of site and section.
 */
export function findTitle(sources: TitleSources): string | null {
  const toTitle = (text: string | null): string | null => normaliseTitle(text === null ? null : decodeEntities(text));
  const titles = sources.titles.map(toTitle).filter((title) => title !== null);
  const headings = sources.headings.slice(0, MAX_HEADINGS).map((heading) => toTitle(heading.replace(/ ?[¶#§] ?$/u, "")));
  const known = headings
    .filter((heading) => heading !== null)
    .filter((heading) => normaliseText(heading).length >= MIN_LENGTH && !isSiteName(heading, sources));
  const names = titles.map((one) => removeSiteName(one, sources));
  const countSame = (title: string): number => names.filter((one) => normaliseText(one) === normaliseText(title)).length;
  const title = names.toSorted((one, other) => countSame(other) - countSame(one))[0];
  if (title === undefined) return known[0] ?? headings[0] ?? null;
  const address = readAddress(sources.url);
  const similarity = computeSimilarity(title, address);
  const beginnings = new Set(names.map((one) => normaliseText(one.split(SEPARATOR)[0] ?? one)));
  const repeated = new Set([...titles.flatMap(splitWords), ...address]);
  const isTitle = (heading: string): boolean => {
    if (beginnings.has(normaliseText(heading))) return true;
    const words = splitWords(heading);
    const own = computeSimilarity(heading, address);
    const isClose = own > similarity || (own === similarity && words.length >= MIN_WORDS);
    return isClose && words.filter((word) => repeated.has(word)).length >= words.length * MIN_SHARED;
  };
  return known.find(isTitle) ?? keepFirstPart(title, address);
}
