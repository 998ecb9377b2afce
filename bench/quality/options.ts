import type { Report } from "../output/report.ts";
import type { SetName } from "./search/sets.ts";

/** Options of every part of the benchmark. */
export type Options = {
  /** The folder of the evaluation data. */
  readonly data: string;
  /** The sets of the part `retrieval`. */
  readonly sets: readonly SetName[];
  readonly hasVectors: boolean;
  /** Number of questions asked of each board, evenly spread; null for all. */
  readonly sample: number | null;
};

/** A part of the benchmark; returns null if its data is absent. */
export type Part = (options: Options) => Promise<Report | null>;
