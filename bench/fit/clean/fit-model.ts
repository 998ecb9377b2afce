import { describeBlocks } from "#ingest/clean/model/features/describe-blocks.ts";
import { describeEstimates } from "#ingest/clean/model/features/estimates.ts";
import { findFacts, type PageFacts } from "#ingest/clean/model/features/facts.ts";
import type { ModelData } from "#ingest/clean/model/model.ts";
import { predict, readTrees, type TreeData } from "#ingest/clean/model/trees.ts";
import { estimateTypes, listTypeTokens, type PageTypeData } from "#ingest/clean/type/page-type.ts";
import type { Example } from "./examples.ts";
import { fitTypes, type TypedPage } from "./fit-types.ts";
import { getFold } from "./folds.ts";
import { chooseTokens, computeOdds, type Counts, countTokens, createOdds } from "./tokens.ts";
import { type BoostOptions, boostTrees, type Targets } from "./trees/boost.ts";
import { binRows, collectRows, getRow, joinMatrices } from "./trees/matrix.ts";

const FIRST: BoostOptions = {
  trees: 130,
  leaves: 31,
  rate: 0.1,
  minWeight: 10,
  damping: 4,
  pageShare: 0.6,
  featureShare: 0.35,
  seed: 3,
};
const SECOND: BoostOptions = { ...FIRST, trees: 150, rate: 0.08, seed: 5 };

/** An example with what is found once for a page. */
type Described = Example & { readonly facts: PageFacts };
/** The blocks of all pages, those of each page together. */
type Blocks = { readonly pages: readonly Described[]; readonly starts: readonly number[]; readonly targets: Targets };

/**
 * Fits a model to examples. What one part of the model takes from another is taken from other sites: the odds of tokens that the first trees
 * are fitted to, and the first estimates that the second trees are fitted to, come from the other folds.
 */
export function fitModel(examples: readonly Example[]): ModelData {
  const folds = [...new Set(examples.map(({ site }) => getFold(site)))].sort();
  const counts = countTokens(examples);
  const chosen = chooseTokens(counts);
  const foldOdds = new Map(folds.map((fold) => [fold, createOdds(computeOdds(countOthers(examples, fold)), chosen)]));
  const pages = examples.map((example): Described => {
    const odds = foldOdds.get(getFold(example.site)) ?? (() => 0);
    return { ...example, facts: findFacts(example.outline, example.hints, odds) };
  });
  const typed = listTypedPages(pages);
  const blocks = listBlocks(pages.filter(({ weights }) => weights.some((weight) => weight > 0)));
  return { types: fitTypes(typed), ...writeOdds(counts, chosen), ...fitTrees(blocks, folds, typed) };
}

/** Fits the first trees to the features of blocks, and the second ones to these and the estimates of first trees of the other folds. */
function fitTrees(blocks: Blocks, folds: readonly number[], typed: readonly TypedPage[]): Pick<ModelData, "first" | "second"> {
  const { pages, starts, targets } = blocks;
  const features = collectRows(
    targets.labels.length,
    flatMapLazily(pages, ({ facts }) => describeBlocks(facts)),
  );
  const matrix = binRows(features, FIRST.seed);
  const fitFirst = (fold?: number): TreeData =>
    boostTrees(
      matrix,
      targets,
      pickBlocks(blocks, ({ site }) => getFold(site) !== fold),
      FIRST,
    );
  const others = new Map(
    folds.map((fold) => {
      const types = fitTypes(typed.filter(({ site }) => getFold(site) !== fold));
      return [fold, { types, forest: readTrees(fitFirst(fold)) }];
    }),
  );
  const estimate = ({ facts, outline, site }: Described, at: number): Iterable<number[]> => {
    const { types, forest } = others.get(getFold(site)) as { types: PageTypeData; forest: ReturnType<typeof readTrees> };
    const estimates = Float32Array.from(outline.blocks, (_, block) => predict(forest, getRow(features, (starts[at] as number) + block)));
    return describeEstimates({ facts, types: estimateTypes(types, listTypeTokens(facts)), estimates });
  };
  const contexts = binRows(collectRows(targets.labels.length, flatMapLazily(pages, estimate)), SECOND.seed);
  const first = fitFirst();
  const second = boostTrees(
    joinMatrices(matrix, contexts),
    targets,
    pickBlocks(blocks, () => true),
    SECOND,
  );
  return { first, second };
}

/** Like `flatMap`, but with the results of one item in memory at a time. */
function* flatMapLazily<T, R>(items: readonly T[], map: (item: T, at: number) => Iterable<R>): Generator<R> {
  for (const [at, item] of items.entries()) yield* map(item, at);
}

const listTypedPages = (pages: readonly Described[]): TypedPage[] =>
  pages.flatMap(({ type, site, facts }) => (type === null ? [] : [{ type, site, tokens: listTypeTokens(facts) }]));

const countOthers = (examples: readonly Example[], fold: number): Counts =>
  countTokens(examples.filter(({ site }) => getFold(site) !== fold));

function listBlocks(pages: readonly Described[]): Blocks {
  const starts: number[] = [];
  let count = 0;
  for (const { labels } of pages) {
    starts.push(count);
    count += labels.length;
  }
  const targets = { labels: new Float32Array(count), weights: new Float32Array(count), pages: new Int32Array(count) };
  for (const [at, { labels, weights }] of pages.entries()) {
    targets.labels.set(labels, starts[at]);
    targets.weights.set(weights, starts[at]);
    targets.pages.fill(at, starts[at], (starts[at] as number) + labels.length);
  }
  return { pages, starts, targets };
}

/** Lists the positions of the blocks of some pages. */
const pickBlocks = ({ pages, targets }: Blocks, has: (page: Described) => boolean): Int32Array =>
  Int32Array.from(targets.pages.keys()).filter((block) => has(pages[targets.pages[block] as number] as Described));

function writeOdds(counts: Counts, chosen: ReturnType<typeof chooseTokens>): Pick<ModelData, "names" | "words"> {
  const table = computeOdds(counts);
  const write = (kind: "name" | "word"): Readonly<Record<string, number>> =>
    Object.fromEntries(
      [...chosen[kind]].sort().flatMap((token) => (table[kind].get(token) ? [[token, table[kind].get(token) as number]] : [])),
    );
  return { names: write("name"), words: write("word") };
}
