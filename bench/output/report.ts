/** A measured number with its target. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  /** "ratio", "share" (three decimals) and "times" are printed without a unit. */
  readonly unit: "ratio" | "share" | "times" | "ms" | "s" | "MB" | "per second";
  /** Without a target the figure is informative. */
  readonly min?: number;
  readonly max?: number;
  readonly detail: string;
};

/** Numbers without targets. */
export type Section = {
  readonly title: string;
  readonly note?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

export type Report = { readonly figures: readonly Figure[]; readonly sections: readonly Section[] };

export type Status = "met" | "missed" | "–";

export function getStatus({ value, min, max }: Figure): Status {
  if (min === undefined && max === undefined) return "–";
  // A comparison with NaN, a failed measurement, is false.
  const isMet = (min === undefined || value >= min) && (max === undefined || value <= max);
  return isMet ? "met" : "missed";
}
