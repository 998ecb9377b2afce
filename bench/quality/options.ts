import type { Report } from "../output/report.ts";
import type { SetName } from "./search/sets.ts";

/** What every part of the benchmark is told. */
export type Options = {
  /** The folder of the evaluation data. */
  readonly data: string;
  /** The sets of the part `retrieval`. */
  readonly sets: readonly SetName[];
  readonly hasVectors: boolean;
  /** Questions asked of each board, evenly spread; null: all of them. */
  readonly sample: number | null;
};

/** A part of the benchmark; null when its data is absent. */
export type Part = (options: Options) => Promise<Report | null>;
