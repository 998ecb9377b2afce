import { htmlToText } from "../../read/markup/html-text.ts";
import { endsSentence, isDense } from "../model/measures.ts";
import { normaliseText } from "../text.ts";
import { isObject, type Json, parseJson } from "./json.ts";

/** A script with data, and the beginning of one that assigns an object to a name such as `window.__INITIAL_STATE__`. */
const SCRIPT = /<script\b([^<>]{0,1000})>/gi;
const DATA_TYPE = /\btype=["']?application\/json\b/i;
const ASSIGNMENT = /^\s*(?:window|self|globalThis)(?:\.|\[["'])[\w$]{1,60}(?:["']\])?\s*=\s*(?=\{)/;
const TITLE = /^(?:title|headline|heading|name)$/i;
/** Words of the names of what belongs to a page's data and is not its text. */
const OTHER = new Set(
  "url href src slug class style seo meta metadata alt related recommended recommendations comment comments breadcrumb breadcrumbs navigation author authors tags categories category".split(
    " ",
  ),
);
/** What the parts of a paragraph are called in rich text (Contentful, Portable Text, ProseMirror). */
const PART = /^(?:text|span)$/;
const LINK = /link$/i;
const MARKUP = /<\/?[a-z][^<>]{0,1000}>/i;
const MIN_SPACES = 5;
const MIN_DENSE_LENGTH = 15;
const MIN_LENGTH = 40;
const MAX_LENGTH = 2_000_000;
const MAX_NAME_LENGTH = 100;
const MAX_TITLE_LENGTH = 1_000;
const MAX_ASSIGNMENT_LENGTH = 200;
const MAX_SCRIPTS = 1_000;
const MAX_VALUES = 200_000;

/**
 * Reads the text of a page from the state that frameworks write into it for their scripts: the paragraphs of the innermost object that has
 * one of the page's titles. Returns an empty string if there is none. Strings are text, without their markup.
 */
export function readState(html: string, titles: readonly (string | null)[]): string {
  const reader = new StateReader(new Set(titles.map((title) => normaliseText(title ?? "")).filter((title) => title !== "")));
  for (const state of listStates(html)) reader.read(state);
  return reader.longest;
}

function* listStates(html: string): Generator<unknown> {
  const script = new RegExp(SCRIPT);
  let length = 0;
  for (let count = 0; count < MAX_SCRIPTS; count++) {
    const attributes = script.exec(html)?.[1];
    const start = script.lastIndex;
    const end = html.indexOf("</script", start);
    if (attributes === undefined || end < 0) return;
    script.lastIndex = end;
    const [assignment] = ASSIGNMENT.exec(html.slice(start, Math.min(end, start + MAX_ASSIGNMENT_LENGTH))) ?? [];
    if ((assignment === undefined && !DATA_TYPE.test(attributes)) || length + end - start > MAX_LENGTH) continue;
    length += end - start;
    yield parseJson(html.slice(start + (assignment ?? "").length, end));
  }
}

/** The paragraphs in a value, and whether an object with a title of the page is in it. */
type Found = { readonly paragraphs: readonly string[]; readonly hasTitled: boolean };
const NOTHING: Found = { paragraphs: [], hasTitled: false };

/** Reads each value once, and a bounded number of them. */
class StateReader {
  longest = "";
  #left = MAX_VALUES;
  readonly #titles: ReadonlySet<string>;

  constructor(titles: ReadonlySet<string>) {
    this.#titles = titles;
  }

  read(value: unknown): Found {
    if (--this.#left < 0) return NOTHING;
    if (typeof value === "string") return { paragraphs: toParagraph(value), hasTitled: false };
    if (typeof value !== "object" || value === null) return NOTHING;
    const joined = joinParts(value);
    if (joined !== null) return { paragraphs: [joined.trim()].filter((text) => text !== ""), hasTitled: false };
    const inner = Object.entries(value).map(([key, one]) => ({ ...this.read(one), isText: Array.isArray(value) || !isOther(key) }));
    const paragraphs = inner.flatMap((one) => (one.isText ? one.paragraphs : []));
    const hasTitled =
      inner.some((one) => one.isText && one.hasTitled) || (isObject(value) && this.#isTitled(value) && this.#keep(paragraphs));
    return { paragraphs, hasTitled };
  }

  #isTitled(value: Json): boolean {
    const isTitle = (one: unknown): boolean =>
      typeof one === "string" && one.length <= MAX_TITLE_LENGTH && this.#titles.has(normaliseText(one));
    return Object.entries(value).some(([key, one]) => TITLE.test(key) && isTitle(one));
  }

  #keep(paragraphs: readonly string[]): boolean {
    const seen = new Set<string>();
    // Short ones, such as the cells of a table, may repeat.
    const isNew = (text: string): boolean => text.length < MIN_LENGTH || (!seen.has(text) && seen.add(text).size > 0);
    const text = paragraphs.filter(isNew).join("\n\n");
    if (text.length > this.longest.length && text.length >= MIN_LENGTH) this.longest = text;
    return text.length >= MIN_LENGTH;
  }
}

const isOther = (name: string): boolean =>
  (name.slice(0, MAX_NAME_LENGTH).match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []).some((word) => OTHER.has(word.toLowerCase()));

/** Keeps markup with some words, and sentences: other strings are names, identifiers and settings. */
function toParagraph(source: string): string[] {
  const isMarkup = MARKUP.test(source);
  const text = isMarkup ? htmlToText(source) : source.replace(/[^\S\n]+/g, " ").trim();
  const isLong = isDense(text) ? text.length >= MIN_DENSE_LENGTH : countSpaces(text) >= MIN_SPACES;
  return isLong && (isMarkup || endsSentence(text)) ? [text] : [];
}

const countSpaces = (text: string): number => text.match(/\s+/g)?.length ?? 0;

/** Returns the text of a value if it is a paragraph in parts, such as words in bold and links; null if it is anything else. */
function joinParts(value: unknown): string | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const parts = value.map(readPart);
  return parts.includes(null) ? null : parts.join("");
}

/** Returns the text of a part of a paragraph, which says that it is one, or of a link in it; null for anything else. */
function readPart(part: unknown): string | null {
  if (!isObject(part)) return null;
  const kind = part["nodeType"] ?? part["_type"] ?? part["type"];
  const text = part["text"] ?? part["value"];
  if (typeof kind !== "string") return null;
  if (LINK.test(kind)) return joinParts(part["content"] ?? part["children"]);
  return PART.test(kind) && typeof text === "string" ? text : null;
}
