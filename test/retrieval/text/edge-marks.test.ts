import { expect, it } from "vitest";
import { findQuote } from "#retrieval/grounding/find-quote.ts";
import { fitToMarks } from "#retrieval/text/edge-marks.ts";

const NOTE =
  'He wrote: "The gate opens at six in the morning," and (dogs travel free on Sundays) was added. [Closed on Mondays in winter.] « Il pleut. » Fin. „Hunde fahren frei“, sagt er. The “old light” burns (mostly), she said.';

/** Returns the text that `quote` becomes; `quote` occurs in the note as it is. */
function fit(quote: string): string {
  const at = NOTE.indexOf(quote);
  if (at < 0) throw new Error(`"${quote}" is not in the note.`);
  const { start, end } = fitToMarks(NOTE, { start: at, end: at + quote.length });
  return NOTE.slice(start, end);
}

it.each([
  ['The gate opens at six in the morning,"', '"The gate opens at six in the morning,"'],
  ['"The gate opens at six in the morning,', '"The gate opens at six in the morning,"'],
  ["The gate opens at six in the morning,", '"The gate opens at six in the morning,"'],
  ["(dogs travel free on Sundays", "(dogs travel free on Sundays)"],
  ["dogs travel free on Sundays)", "(dogs travel free on Sundays)"],
  ["Closed on Mondays in winter.", "[Closed on Mondays in winter.]"],
  ["« Il pleut.", "« Il pleut. »"],
  ["» Fin.", "Fin."],
  ["Hunde fahren frei", "„Hunde fahren frei“"],
  ["old light", "“old light”"],
  ["light” burns (mostly", "light” burns (mostly)"],
])("the quote %s becomes %s", (quote, whole) => {
  expect(fit(quote)).toBe(whole);
});

it.each(["gate opens at six", "and (dogs travel free on Sundays) was added.", "opens at six in the morning", "burns", "sagt er."])(
  "the quote %s stays as it is",
  (quote) => {
    expect(fit(quote)).toBe(quote);
  },
);

it("a quote of a model keeps the marks that the model left out or changed", () => {
  const find = (quote: string): string | null => {
    const span = findQuote(NOTE, quote);
    return span === null ? null : NOTE.slice(span.start, span.end);
  };
  expect(find("[closed on Mondays in winter.]")).toBe("[Closed on Mondays in winter.]");
  expect(find("Closed on Mondays in winter.]")).toBe("[Closed on Mondays in winter.]");
  expect(find("“The gate opens at six in the morning,”")).toBe('"The gate opens at six in the morning,"');
  expect(find("…dogs travel free on Sundays…")).toBe("(dogs travel free on Sundays)");
});
