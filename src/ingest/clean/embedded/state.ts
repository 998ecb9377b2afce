import { htmlToText } from "../../read/markup/html-text.ts";
import { endsSentence, isDense } from "../model/measures.ts";
import { normaliseText } from "../text.ts";
import { isObject, type Json, parseJson, toList } from "./json.ts";

/** A script with data, and the beginning of one that assigns an object to a name such as `window.__INITIAL_STATE__`. */
const SCRIPT = /<script\b([^<>]{0,1000})>/gi;
const DATA_TYPE = /\btype=["']?application\/json\b/i;
const ASSIGNMENT = /^\s*(?:window|self|globalThis)(?:\.|\[["'])[\w$]{1,60}(?:["']\])?\s*=\s*(?=\{)/;
const TITLE = /^(?:title|headline|heading|name)$/i;
/** What belongs to a page's data and is not its text. */
const OTHER = /url|href|src|slug|class|style|seo|meta|alt\b|related|recommend|comment|breadcrumb|navigation|menu|author|tags|categor/i;
/** The text of a paragraph that is stored in parts, as rich text is. */
const PART = /^(?:text|value)$/;
const MARKUP = /<\/?[a-z][^<>]{0,1000}>/i;
const MIN_SPACES = 5;
const MIN_DENSE_LENGTH = 15;
const MIN_LENGTH = 200;
const MAX_LENGTH = 2_000_000;
const MAX_ASSIGNMENT_LENGTH = 200;
const MAX_SCRIPTS = 50;
const MAX_VALUES = 100_000;

/**
 * Reads the text of a page from the state that frameworks write into it for their scripts: the paragraphs of the innermost object that has
 * one of the page's titles. Returns an empty string if there is none. Strings are text, without their markup.
 */
export function readState(html: string, titles: readonly (string | null)[]): string {
  const known = new Set(titles.map((title) => normaliseText(title ?? "")).filter((title) => title !== ""));
  const walk = { left: MAX_VALUES, known };
  const texts = listStates(html)
    .flatMap((state) => findTitled(state, walk))
    .map((titled) => [...new Set(listParagraphs(titled, walk))].join("\n\n"));
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), "");
}

function listStates(html: string): unknown[] {
  const states: unknown[] = [];
  let length = 0;
  for (const { 0: tag, 1: attributes = "", index } of html.matchAll(SCRIPT)) {
    const start = index + tag.length;
    const end = html.indexOf("</script", start);
    if (end < 0 || states.length >= MAX_SCRIPTS) break;
    const [assignment] = ASSIGNMENT.exec(html.slice(start, Math.min(end, start + MAX_ASSIGNMENT_LENGTH))) ?? [];
    if (assignment === undefined && !DATA_TYPE.test(attributes)) continue;
    if ((length += end - start) <= MAX_LENGTH) states.push(parseJson(html.slice(start + (assignment ?? "").length, end)));
  }
  return states;
}

/** What bounds a walk through the values of a page, and the letters of the page's titles. */
type Walk = { left: number; readonly known: ReadonlySet<string> };

/** Finds the innermost objects with a title of the page and enough text. */
function findTitled(value: unknown, walk: Walk): Json[] {
  if (typeof value !== "object" || value === null || --walk.left < 0) return [];
  const inner = Object.values(value).flatMap((one) => findTitled(one, walk));
  if (inner.length > 0 || !isObject(value) || !Object.entries(value).some(([key, one]) => isKnownTitle(key, one, walk))) return inner;
  return listParagraphs(value, walk).join("").length < MIN_LENGTH ? [] : [value];
}

const isKnownTitle = (key: string, value: unknown, { known }: Walk): boolean =>
  TITLE.test(key) && typeof value === "string" && value.length <= 1_000 && known.has(normaliseText(value));

function listParagraphs(value: unknown, walk: Walk): string[] {
  if (typeof value === "string") return toParagraph(value);
  if (typeof value !== "object" || value === null || --walk.left < 0) return [];
  if (Array.isArray(value) && value.length > 0 && value.every(isPart)) return toParagraph(value.map(readPart).join(""));
  if (Array.isArray(value)) return value.flatMap((one) => listParagraphs(one, walk));
  return Object.entries(value).flatMap(([key, one]) => (OTHER.test(key) ? [] : listParagraphs(one, walk)));
}

/** Keeps markup with some words, and sentences: other strings are names, identifiers and settings. */
function toParagraph(source: string): string[] {
  const isMarkup = MARKUP.test(source);
  const text = isMarkup ? htmlToText(source) : source.replace(/[^\S\n]+/g, " ").trim();
  const isLong = isDense(text) ? text.length >= MIN_DENSE_LENGTH : countSpaces(text) >= MIN_SPACES;
  return isLong && (isMarkup || endsSentence(text)) ? [text] : [];
}

const countSpaces = (text: string): number => text.match(/\s+/g)?.length ?? 0;

/** Whether a value is a part of a paragraph: an object with a text, such as a word in bold. */
const isPart = (value: unknown): value is Json =>
  isObject(value) && Object.keys(value).some((key) => PART.test(key)) && typeof readPart(value) === "string";

const readPart = (part: Json): unknown => toList(part["text"] ?? part["value"])[0];
