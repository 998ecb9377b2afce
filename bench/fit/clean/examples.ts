import { getText, parsePage } from "#ingest/clean/dom.ts";
import { LinkedData } from "#ingest/clean/embedded/linked-data.ts";
import { readPreloaded } from "#ingest/clean/embedded/preloaded.ts";
import { measurePage } from "#ingest/clean/measure/measure.ts";
import { readMetadata } from "#ingest/clean/metadata/metadata.ts";
import type { PageHints } from "#ingest/clean/model/features/facts.ts";
import { readHints } from "#ingest/clean/model/hints.ts";
import { type Outline, outlinePage } from "#ingest/clean/model/outline.ts";
import type { PageType } from "#ingest/clean/type/page-type.ts";
import { removeUnreadable } from "#ingest/clean/prune/remove-unreadable.ts";
import { normaliseText } from "#ingest/clean/text.ts";
import { readArticles, readSegments, type SetPage } from "../../quality/data.ts";
import { composeAllPages, type StructurePage } from "../../quality/structure/pages.ts";
import { readWcxb } from "../../quality/wcxb/data.ts";
import { getSite } from "./folds.ts";
import { alignWords, listWords } from "./align.ts";

/** A page whose content is known, wholly or in parts. */
export type Example = {
  readonly set: SetName;
  /** The site of the page; all its pages are in one fold. */
  readonly site: string;
  /** The type of the page where it is known. */
  readonly type: PageType | null;
  readonly outline: Outline;
  readonly hints: PageHints;
  /** Share of each block's words that are content. */
  readonly labels: Float32Array;
  /** Weight of each block: 0 if it is not known whether it is content. */
  readonly weights: Float32Array;
};
export type SetName = "wcxb" | "articles" | "segments" | "structure";

/** Weight of a page of each set. Only a few blocks are known of pages of segments, and pages of structure are many and alike. */
const PAGE_WEIGHTS: Readonly<Record<SetName, number>> = { wcxb: 100, articles: 300, segments: 60, structure: 15 };
/** Shorter texts are found everywhere. */
const MIN_PART_LENGTH = 12;
/** A reference with fewer words, or less of which is in the page, is taken as wrong: the page needs scripts, or another one was annotated. */
const MIN_REFERENCE_WORDS = 15;
const MIN_FOUND = 0.35;
/** A page with less text counts as one with this much, so that single blocks do not weigh as much as a page. */
const MIN_SIZE = 30;

type Labels = Pick<Example, "labels"> & { readonly isKnown: (at: number) => boolean };

/** Reads the pages of all sets whose data is there. */
export function* readExamples(data: string, isWanted: (site: string) => boolean): Generator<Example> {
  const has = ({ url }: SetPage): boolean => isWanted(getSite(url));
  for (const page of readWcxb(data)?.pages ?? [])
    if (has(page)) yield createExample("wcxb", page, (outline) => labelByTruth(outline, page.truth));
  for (const page of (readArticles(data) ?? []).filter(has))
    yield createExample("articles", page, (outline) => labelByTruth(outline, page.truth));
  for (const page of (readSegments(data) ?? []).filter(has))
    yield createExample("segments", page, (outline) => labelByParts(outline, page.wanted, page.unwanted));
  for (const page of composeAllPages().filter(has)) yield createExample("structure", page, (outline) => labelByContent(outline, page));
}

function createExample(set: SetName, page: SetPage & { readonly type?: PageType }, label: (outline: Outline) => Labels): Example {
  const document = parsePage(page.html);
  removeUnreadable(document);
  const { elements, blocks } = outlinePage(document.body).outline;
  // The strings of a page are parts of its HTML, which they would keep in memory.
  const outline = structuredClone({ elements, blocks });
  const { labels, isKnown } = label(outline);
  const sizes = outline.blocks.map(({ text }) => Math.sqrt(listWords(text).length));
  const whole = sizes.reduce((sum, size, at) => (isKnown(at) ? sum + size : sum), 0);
  const weights = Float32Array.from(sizes, (size, at) => (isKnown(at) ? (size / Math.max(MIN_SIZE, whole)) * PAGE_WEIGHTS[set] : 0));
  const measure = measurePage(page.html);
  const linked = new LinkedData(measure.jsonLd, readPreloaded(measure.preloaded));
  const hints = readHints(measure, readMetadata(measure, linked, page.url), page.url);
  return { set, site: getSite(page.url), type: page.type ?? null, outline, hints, labels, weights };
}

/** Labels the blocks of a composed page: those of its content, and those of its layout. */
function labelByContent({ blocks }: Outline, { content, boilerplate }: StructurePage): Labels {
  const whole = normaliseText(getText(parsePage(`<html><body>${content.html}</body></html>`).body));
  const parts = new Set(
    outlinePage(parsePage(`<html><body>${content.html}</body></html>`).body).outline.blocks.map(({ text }) => normaliseText(text)),
  );
  const pieces = boilerplate.map(normaliseText);
  const names = [content.title, content.section].map(normaliseText);
  const found = blocks.map(({ text }) => {
    const letters = normaliseText(text);
    if (names.includes(letters)) return null;
    if (parts.has(letters) || (letters.length >= MIN_PART_LENGTH && whole.includes(letters))) return 1;
    return pieces.some((piece) => letters.includes(piece) || piece.includes(letters)) ? 0 : null;
  });
  return { labels: Float32Array.from(found, (label) => label ?? 0), isKnown: (at) => found[at] !== null };
}

/** Labels blocks by the words that they share with the whole content. */
function labelByTruth({ blocks }: Outline, truth: string): Labels {
  const words = blocks.map(({ text }) => listWords(text));
  const expected = listWords(truth);
  const aligned = alignWords(words.flat(), expected);
  let [from, found] = [0, 0];
  const labels = Float32Array.from(words, ({ length }) => {
    const count = aligned.subarray(from, from + length).reduce((sum, one) => sum + one, 0);
    from += length;
    found += count;
    return length === 0 ? 0 : count / length;
  });
  const isRight = expected.length >= MIN_REFERENCE_WORDS && found >= expected.length * MIN_FOUND;
  return { labels, isKnown: () => isRight };
}

/** Labels the blocks that contain, or are part of, known content or known other text. */
function labelByParts({ blocks }: Outline, wanted: readonly string[], unwanted: readonly string[]): Labels {
  const [yes, no] = [wanted.map(normaliseText), unwanted.map(normaliseText)];
  const isAmong = (text: string, parts: readonly string[]): boolean =>
    parts.some((part) => text.includes(part) || (text.length >= MIN_PART_LENGTH && part.includes(text)));
  const found = blocks.map(({ text }) => {
    const letters = normaliseText(text);
    return isAmong(letters, yes) ? 1 : isAmong(letters, no) ? 0 : null;
  });
  return { labels: Float32Array.from(found, (label) => label ?? 0), isKnown: (at) => found[at] !== null };
}
