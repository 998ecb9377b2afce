import { splitSentences } from "../../text/sentences.ts";
import type { Span } from "../../text/spans.ts";

/** Characters around a quote in which its sentence, and above it the header of its table and its heading, are searched. */
const MAX_DISTANCE = 4_000;
const SENTENCE_DISTANCE = 600;
const ROW = /^\s*\|/;
const HEADING = /^#{1,6} .*$/gm;

/** Returns a quote with the rest of its sentences, since models quote only a part, the header of its table, and its heading. */
export function readContext(text: string, { start, end }: Span): string {
  const from = Math.max(0, start - SENTENCE_DISTANCE);
  const near = text.slice(from, end + SENTENCE_DISTANCE);
  const whole = splitSentences(near).filter((span) => span.end + from > start && span.start + from < end);
  const [first, last] = [whole[0], whole.at(-1)];
  const quote = first === undefined || last === undefined ? text.slice(start, end) : near.slice(first.start, last.end);
  const above = text.slice(Math.max(0, start - MAX_DISTANCE), start);
  const heading = above.match(HEADING)?.at(-1) ?? "";
  return [heading, readTableHeader(above, quote), quote].join("\n");
}

/** Returns the first row of the table that `quote` continues, or an empty string. */
function readTableHeader(above: string, quote: string): string {
  if (!quote.includes("|")) return "";
  // The last line is the beginning of the row that is quoted.
  const rows = above.split("\n").slice(0, -1);
  const before = rows.findLastIndex((line) => !ROW.test(line));
  return rows[before + 1] ?? "";
}
