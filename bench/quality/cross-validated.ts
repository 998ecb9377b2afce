import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatDecimal } from "../output/numbers.ts";

/** Figures of pages of sites that the model of page content was not fitted to, by name. `npm run fit -- clean --write` writes them. */
export type CrossValidated = Readonly<Record<string, number>>;

export const CROSS_VALIDATED_FILE = join(import.meta.dirname, "cross-validated.json");

/** Returns a function that formats a cross-validated figure. */
export function readCrossValidated(): (name: string) => string {
  const figures = JSON.parse(readFileSync(CROSS_VALIDATED_FILE, "utf8")) as CrossValidated;
  return (name) => (figures[name] === undefined ? "–" : formatDecimal(figures[name], 4));
}
