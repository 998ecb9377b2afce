import { CALENDAR_WORDS } from "../calendar/calendar.ts";
import { isDateLine } from "../calendar/date-lines.ts";
import { toIsoDate } from "../dates.ts";
import { getText, type PageElement, TEXT_NODE } from "../dom.ts";

/** A longer line that contains a date is text of its own. */
const MAX_TIME_LENGTH = 80;
const TIME_ELEMENT = /^(?:time|relative-time)$/;
const TIME_PROPERTY = /^date(?:Published|Created)$/;
const RELATIVE =
  /^(?:\d+|an?) ?(?:y|yr|mo|w|d|h|m|min|s|(?:second|minute|hour|day|week|month|year)s?)\.?(?: ago)?$|^(?:yesterday|today)\b/i;

/** When the author joined, not when they wrote. */
const MEMBER_SINCE = /^(?:join|regist|member)/i;
const NUMERIC = /\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{1,2}:\d{2}/;

/** Whether a text has more of a date than a number of four digits. */
const hasDate = (text: string): boolean =>
  NUMERIC.test(text) || (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).some((word) => CALENDAR_WORDS.has(word));

const hasOwnDigit = (element: PageElement): boolean =>
  [...element.childNodes].some((node) => node.nodeType === TEXT_NODE && /\d/.test(node.textContent ?? ""));

/** Returns the machine-readable form of a time. */
const readExact = (time: PageElement): string | null =>
  time.getAttribute("datetime") ?? time.getAttribute("content") ?? time.getAttribute("title");

function isTime(element: PageElement): boolean {
  const isElement = TIME_ELEMENT.test(element.localName) || TIME_PROPERTY.test(element.getAttribute("itemprop") ?? "");
  if (!isElement && !hasOwnDigit(element)) return false;
  const text = getText(element);
  // Scripts write the words of some times, and microdata may have no words at all.
  if (text === "") return isElement && toIsoDate(readExact(element)) !== null;
  return (
    !MEMBER_SINCE.test(text) && text.length <= MAX_TIME_LENGTH && (isElement || RELATIVE.test(text) || (hasDate(text) && isDateLine(text)))
  );
}

/** Finds the elements that say when something was written: `time`, and short lines with a date. */
export const findTimes = (root: PageElement): PageElement[] => [...root.querySelectorAll("*")].filter(isTime);

/** Returns the time of an element, exact if it has an attribute for it, to distinguish times. */
export const toTimeKey = (time: PageElement): string => readExact(time) ?? getText(time);

/** Returns the time as the page writes it; one without a year, such as "2 days ago", as a day (ISO 8601) if the element has it. */
export function readTime(time: PageElement): string {
  const own = [...time.childNodes].find((node) => getText(node) !== "");
  const text = getText(TIME_ELEMENT.test(time.localName) && own ? own : time);
  const exact = toIsoDate(readExact(time));
  return /\d{4}/.test(text) || exact === null ? text : exact.slice(0, 10);
}
