import { normaliseText } from "../text.ts";

/** Lines before and after a heading in which its date and author stand. */
const LINES_BEFORE = 4;
const LINES_AFTER = 10;
const MAX_LINE = 160;
const MAX_SCANNED = 200_000;

/** Returns the lines around the page's title, closest ones first. */
export function listLinesAt(title: string | null, linear: string): readonly string[] {
  const lines = linear.slice(0, MAX_SCANNED).split("\n");
  const own = normaliseText(title ?? "");
  const at = own === "" ? -1 : lines.findLastIndex((line) => line.length < 2 * own.length + 20 && normaliseText(line) === own);
  if (at < 0) return [];
  const around = [...lines.slice(at + 1, at + 1 + LINES_AFTER), ...lines.slice(Math.max(0, at - LINES_BEFORE), at).reverse()];
  return around.filter((line) => line.length <= MAX_LINE);
}
