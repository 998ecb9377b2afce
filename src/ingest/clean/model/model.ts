import data from "./model.json" with { type: "json" };
import { describeContext } from "./context.ts";
import { describeBlocks, type PageHints } from "./features.ts";
import type { Outline } from "./outline.ts";
import { predict, readTrees, type TreeData } from "./trees.ts";

type ModelData = { readonly names: Readonly<Record<string, number>>; readonly words: Readonly<Record<string, number>>; readonly first: TreeData; readonly second: TreeData };

export function createModel({ names, words, first, second }: ModelData) {
  const odds = { name: new Map(Object.entries(names)), word: new Map(Object.entries(words)) };
  const [one, two] = [readTrees(first), readTrees(second)];
  return (outline: Outline, hints: PageHints): Float32Array => {
    const rows = describeBlocks(outline, hints, (kind, token) => odds[kind].get(token) ?? 0);
    const estimates = Float32Array.from(rows, (row) => predict(one, row));
    return Float32Array.from(describeContext(outline, estimates), (extra, at) => predict(two, [...(rows[at] as Float32Array), ...extra]));
  };
}

let current = createModel(data as unknown as ModelData);
export const estimate = (outline: Outline, hints: PageHints): Float32Array => current(outline, hints);
export const setModel = (model: ModelData): void => void (current = createModel(model));
