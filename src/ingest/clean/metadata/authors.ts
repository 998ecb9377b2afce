import { findDate } from "../calendar/find-date.ts";
import type { Measure } from "../measure/measure.ts";
import type { Json } from "../embedded/json.ts";
import { isArticle, type LinkedData } from "../embedded/linked-data.ts";
import { listLinesAt } from "./title-lines.ts";
import { decodeEntities } from "../../read/markup/html-text.ts";
import { normaliseText, normaliseTitle, truncateText } from "../text.ts";

const MAX_LENGTH = 300;
const MAX_NAME_LENGTH = 80;
const MAX_NAME_WORDS = 8;
const MAX_NAMES = 10;

const INTRODUCTION =
  /^\W*(?:(?:article|story|text|words|posted|published|written|reported|edited|created|submitted|contributed|reviewed|report|post)\s+)?(?:by|von|par|por|di|av|door)[:\s]\s*(?=\S)|^\W*(?:authors?|written by|autore?|auteur|autorin|verfasser|redaktion)\s*:\s*/i;
/** The same in Arabic, Russian, Japanese and Chinese, of which some have no space after it. */
const OTHER_INTRODUCTION =
  /^\s*(?:بقلم|كتبت?|إعداد|автор)[:\s]\s*(?=\S)|^\s*(?:取材)?(?:記者|文|作者|记者|执笔|執筆)\s*[:：・·/／|｜]\s*(?=\S)/iu;
/** "3 May 2024 Written by Ada Keeper", without a line break. */
const DATED_INTRODUCTION = /^.{0,40}\b(?:written|posted|published) by\b/i;
/** What follows a name on the same line: its job, the date, the section. */
const REST =
  /[|•·—–»]| - |\bon (?:(?:\p{L}+,? ){0,2}\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)|\b(?:reviewed|edited|fact[- ]checked|updated|photos?|illustrated) by\b|\b(?:posted|published|updated|last updated|in) ?(?::|\bin\b|\bon\b)|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\b\d{4}\b|\bmin(?:ute)? read\b/iu;
const ACCOUNT =
  /^(?:(?:site ?|super ?)?admin(?:istrator)?|web ?master|web ?team|root|(?:super ?)?user|author|authors|editor|guest|anonymous|unknown|default|wordpress|member|contributor|staff|null|undefined|none|n\/?a|follow|share|read more|view all posts|more posts|home|login|profile|(?:written|posted|published)? ?by)$/i;
/** Text that no name of a person or an organisation contains. */
const NOT_A_NAME = /https?:|www\.|@|[{}<>[\]=\\`]|[!?]|\. \p{Lu}\p{Ll}+ \p{Ll}+ |\w\.\w+\.\w|\(\)|^\p{Ll}+ \p{Ll}+ |^\W*\d+\W*$/u;

/** Whether a text can be the name of a person or an organisation. */
function isName(text: string): boolean {
  const words = text.split(" ");
  if (text.length < 2 || text.length > MAX_NAME_LENGTH || words.length > MAX_NAME_WORDS || ACCOUNT.test(text)) return false;
  const isNumbered = words.length > 1 && /\d{3}/.test(text);
  return /\p{L}{2}|\p{Script=Han}/u.test(text) && !isNumbered && !NOT_A_NAME.test(text) && findDate(text, null) === null;
}

/** Formats a text as one line without tags; null if it is empty. */
export const toLine = (text: string | null | undefined): string | null => {
  const line = normaliseTitle(text?.replace(/<[^<>]{0,200}>/g, ""));
  return line === null ? null : truncateText(line, MAX_LENGTH).text;
};

/** Returns the author's name in a byline such as "By Ada Keeper | 3 May"; null if there is none, or only an account such as "admin". */
export function toAuthorName(text: string | null | undefined): string | null {
  const line = (toLine(decodeEntities(text ?? "")) ?? "")
    .replace(DATED_INTRODUCTION, "")
    .replace(INTRODUCTION, "")
    .replace(OTHER_INTRODUCTION, "");
  const ends = [findDate(line, null)?.index ?? -1, line.search(REST)].filter((end) => end >= 0);
  const words = line
    .slice(0, Math.min(line.length, ...ends))
    .replace(/^[ ,;:@]+/, "")
    .split(" ");
  while (words.length > 0 && /^(?:[,;:]*|on|at|am|le|el|il|em|op)$/i.test(words.at(-1) ?? "")) words.pop();
  const name = words.join(" ").replace(/[,;:]$/, "");
  return isName(name) ? name : null;
}

/** Joins the authors of one source, at most ten, each once. Returns null if none of them can be a name. */
export function joinAuthors(names: readonly (string | null | undefined)[]): string | null {
  const found = new Map<string, string>();
  for (const one of names) {
    const name = toAuthorName(one);
    if (name !== null && found.size < MAX_NAMES && !found.has(normaliseText(name))) found.set(normaliseText(name), name);
  }
  return found.size === 0 ? null : [...found.values()].join(", ");
}

const META = ["author", "article:author", "parsely-author", "sailthru.author", "dc.creator", "dcterms.creator", "citation_author", "byl"];

/** The value beside the label "Written by", which is for cards on Twitter. */
function findLabelled(meta: ReadonlyMap<string, string>): string {
  const at = [1, 2].find((at) =>
    /^(?:written by|author|verfasst von|(?:é|e)crit par|escrito por)$/i.test(meta.get(`twitter:label${at}`) ?? ""),
  );
  return at === undefined ? "" : (meta.get(`twitter:data${at}`) ?? "");
}

/** The sources of the author, best first: the names of each. */
function* listSources(measure: Measure, linked: LinkedData, nodes: readonly Json[], title: string | null): Generator<readonly string[]> {
  const readNode = (node: Json): readonly string[] => linked.listNames(node["author"] ?? node["creator"]);
  const listCredits = (kind: string): readonly string[] =>
    measure.credits.filter((one) => one.kind === kind).map(({ text, value }) => value ?? text);
  for (const node of nodes) if (isArticle(node)) yield readNode(node);
  for (const name of META) yield [measure.meta.get(name) ?? ""];
  yield [findLabelled(measure.meta)];
  for (const name of listCredits("author")) yield [name];
  for (const node of nodes) yield readNode(node);
  for (const name of listCredits("author-name")) yield [name];
  yield listLinesAt(title, measure.linear).filter((line) => INTRODUCTION.test(line) || OTHER_INTRODUCTION.test(line));
}

/**
 * Finds a page's author: the names of the first source that has one. The site itself is the author only if no source names another.
 * Returns null if none does.
 */
export function findAuthor(page: {
  measure: Measure;
  linked: LinkedData;
  nodes: readonly Json[];
  title: string | null;
  siteName: string | null;
}): string | null {
  const { measure, linked, nodes, title, siteName } = page;
  const site = normaliseText(siteName ?? "");
  let other: string | null = null;
  for (const names of listSources(measure, linked, nodes, title)) {
    const author = joinAuthors(names);
    if (author !== null && normaliseText(author) !== site) return author;
    other ??= author;
  }
  return other;
}
