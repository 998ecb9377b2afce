import { WEIGHTS } from "#retrieval/weights.ts";

/** A fitted constant, named `group.key` as in `src/retrieval/weights.ts`. */
export type Constant = { readonly name: string; get(): number; set(value: number): void };

type MutableWeights = Record<string, Record<string, number>>;

/** Fitted only when they are named: set by hand, the scale of a model, or so slow to measure that all boards are indexed anew. */
const SKIPPED: ReadonlySet<string> = new Set(["confidence.contradiction", "sentence.coverage", "index.titleTerm", "index.headingTerm"]);
/** Weights of similarities have no effect on a search by words alone. */
const NEEDS_VECTORS = /similarity/i;
/** Constants that are shares. */
const SHARES = /^bm25\.(?:b|prefix|correction)$|Share$|Quantile$|^confidenceBounds\.(?:fullCoverage|similarityWithoutVector)$/;

/** Lists the constants in the order of the file, or those named. Throws for a name without a group, or outside of the groups. */
export function listConstants(names: readonly string[], hasVectors: boolean): Constant[] {
  const groups = WEIGHTS as unknown as MutableWeights;
  const known = Object.entries(groups).flatMap(([group, weights]) => Object.keys(weights).map((key) => `${group}.${key}`));
  const chosen = names.length > 0 ? names : known.filter((name) => !SKIPPED.has(name) && (hasVectors || !NEEDS_VECTORS.test(name)));
  return chosen.map((name) => {
    const [group = "", key = ""] = name.split(".");
    const weights = groups[group];
    // Only models may have features without a weight yet.
    const isNewFeature = (group === "rerank" || group === "confidence") && key !== "";
    if (weights === undefined || (!(key in weights) && !isNewFeature))
      throw new Error(`"${name}" is not a constant of src/retrieval/weights.ts. Name one such as rerank.proximity.`);
    return { name, get: () => weights[key] ?? 0, set: (value: number) => void (weights[key] = value) };
  });
}

const FACTORS = [0.5, 0.8, 0.9, 1.1, 1.25, 2];
/** Weights of linear models may vanish, or change their sign in the next round. */
const LINEAR = /^(?:rerank|confidence|sentence)\./;
/** For a feature that has no weight yet; 1 is the scale of the model. */
const FIRST_VALUES = [-1, -0.3, 0.1, 0.3, 1, 3];

/** Values to try beside the current one. */
export function listValues(name: string, value: number): number[] {
  const values = value === 0 ? FIRST_VALUES : FACTORS.map((factor) => Number((value * factor).toPrecision(3)));
  if (LINEAR.test(name) && value !== 0) values.push(0);
  return SHARES.test(name) ? values.filter((tried) => tried >= 0 && tried <= 1) : values;
}

/** Writes new values into the source of `weights.ts`; a new feature is added at the end of its group. */
export function updateSource(source: string, values: ReadonlyMap<string, number>): string {
  let updated = source;
  for (const [name, value] of values) {
    const [group = "", key = ""] = name.split(".");
    const start = updated.indexOf(`\n  ${group}: {\n`);
    const end = updated.indexOf("\n  },\n", start);
    if (start < 0 || end < 0) throw new Error(`The group of "${name}" is not in src/retrieval/weights.ts.`);
    const body = updated.slice(start, end);
    const line = new RegExp(`(\\n {4}${key}: )-?[\\d._]+(?=,)`);
    const changed = line.test(body) ? body.replace(line, `$1${value}`) : `${body}\n    ${key}: ${value},`;
    updated = updated.slice(0, start) + changed + updated.slice(end);
  }
  return updated;
}
