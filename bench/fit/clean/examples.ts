import type { PageHints } from "#ingest/clean/model/features/facts.ts";
import type { Model } from "#ingest/clean/model/model.ts";
import type { Outline, OutlineBlock } from "#ingest/clean/model/outline.ts";
import { cleanPage } from "#ingest/clean/page.ts";
import { onlyType, type PageType } from "#ingest/clean/type/page-type.ts";
import type { SetPage } from "../../quality/data.ts";
import { composeAllPages } from "../../quality/structure/pages.ts";
import { splitWords } from "./align.ts";
import { getSite } from "./folds.ts";
import { labelByContent, labelByParts, labelByTruth, type Labels } from "./labels.ts";
import { readSets } from "./sets.ts";

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
type SetName = "wcxb" | "articles" | "segments" | "structure";
type TypedPage = SetPage & { readonly type?: PageType };

/** Weight of a page of each set. Only a few blocks are known of pages of segments, and pages of structure are many and alike. */
const PAGE_WEIGHTS: Readonly<Record<SetName, number>> = { wcxb: 100, articles: 300, segments: 60, structure: 15 };
/** A page with less text counts as one with this much, so that single blocks do not weigh as much as a page. */
const MIN_SIZE = 30;

/** Reads the pages that are wanted, but for those that are read without a model. Throws if a set is missing. */
export function* readExamples(data: string, isWanted: (page: SetPage) => boolean): Generator<Example> {
  const { wcxb, articles, segments } = readSets(data);
  const read = function* <Page extends TypedPage>(
    set: SetName,
    pages: Iterable<Page>,
    label: (blocks: readonly OutlineBlock[], page: Page) => Labels,
  ): Generator<Example> {
    for (const page of pages) {
      const example = isWanted(page) ? createExample(set, page, (blocks) => label(blocks, page)) : null;
      if (example !== null) yield example;
    }
  };
  yield* read("wcxb", wcxb, (blocks, { truth }) => labelByTruth(blocks, truth));
  yield* read("articles", articles, (blocks, { truth }) => labelByTruth(blocks, truth));
  yield* read("segments", segments, (blocks, { wanted, unwanted }) => labelByParts(blocks, wanted, unwanted));
  yield* read("structure", composeAllPages(), labelByContent);
}

function createExample(set: SetName, page: TypedPage, label: (blocks: readonly OutlineBlock[]) => Labels): Example | null {
  const seen = observe(page);
  if (seen === null) return null;
  const { outline, hints } = seen;
  const found = label(outline.blocks);
  const sizes = outline.blocks.map(({ text }, at) => (found[at] === null ? 0 : Math.sqrt(splitWords(text).length)));
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  return {
    set,
    site: getSite(page),
    type: page.type ?? null,
    outline,
    hints,
    labels: Float32Array.from(found, (one) => one ?? 0),
    weights: Float32Array.from(sizes, (size) => (size / Math.max(MIN_SIZE, whole)) * PAGE_WEIGHTS[set]),
  };
}

type Seen = { readonly outline: Outline; readonly hints: PageHints };

/**
 * Reads a page as the service does, with a model that keeps what it is asked: examples are what models see. Returns null if none is asked,
 * since the page is too large or too deep. The posts of threads are examples too: threads that are not recognised are read by the model.
 */
function observe(page: TypedPage): Seen | null {
  const asked: Seen[] = [];
  const model: Model = ({ elements, blocks }, hints) => {
    // A copy: strings of a page are parts of its HTML, which they would keep in memory.
    asked.push(structuredClone({ outline: { elements, blocks }, hints }));
    return { types: onlyType("product"), titleAt: -1, probabilities: new Float32Array(blocks.length) };
  };
  cleanPage(page, model);
  return asked[0] ?? null;
}
