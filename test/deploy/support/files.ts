import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads a file of the repository. */
export const readFile = (path: string): string => readFileSync(join(import.meta.dirname, "../../..", path), "utf8");
