import { describeBlocks } from "./features/describe-blocks.ts";
import { describeEstimates } from "./features/estimates.ts";
import { findFacts, type PageHints } from "./features/facts.ts";
import type { Odds } from "./odds.ts";
import type { Outline } from "./outline.ts";
import { estimateTypes, listTypeTokens, type PageTypeData } from "../type/page-type.ts";
import { predict, readTrees, type TreeData } from "./trees.ts";

/** A model as it is stored: the weights of page types, the odds of names and words, and the trees of both steps. */
export type ModelData = {
  readonly types: PageTypeData;
  readonly names: Readonly<Record<string, number>>;
  readonly words: Readonly<Record<string, number>>;
  readonly first: TreeData;
  readonly second: TreeData;
};

/** What a model tells of a page. */
export type Prediction = {
  /** Probability of each type, in the order of `PAGE_TYPES`. */
  readonly types: readonly number[];
  /** Position of the block with the title, or -1. */
  readonly titleAt: number;
  /** For each block, the probability that it is content. */
  readonly probabilities: Float32Array;
};
export type Model = (outline: Outline, hints: PageHints) => Prediction;

function createOdds({ names, words }: Pick<ModelData, "names" | "words">): Odds {
  const odds = { name: new Map(Object.entries(names)), word: new Map(Object.entries(words)) };
  return (kind, token) => odds[kind].get(token) ?? 0;
}

function join(row: Float32Array, context: readonly number[]): Float32Array {
  const joined = new Float32Array(row.length + context.length);
  joined.set(row);
  joined.set(context, row.length);
  return joined;
}

/** Creates a model that estimates twice: each block from its features, and again with the estimates of the blocks around it. */
export function createModel(data: ModelData): Model {
  const odds = createOdds(data);
  const [first, second] = [readTrees(data.first), readTrees(data.second)];
  return (outline, hints) => {
    const facts = findFacts(outline, hints, odds);
    // In single precision, as the splits of the trees were fitted.
    const rows = Array.from(describeBlocks(facts), (row) => Float32Array.from(row));
    const estimates = Float32Array.from(rows, (row) => predict(first, row));
    const types = estimateTypes(data.types, listTypeTokens(facts));
    const contexts = describeEstimates({ facts, types, estimates });
    const probabilities = Array.from(contexts, (context, at) => predict(second, join(rows[at] as Float32Array, context)));
    return {
      types,
      titleAt: facts.titleAt,
      probabilities: Float32Array.from(probabilities),
    };
  };
}
