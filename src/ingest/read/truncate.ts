import { truncateText, truncationWarning } from "../clean/text.ts";
import type { ParsedDocument } from "./format.ts";

/** Readers stop at this many UTF-16 code units: the maximum length of 1,000,000 code points. */
export const MAX_TEXT_LENGTH = 2_000_000;

export const FILE_TRUNCATED_WARNING = truncationWarning("file");

/** Truncates the document's text to the maximum of a tile, and adds the warning unless it is there already. */
export function truncateDocument(document: ParsedDocument): ParsedDocument {
  const { text, truncated } = truncateText(document.text.trim());
  const hasWarning = document.warnings.some(({ code }) => code === FILE_TRUNCATED_WARNING.code);
  const warnings = truncated && !hasWarning ? [...document.warnings, FILE_TRUNCATED_WARNING] : document.warnings;
  return { ...document, text, warnings };
}
