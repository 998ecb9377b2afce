import { cleanPage, type CleanedPage } from "#ingest/clean/page.ts";
import { computeMean, computeQuantile, formatDecimal } from "../../output/numbers.ts";
import type { Figure, Report, Section } from "../../output/report.ts";
import { readCrossValidated } from "../cross-validated.ts";
import type { Options } from "../options.ts";
import { PAGE_TYPES } from "#ingest/clean/type/page-type.ts";
import { isReferenceRight, listPublished, readWcxb, type WcxbPage } from "./data.ts";
import { isSameAuthor, isSameDay, isSameTitle, isTitleWithin, LOST_F1, scoreWords } from "./score.ts";

/** A warning on a page with a longer reference is wrong. */
const MIN_WHOLE_LENGTH = 500;
const MAX_LISTED = 20;
const TARGETS: Readonly<Record<string, number>> = { all: 0.88, forum: 0.82, service: 0.86, documentation: 0.94, article: 0.955 };
const MIN_OF_TYPE = 0.72;

type Outcome = Pick<WcxbPage, "id" | "url" | "type" | "title" | "author" | "published"> & {
  readonly length: number;
  readonly cleaned: Pick<CleanedPage, "title" | "siteName" | "author" | "publishedAt" | "warnings">;
  readonly f1: number;
  /** Whether the page contains its reference; told apart only for pages that were lost. */
  readonly isReferenceRight: boolean;
  readonly ms: number;
};

/** Measures what is read of the pages of WCXB, articles and others: their text, title, author, date and warnings. */
export async function runWcxb({ data, sample }: Options): Promise<Report | null> {
  const set = readWcxb(data);
  if (set === null) return null;
  const step = Math.max(1, Math.floor(set.size / (sample ?? set.size)));
  const outcomes: Outcome[] = [];
  let at = 0;
  for (const page of set.pages) if (at++ % step === 0) outcomes.push(measurePage(page));
  return {
    figures: buildFigures(outcomes),
    sections: [buildTypes(outcomes, step > 1), buildMetadata(outcomes), buildTimes(outcomes), buildLost(outcomes)],
  };
}

function measurePage({ id, url, html, type, truth, title, author, published }: WcxbPage): Outcome {
  const started = process.cpuUsage();
  const { text, title: ownTitle, siteName, author: ownAuthor, publishedAt, warnings } = cleanPage({ html, url });
  const { user, system } = process.cpuUsage(started);
  const f1 = scoreWords(truth, text);
  const cleaned = { title: ownTitle, siteName, author: ownAuthor, publishedAt, warnings };
  return {
    id,
    url,
    type,
    title,
    author,
    published,
    length: truth.length,
    cleaned,
    f1,
    isReferenceRight: f1 >= LOST_F1 || isReferenceRight({ html, truth }),
    ms: (user + system) / 1_000,
  };
}

const isLost = (outcome: Outcome): boolean => outcome.f1 < LOST_F1 && outcome.isReferenceRight;
const isWarned = ({ length, cleaned }: Outcome): boolean => length > MIN_WHOLE_LENGTH && cleaned.warnings.length > 0;
const computeF1 = (outcomes: readonly Outcome[]): number => computeMean(outcomes.map(({ f1 }) => f1));
const computeShare = <T>(all: readonly T[], has: (one: T) => boolean): number =>
  all.length === 0 ? 0 : all.filter(has).length / all.length;

const listTypes = (outcomes: readonly Outcome[]): (readonly [string, readonly Outcome[]])[] => [
  ["all", outcomes],
  ...PAGE_TYPES.map((name) => [name, outcomes.filter(({ type }) => type === name)] as const),
];

function buildFigures(outcomes: readonly Outcome[]): Figure[] {
  const f1 = listTypes(outcomes).map(([name, pages]) => ({
    name: `wcxb, ${name}: F1`,
    value: computeF1(pages),
    unit: "share" as const,
    min: TARGETS[name] ?? MIN_OF_TYPE,
    detail: `${pages.length} pages`,
  }));
  const whole = outcomes.filter(({ length }) => length > MIN_WHOLE_LENGTH);
  return [
    ...f1,
    {
      name: `wcxb: pages with F1 under ${LOST_F1}`,
      value: computeShare(outcomes, isLost),
      unit: "share",
      max: 0.03,
      detail: "share of all pages, without those whose reference is empty or not in the page",
    },
    {
      name: "wcxb: wrong warnings",
      value: computeShare(whole, isWarned),
      unit: "share",
      max: 0.01,
      detail: `share of ${whole.length} pages`,
    },
  ];
}

