import { truncateText, truncationWarning } from "../clean/text.ts";
import type { ParsedDocument } from "./format.ts";

/** Most UTF-16 code units that a reader gathers before it stops: what no cut to 1,000,000 code points can keep. */
export const MAX_TEXT_LENGTH = 2_000_000;

/** The file held more than is kept. */
export const FILE_TRUNCATED_WARNING = truncationWarning("file");

/** The document with its text cut to what a tile keeps, and told so once. */
export function truncateDocument(read: ParsedDocument): ParsedDocument {
  const capped = truncateText(read.text.trim());
  const isTold = read.warnings.some(({ code }) => code === FILE_TRUNCATED_WARNING.code);
  return { ...read, text: capped.text, warnings: capped.truncated && !isTold ? [...read.warnings, FILE_TRUNCATED_WARNING] : read.warnings };
}
