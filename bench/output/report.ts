/** A number with the target it is held against. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  /** How the value is written; "ratio", "share" (in finer steps) and "times" have no unit. */
  readonly unit: "ratio" | "share" | "times" | "ms" | "s" | "MB" | "per second";
  /** Without a target the figure is printed beside. */
  readonly least?: number;
  readonly most?: number;
  readonly beside: string;
};

/** Numbers without targets. */
export type Section = {
  readonly title: string;
  readonly note?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

export type Report = { readonly figures: readonly Figure[]; readonly sections: readonly Section[] };

export type Verdict = "ok" | "over" | "under" | "–";

export function verdictOf({ value, least, most }: Figure): Verdict {
  if (least === undefined && most === undefined) return "–";
  if (Number.isNaN(value)) return "over";
  if (least !== undefined && value < least) return "under";
  return most !== undefined && value > most ? "over" : "ok";
}
