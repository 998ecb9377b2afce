import { isDateLine } from "../../calendar/date-lines.ts";
import { isBoilerplate, isByline } from "../../prune/boilerplate.ts";
import { normaliseText } from "../../text.ts";
import { endsSentence, isDense, logSize, share } from "../measures.ts";
import { combineOdds, listWords } from "../odds.ts";
import type { OutlineBlock } from "../outline.ts";
import type { Add, PageFacts, PageHints } from "./facts.ts";

const PRICE = /[£$€¥₹]\s?\d|\d\s?(?:[€£₹]|usd|eur|kr\b)/i;
const DATE =
  /\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\b\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\b(?:ago|hours?|minutes?|days?)\b/i;
const COPYRIGHT = /©|all rights reserved/i;
const SEPARATOR = /[|»›•→]/;
const MAX_LABEL_LENGTH = 80;
/** Letters are counted in the beginning of a text. */
const MAX_COUNTED = 300;

export const hasPrice = ({ text }: OutlineBlock): boolean => text.length < MAX_LABEL_LENGTH && PRICE.test(text);
export const hasDate = ({ text, inline }: OutlineBlock): boolean =>
  text.length < MAX_LABEL_LENGTH && (DATE.test(text) || inline.includes("<time>"));

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** What a text starts with: a capital letter, a small one, a digit, or anything else. */
const classifyStart = (text: string): number => (/^\p{Lu}/u.test(text) ? 1 : /^\p{Ll}/u.test(text) ? 2 : /^\d/.test(text) ? 3 : 0);

/** What a text ends with: a sentence, a mark after which more follows, or neither. */
const classifyEnd = (text: string): number => (endsSentence(text) ? 2 : /[:;,]$/.test(text) ? 1 : 0);

/** Whether a text contains the year and the day of the month of the publication. */
function isPublished(text: string, { days }: PageHints): boolean {
  const numbers = new Set((text.match(/\d+/g) ?? []).map(Number));
  return days.some((day) => numbers.has(day.getUTCFullYear()) && numbers.has(day.getUTCDate()));
}

function isAuthor(text: string, { authors }: PageHints): boolean {
  const letters = normaliseText(text);
  return authors.some((name) => letters.includes(name));
}

/** Describes a block by its text. */
export function describeText(add: Add, { text, linked, links, inline }: OutlineBlock, { odds, hints }: PageFacts): void {
  const beginning = text.slice(0, MAX_COUNTED);
  const words = text.split(" ").length;
  add("length", logSize(text.length));
  add("words", logSize(words));
  add("word length", text.length / words);
  add("linked", share(linked, text.length));
  add("links", links);
  add("end", classifyEnd(text));
  add("start", classifyStart(text));
  add("commas", countMatches(beginning, /[,;、]/g) / words);
  add("digits", share(countMatches(beginning, /\d/g), beginning.length));
  add("capitals", share(countMatches(beginning, /\p{Lu}/gu), beginning.length));
  add("copyright", COPYRIGHT.test(beginning) ? 1 : 0);
  add("separator", SEPARATOR.test(beginning) ? 1 : 0);
  add("at sign", text.includes("@") ? 1 : 0);
  add("price", PRICE.test(beginning) ? 1 : 0);
  add("date", text.length < MAX_LABEL_LENGTH && DATE.test(text) ? 1 : 0);
  add("date line", isDateLine(text) ? 1 : 0);
  add("published", text.length < MAX_LABEL_LENGTH && isPublished(text, hints) ? 1 : 0);
  add("author", isAuthor(beginning, hints) ? 1 : 0);
  add("question", text.endsWith("?") ? 1 : 0);
  add("dense", isDense(beginning) ? 1 : 0);
  add("boilerplate", isBoilerplate(text) ? 1 : 0);
  add("byline", isByline(text) ? 1 : 0);
  const wordOdds = listWords(text).map((word) => odds("word", word));
  add("word odds", combineOdds(wordOdds));
  add("least word odds", Math.min(0, ...wordOdds));
  add("greatest word odds", Math.max(0, ...wordOdds));
  add("inline odds", combineOdds(inline.map((name) => odds("name", name))));
  add("inline elements", inline.length);
}
