import { capText, warnTruncated } from "../clean/text.ts";
import type { ReadDocument } from "./form.ts";

/** Most UTF-16 code units that a reader gathers before it stops: what no cut to 1,000,000 code points can keep. */
export const MAX_TEXT_LENGTH = 2_000_000;

/** The file held more than is kept. */
export const CUT = warnTruncated("file");

/** The document with its text cut to what a tile keeps, and told so once. */
export function capDocument(read: ReadDocument): ReadDocument {
  const capped = capText(read.text.trim());
  const isTold = read.warnings.some(({ code }) => code === CUT.code);
  return { ...read, text: capped.text, warnings: capped.truncated && !isTold ? [...read.warnings, CUT] : read.warnings };
}
