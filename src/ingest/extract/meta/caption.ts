import { toIsoDate } from "../../clean/dates.ts";
import { keepValidCounts } from "../../read/json-access.ts";

/** The parts of the description of an Instagram page, which is a single line. */
export type Caption = {
  readonly text: string;
  readonly user: string | null;
  readonly publishedAt: string | null;
  readonly stats: Readonly<Record<string, number>> | undefined;
};

const UNITS: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9 };

/** Parses a count such as `1,204` or `1.2M`. Returns null if it is invalid. */
export function parseCount(written: string | undefined): number | null {
  const found = /^([\d.,]{1,20})([KMB])?$/i.exec(written ?? "");
  if (found === null) return null;
  const [, digits = "", unit = ""] = found;
  const factor = UNITS[unit.toUpperCase()];
  const number = factor === undefined ? Number(digits.replace(/[.,]/g, "")) : Math.round(Number(digits.replace(",", ".")) * factor);
  return Number.isSafeInteger(number) ? number : null;
}

const COUNTS = /^(?:([\d.,]{1,20}[KMB]?) likes?)?(?:, )?(?:([\d.,]{1,20}[KMB]?) comments?)?\s*[-–—]\s*/i;
const AUTHOR_AND_DATE = /^([\w.]{1,40}) on (\w{3,9} \d{1,2}, \d{4})\s*:?\s*/;

const isQuote = (mark: string | undefined): boolean => mark === '"' || mark === "\u201C" || mark === "\u201D";

/** Removes the quotation marks around a text, if there are any. */
function stripQuotes(quoted: string): string {
  if (!isQuote(quoted[0])) return quoted;
  const end = quoted.endsWith(".") && isQuote(quoted.at(-2)) ? -2 : isQuote(quoted.at(-1)) ? -1 : quoted.length;
  return quoted.slice(1, end).trim();
}

/** Parses `1,204 likes, 31 comments - name on March 2, 2026: "caption".`. Returns null for any other text. */
export function readCaption(description: string): Caption | null {
  const line = description.slice(0, 20_000).trim();
  const counts = COUNTS.exec(line);
  const rest = counts === null ? line : line.slice(counts[0].length);
  const match = AUTHOR_AND_DATE.exec(rest);
  if (match === null) return null;
  const [all, user = null, date] = match;
  const quoted = rest.slice(all.length).trim();
  return {
    text: stripQuotes(quoted),
    user,
    publishedAt: toIsoDate(date),
    stats: keepValidCounts({ likes: parseCount(counts?.[1]), comments: parseCount(counts?.[2]) }),
  };
}
