import { hasOtherWeekday, readDatedMonths, readMonths } from "./calendar.ts";
import { isSupported, readClaims, readEvidence } from "./figures.ts";
import { hasUnknownName } from "./names.ts";

/** What a sentence of a model is compared with. */
export type Evidence = {
  /** The quotes of the sentence, each with the rest of its own sentence. */
  readonly quotes: string;
  /** What may be repeated without a quote: the question, and the titles of the quoted tiles. */
  readonly repeatable: string;
  /** What the model was given of the quoted tiles, with what is around it. */
  readonly tiles: string;
  readonly question: string;
};

const NUMERIC_DATE = /\d{1,4}([./-])\s?\d{1,2}\1\s?\d{2,4}/;

/**
 * Whether the figures, dates and names of a sentence are those of its quotes. Notations may differ (1,234.5 and 1.234,5; "twelve" and 12;
 * 12k; dates; units of one kind). Figures that the quotes do not hold, such as sums, are not theirs. Names only count when they are
 * clearly wrong.
 */
export function agreesWithQuotes(sentence: string, { quotes, repeatable, tiles, question }: Evidence): boolean {
  const allowed = `${quotes}\n${repeatable}`;
  const named = readMonths(allowed);
  const evidence = readEvidence(allowed);
  // A date in digits alone has its month as a figure.
  if (NUMERIC_DATE.test(sentence)) evidence.push(...named.map((month) => ({ values: [month], unit: null, parts: [] })));
  if (!readClaims(sentence).every((claim) => isSupported(claim, evidence))) return false;
  const months = new Set([...named, ...evidence.flatMap(({ values }) => values)]);
  if (!readDatedMonths(sentence).every((month) => months.has(month))) return false;
  return !hasOtherWeekday(sentence, allowed) && !hasUnknownName(sentence, question, `${tiles}\n${repeatable}`);
}
