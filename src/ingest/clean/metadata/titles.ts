import { decodeEntities } from "../../read/markup/html-text.ts";
import { normaliseText, normaliseTitle } from "../text.ts";

/** Marks between a page's title and the names of its section and site. */
const SEPARATOR = / [-–—|·•:»«›>/~]+ | ?[|»›] ?/gu;
const MIN_LENGTH = 3;
const MAX_HEADINGS = 10;
/** Share of a heading's words that the page's titles repeat, if it is the same title in other words. */
const MIN_SHARED = 0.6;

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
  const host = URL.parse(url)?.hostname ?? "";
  if (own.length < MIN_LENGTH) return false;
  if (normaliseText(host).endsWith(own)) return true;
  return host
    .split(".")
    .slice(0, -1)
    .some((label) => normaliseText(label).startsWith(own));
}

/** Removes the site's name before or after a separator, unless nothing else is left. */
function removeSiteName(title: string, sources: TitleSources): string {
  let rest = title;
  for (;;) {
    const marks = [...rest.matchAll(SEPARATOR)];
    const [first, last] = [marks[0], marks.at(-1)];
    if (first === undefined || last === undefined) return rest;
    const [head, tail] = [rest.slice(0, first.index), rest.slice(last.index + last[0].length)];
    if (isSiteName(tail, sources) && last.index > 0) rest = rest.slice(0, last.index);
    else if (isSiteName(head, sources) && tail !== "") rest = rest.slice(first.index + first[0].length);
    else return rest;
  }
}

const splitWords = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/** Whether a heading is the title, or one or more of its parts between separators. */
function isPart(heading: string, title: string): boolean {
  const own = normaliseText(heading);
  const ends = [...title.matchAll(SEPARATOR)].flatMap(({ 0: mark, index }) => [title.slice(0, index), title.slice(index + mark.length)]);
  const parts = title.split(SEPARATOR);
  return [title, ...ends, ...parts].some((part) => normaliseText(part) === own);
}

function isReworded(heading: string, titles: readonly string[]): boolean {
  const words = new Set(titles.flatMap(splitWords));
  const own = splitWords(heading);
  const isCut = titles.some((title) => normaliseText(title).includes(normaliseText(heading)));
  return !isCut && own.length > 2 && own.filter((word) => words.has(word)).length >= own.length * MIN_SHARED;
}

/**
 * Chooses a page's title. A heading that the page's titles repeat, whole or in most of its words, is the title as readers see it. Without
 * one, the title is the first of them without the site's name.
 */
export function findTitle(sources: TitleSources): string | null {
  const toTitle = (text: string | null): string | null => normaliseTitle(text === null ? null : decodeEntities(text));
  const titles = sources.titles.map(toTitle).filter((title) => title !== null);
  const headings = sources.headings
    .slice(0, MAX_HEADINGS)
    .map((heading) => toTitle(heading.replace(/ ?[¶#§] ?$/u, "")))
    .filter((heading) => heading !== null && normaliseText(heading).length >= MIN_LENGTH && !isSiteName(heading, sources));
  const known = headings.filter((heading) => heading !== null);
  const heading =
    known.find((one) => titles.some((title, at) => (at === 0 || splitWords(one).length > 1) && isPart(one, title))) ??
    known.find((one) => isReworded(one, titles));
  if (heading !== undefined) return heading;
  const title = titles[0] ?? known[0] ?? sources.headings.map(toTitle)[0];
  return title === undefined || title === null ? null : removeSiteName(title, sources);
}
