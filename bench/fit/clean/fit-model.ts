import { describeBlocks } from "#ingest/clean/model/features/describe-blocks.ts";
import { describeEstimates } from "#ingest/clean/model/features/estimates.ts";
import { findFacts, type PageFacts } from "#ingest/clean/model/features/facts.ts";
import type { ModelData } from "#ingest/clean/model/model.ts";
import { predict, readTrees, type TreeData } from "#ingest/clean/model/trees.ts";
import { estimateTypes, listTypeTokens } from "#ingest/clean/type/page-type.ts";
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

/** The blocks of all examples, those of each example together. */
type Blocks = { readonly examples: readonly Example[]; readonly starts: readonly number[]; readonly targets: Targets };

/**
 * Fits a model to examples. What one part of the model takes from another is taken from other sites: the odds of tokens that the first trees
 * are fitted to, and the first estimates that the second trees are fitted to, come from the other folds.
 */
export function fitModel(examples: readonly Example[]): ModelData {
  const blocks = listBlocks(examples);
  const count = blocks.targets.labels.length;
  const folds = [...new Set(examples.map(({ site }) => getFold(site)))].sort();
  const counts = countTokens(examples);
  const chosen = chooseTokens(counts);
  const foldOdds = new Map(folds.map((fold) => [fold, createOdds(computeOdds(countOthers(examples, fold)), chosen)]));
  const facts = examples.map((example) => findFacts(example.outline, example.hints, foldOdds.get(getFold(example.site)) ?? (() => 0)));
  const features = collectRows(count, flatMapLazily(facts, describeBlocks));
  const matrix = binRows(features, FIRST.seed);
  const fitFirst = (fold?: number): TreeData =>
    boostTrees(
      matrix,
      blocks.targets,
      pickBlocks(blocks, ({ site }) => getFold(site) !== fold),
      FIRST,
    );
  const typed = listTypedPages(examples, facts);
  const typesByFold = new Map(folds.map((fold) => [fold, fitTypes(typed.filter(({ site }) => getFold(site) !== fold))]));
  const forests = new Map(folds.map((fold) => [fold, readTrees(fitFirst(fold))]));
  const estimate = (own: PageFacts, at: number): number[][] => {
    const fold = getFold((examples[at] as Example).site);
    const [forest, start] = [forests.get(fold), blocks.starts[at] as number];
    const estimates = Float32Array.from(own.outline.blocks, (_, block) => (forest ? predict(forest, getRow(features, start + block)) : 0));
    return describeEstimates({ facts: own, types: estimateTypes(typesByFold.get(fold) ?? {}, listTypeTokens(own)), estimates });
  };
  const contexts = binRows(collectRows(count, flatMapLazily(facts, estimate)), FIRST.seed);
  const first = fitFirst();
  const second = boostTrees(
    joinMatrices(matrix, contexts),
    blocks.targets,
    pickBlocks(blocks, () => true),
    SECOND,
  );
  return { types: fitTypes(typed), ...writeOdds(counts, chosen), first, second };
}

/** Like `flatMap`, but with the results of one item in memory at a time. */
function* flatMapLazily<T, R>(items: readonly T[], map: (item: T, at: number) => readonly R[]): Generator<R> {
  for (const [at, item] of items.entries()) yield* map(item, at);
}

const listTypedPages = (examples: readonly Example[], facts: readonly PageFacts[]): TypedPage[] =>
  examples.flatMap(({ type, site }, at) => (type === null ? [] : [{ type, site, tokens: listTypeTokens(facts[at] as PageFacts) }]));

const countOthers = (examples: readonly Example[], fold: number): Counts =>
  countTokens(examples.filter(({ site }) => getFold(site) !== fold));

function listBlocks(examples: readonly Example[]): Blocks {
  const starts: number[] = [];
  let count = 0;
  for (const { outline } of examples) {
    starts.push(count);
    count += outline.blocks.length;
  }
  const targets = { labels: new Float32Array(count), weights: new Float32Array(count), pages: new Int32Array(count) };
  for (const [at, { labels, weights }] of examples.entries()) {
    targets.labels.set(labels, starts[at]);
    targets.weights.set(weights, starts[at]);
    targets.pages.fill(at, starts[at], (starts[at] as number) + labels.length);
  }
  return { examples, starts, targets };
}

const pickBlocks = ({ examples, starts }: Blocks, has: (example: Example) => boolean): Int32Array =>
  Int32Array.from(
    examples.flatMap((example, at) =>
      has(example) ? Array.from(example.outline.blocks, (_, block) => (starts[at] as number) + block) : [],
    ),
  );

function writeOdds(counts: Counts, chosen: ReturnType<typeof chooseTokens>): Pick<ModelData, "names" | "words"> {
  const table = computeOdds(counts);
  const write = (kind: "name" | "word"): Readonly<Record<string, number>> =>
    Object.fromEntries(
      [...chosen[kind]].sort().flatMap((token) => (table[kind].get(token) ? [[token, table[kind].get(token) as number]] : [])),
    );
  return { names: write("name"), words: write("word") };
}
