import { CALENDAR_MONTHS } from "./calendar.ts";

const MIN_PREFIX = 3;
const MAX_SCANNED = 400;
/** Older dates in the text of a page are its subject: the web began in 1990. */
const FIRST_YEAR = 1990;

/** Months (1 to 12) by name and by every unambiguous beginning of a name, in all languages. */
const MONTHS: ReadonlyMap<string, number> = listMonths();

function listMonths(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const names of CALENDAR_MONTHS) {
    for (const [at, name] of names.entries()) {
      for (let length = MIN_PREFIX; length < name.length; length++) {
        const prefix = name.slice(0, length);
        found.set(prefix, [undefined, at + 1].includes(found.get(prefix)) ? at + 1 : 0);
      }
    }
  }
  // English first: in Finnish, "mar" is November.
  for (const [at, name] of (CALENDAR_MONTHS[0] ?? []).entries()) found.set(name.slice(0, MIN_PREFIX), at + 1);
  for (const names of CALENDAR_MONTHS) for (const [at, name] of names.entries()) found.set(name, at + 1);
  return found;
}

/** A date with its month in words or figures: day first, month first, year first. */
const DATE =
  /(?<![\d.])(?:(?<y1>(?:19|20)\d\d)(?:[-/.]|年 ?|년 ?)(?<m1>\d{1,2})(?:[-/.]|月 ?|월 ?)(?<d1>\d{1,2})(?:日|일)?|(?<d2>\d{1,2})(?:st|nd|rd|th|er|º|°|\.)?[ \-/]*(?:of |de |d['’])?(?<m2>\p{L}{3,14})\.?,?[ \-/]*(?:of |de |del )?(?<y2>(?:19|20)\d\d)|(?<a>\d{1,2})(?<mark>[./-])(?<b>\d{1,2})\k<mark>(?<y4>(?:19|20)\d\d))(?!\d)|(?<m3>\p{L}{3,14})\.?[ -]+(?<d3>\d{1,2})(?:st|nd|rd|th)?,?[ -]+(?<y3>(?:19|20)\d\d)(?!\d)/giu;

function toDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (year < FIRST_YEAR || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.toISOString();
}

/** Figures with slashes or dashes: the part over 12 is the day; else the month is first in American English only. */
function toDayOfFigures(a: number, b: number, mark: string, year: number, isMonthFirst: boolean): string | null {
  const monthFirst = b > 12 || (a <= 12 && mark !== "." && isMonthFirst);
  return monthFirst ? toDay(year, a, b) : toDay(year, b, a);
}

/** A date in a text: midnight UTC as ISO 8601, and where it begins. */
type FoundDate = { readonly day: string; readonly index: number };

/**
 * Finds the first date in a text, with its month in words of any supported language or in figures. `language` is a BCP 47 tag, which
 * decides about figures such as 5/6/2024.
 */
export function findDate(text: string, language: string | null): FoundDate | null {
  const isMonthFirst = language === null || /^en(?!-(?!US|CA|PH))/i.test(language);
  for (const { groups = {}, index } of text.slice(0, MAX_SCANNED).matchAll(DATE)) {
    const { y1, m1, d1, d2, m2, y2, m3, d3, y3, a, b, mark, y4 } = groups;
    const day = y4
      ? toDayOfFigures(Number(a), Number(b), mark ?? "", Number(y4), isMonthFirst)
      : y1
        ? toDay(Number(y1), Number(m1), Number(d1))
        : toDay(Number(y2 ?? y3), MONTHS.get((m2 ?? m3 ?? "").toLowerCase()) ?? 0, Number(d2 ?? d3));
    if (day !== null) return { day, index };
  }
  return null;
}
