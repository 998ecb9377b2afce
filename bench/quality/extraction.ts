import { formatDecimal } from "../output/numbers.ts";
import type { Section } from "../output/report.ts";
import { bootstrapDifference } from "./bootstrap.ts";
import { readCrossValidated } from "./cross-validated.ts";
import { readArticles, readSegments, type SetPage } from "./data.ts";
import { type Reading, readAlternately } from "./readers.ts";
import { type Match, matchSegments, matchShingles, type Score, scorePages, scoreTotal } from "./scores.ts";

const MAX_PAGES_LISTED = 15;
const PLAIN = "Readability + linkedom";
const OURS = "Tessera";

/** What is measured of the pages of a set, and how. */
type Scoring<Page> = {
  readonly title: string;
  readonly target: string;
  readonly match: (page: Page, text: string) => Match;
  readonly score: (pages: readonly Match[]) => Score;
};

const formatRate = (pages: number, ms: number): string => formatDecimal((pages * 1_000) / ms, 1);
const formatRow = (name: string, { f1, precision, recall }: Score, perSecond: string): readonly string[] => [
  name,
  formatDecimal(f1, 4),
  formatDecimal(precision, 4),
  formatDecimal(recall, 4),
  perSecond,
];

function compare<Page extends SetPage>(reading: Reading<Page>, set: Scoring<Page>): Section[] {
  const plain = reading.pages.map(({ page, plain: text }) => set.match(page, text));
  const ours = reading.pages.map(({ page, ours: text }) => set.match(page, text));
  const { value, low, high } = bootstrapDifference(plain, ours, (pages) => set.score(pages).f1);
  const lost = reading.pages
    .map(({ page }, at) => ({ id: page.id, ...(ours[at] as Match) }))
    .filter(({ fp, fn }) => fp + fn > 0)
    .sort((a, b) => b.fp + b.fn - a.fp - a.fn);
  return [
    {
      title: `${set.title}: ${reading.pages.length} pages`,
      note: `Target: F1 ${set.target}. Cross-validated, by models fitted without the page's site: ${readCrossValidated()(set.title.toLowerCase())}. F1 against plain: ${value >= 0 ? "+" : ""}${formatDecimal(value, 4)} (95 % of resamples: ${formatDecimal(low, 4)} to ${formatDecimal(high, 4)}). Pages a second against plain: × ${formatDecimal(reading.plainMs / reading.oursMs)}.`,
      columns: ["", "F1", "precision", "recall", "pages/s"],
      rows: [
        formatRow(PLAIN, set.score(plain), formatRate(plain.length, reading.plainMs)),
        formatRow(OURS, set.score(ours), formatRate(ours.length, reading.oursMs)),
      ],
    },
    {
      title: `${set.title}: pages with most loss`,
      columns: ["page", "too much", "missing"],
      rows: lost.slice(0, MAX_PAGES_LISTED).map(({ id, fp, fn }) => [id.slice(0, 40), formatDecimal(fp, 3), formatDecimal(fn, 3)]),
    },
  ];
}

/** Measures how much of the text of articles is extracted, and how much else. */
export function runArticles(data: string): readonly Section[] | null {
  const pages = readArticles(data);
  if (pages === null) return null;
  return compare(readAlternately(pages), {
    title: "Articles",
    target: "≥ 0.975",
    match: (page, text) => matchShingles(page.truth, text),
    score: scorePages,
  });
}

/** Measures, on pages in many languages, which segments are extracted that must or must not be. */
export function runSegments(data: string): readonly Section[] | null {
  const pages = readSegments(data);
  if (pages === null) return null;
  return compare(readAlternately(pages), {
    title: "Segments",
    target: "≥ 0.93",
    match: (page, text) => matchSegments(page.wanted, page.unwanted, text),
    score: scoreTotal,
  });
}