/** Lists F1 by type. With a sample, the published and cross-validated figures are left out, since they are of all pages. */
function buildTypes(outcomes: readonly Outcome[], isSample: boolean): Section {
  const published = isSample ? [] : listPublished();
  const formatUnseen = readCrossValidated();
  return {
    title: `WCXB: ${outcomes.length} pages of seven types`,
    note: isSample
      ? "Mean F1 of words, as multisets, of a sample."
      : "Mean F1 of words, as multisets, and the figures published for the same pages. Cross-validated: by models fitted without the page's site.",
    columns: [
      "type",
      "pages",
      ...(isSample ? [] : ["cross-validated"]),
      "F1",
      `under ${LOST_F1}`,
      "warned",
      ...published.map(([system]) => system),
    ],
    rows: listTypes(outcomes).map(([name, pages]) => [
      name,
      String(pages.length),
      ...(isSample ? [] : [formatUnseen(name === "all" ? "WCXB" : `WCXB, ${name}`)]),
      formatDecimal(computeF1(pages), 4),
      String(pages.filter(isLost).length),
      String(pages.filter(isWarned).length),
      ...published.map(([, values]) => values.get(name) ?? "–"),
    ]),
  };
}

function buildMetadata(outcomes: readonly Outcome[]): Section {
  const titled = outcomes.filter(({ title }) => title !== null && title !== "");
  const authored = outcomes.filter(({ author }) => author !== null && author !== "");
  const named = authored.filter(({ cleaned }) => cleaned.author !== null);
  const dated = outcomes.filter(({ published }) => published !== null && published !== "");
  const isRightAuthor = ({ author, cleaned }: Outcome): boolean => cleaned.author !== null && isSameAuthor(author ?? "", cleaned.author);
  const isRightDate = ({ published, cleaned }: Outcome): boolean =>
    cleaned.publishedAt !== null && isSameDay(published ?? "", cleaned.publishedAt);
  const isRightTitle = ({ title, url, cleaned }: Outcome): boolean =>
    isSameTitle(title ?? "", cleaned.title, { siteName: cleaned.siteName, url });
  const isLikeTitle = (outcome: Outcome): boolean => isRightTitle(outcome) || isTitleWithin(outcome.title ?? "", outcome.cleaned.title);
  const format = (share: number): string => formatDecimal(share, 3);
  return {
    title: "WCXB: title, author and date",
    note: "Of the pages for which the benchmark has them. Precision of authors: of those pages for which one was read.",
    columns: ["", "pages", "right", "target"],
    rows: [
      ["title", String(titled.length), format(computeShare(titled, isRightTitle)), "≥ 0.95"],
      ["title, or one within the other", String(titled.length), format(computeShare(titled, isLikeTitle)), "–"],
      ["author, recall", String(authored.length), format(computeShare(authored, isRightAuthor)), "≥ 0.80"],
      ["author, precision", String(named.length), format(computeShare(named, isRightAuthor)), "≥ 0.85"],
      ["date", String(dated.length), format(computeShare(dated, isRightDate)), "≥ 0.90"],
    ],
  };
}

function buildTimes(outcomes: readonly Outcome[]): Section {
  const times = outcomes.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    title: "WCXB: processor time of a page, in milliseconds",
    columns: ["mean", "median", "95 %", "maximum"],
    rows: [
      [computeMean(times), computeQuantile(times, 0.5), computeQuantile(times, 0.95), computeQuantile(times, 1)].map((ms) =>
        formatDecimal(ms, 1),
      ),
    ],
  };
}

function buildLost(outcomes: readonly Outcome[]): Section {
  const lost = outcomes.filter(isLost).sort((a, b) => b.length - a.length);
  const wrong = outcomes.filter((outcome) => !outcome.isReferenceRight);
  return {
    title: `WCXB: pages with F1 under ${LOST_F1}`,
    note: `The ${MAX_LISTED} longest of ${lost.length}. Left out, because their reference is empty or not in the page: ${wrong.map(({ id }) => id).join(", ")}.`,
    columns: ["page", "type", "F1", "characters of the reference", "warnings"],
    rows: lost
      .slice(0, MAX_LISTED)
      .map(({ id, type, f1, length, cleaned }) => [
        id,
        type,
        formatDecimal(f1, 3),
        String(length),
        cleaned.warnings.map(({ code }) => code).join(", "),
      ]),
  };
}
