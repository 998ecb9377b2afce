import { describeBlocks } from "#ingest/clean/model/features/describe-blocks.ts";
import { describeEstimates } from "#ingest/clean/model/features/estimates.ts";
import { findFacts, type PageFacts } from "#ingest/clean/model/features/facts.ts";
import type { ModelData } from "#ingest/clean/model/model.ts";
import { predict, readTrees, type TreeData } from "#ingest/clean/model/trees.ts";
import { estimateTypes, listTypeTokens } from "#ingest/clean/type/page-type.ts";
import { type BoostOptions, boostTrees, type Targets } from "./boost.ts";
import type { Example } from "./examples.ts";
import { fitTypes, type TypedPage } from "./fit-types.ts";
import { getFold } from "./folds.ts";
import { binRows } from "./matrix.ts";
import { chooseTokens, computeOdds, type Counts, countTokens, createOdds } from "./tokens.ts";

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

/** Rows of all blocks of all examples, those of each example together. */
type Rows = { readonly examples: readonly Example[]; readonly starts: readonly number[]; readonly targets: Targets };

/**
 * Fits a model to examples. What one part of the model takes from another is taken from other sites: the odds of tokens that the first trees
 * are fitted to, and the first estimates that the second trees are fitted to, come from the other folds.
 */
export function fitModel(examples: readonly Example[]): ModelData {
  const rows = listRows(examples);
  const folds = [...new Set(examples.map(({ site }) => getFold(site)))].sort();
  const counts = countTokens(examples);
  const chosen = chooseTokens(counts);
  const foldOdds = new Map(folds.map((fold) => [fold, createOdds(computeOdds(countOthers(examples, fold)), chosen)]));
  const facts = examples.map((example) => findFacts(example.outline, example.hints, foldOdds.get(getFold(example.site)) ?? (() => 0)));
  const features = facts.flatMap((one) => describeBlocks(one)).map((row) => Float32Array.from(row));
  const matrix = binRows(features, FIRST.seed);
  const fitFirst = (fold?: number): TreeData => {
    return boostTrees(
      matrix,
      rows.targets,
      pickRows(rows, (example) => getFold(example.site) !== fold),
      FIRST,
    );
  };
  const typed = listTypedPages(examples, facts);
  const typesByFold = new Map(folds.map((fold) => [fold, fitTypes(typed.filter(({ site }) => getFold(site) !== fold))]));
  const foldTypes = (site: string, at: number): number[] =>
    estimateTypes(typesByFold.get(getFold(site)) ?? {}, listTypeTokens(facts[at] as PageFacts));
  const forests = new Map(folds.map((fold) => [fold, readTrees(fitFirst(fold))]));
  const contexts = examples.flatMap(({ site, outline }, at) => {
    const forest = forests.get(getFold(site));
    const start = rows.starts[at] as number;
    const estimates = Float32Array.from(outline.blocks, (_, block) =>
      forest ? predict(forest, features[start + block] as Float32Array) : 0,
    );
    return describeEstimates({ facts: facts[at] as PageFacts, types: foldTypes(site, at), estimates });
  });
  const first = fitFirst();
  const joined = features.map((row, at) => Float32Array.from([...row, ...(contexts[at] as number[])]));
  const second = boostTrees(
    binRows(joined, SECOND.seed),
    rows.targets,
    pickRows(rows, () => true),
    SECOND,
  );
  return { types: fitTypes(typed), ...writeOdds(counts, chosen), first, second };
}

const listTypedPages = (examples: readonly Example[], facts: readonly PageFacts[]): TypedPage[] =>
  examples.flatMap(({ type, site }, at) => (type === null ? [] : [{ type, site, tokens: listTypeTokens(facts[at] as PageFacts) }]));

const countOthers = (examples: readonly Example[], fold: number): Counts =>
  countTokens(examples.filter(({ site }) => getFold(site) !== fold));

function listRows(examples: readonly Example[]): Rows {
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

const pickRows = ({ examples, starts }: Rows, has: (example: Example) => boolean): Int32Array =>
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
