import type { Segment } from "@tessera/sdk";
import type { Span } from "../../text/offset-map.ts";

/** A stretch of a transcript that is shown with one time. */
export type Row = Span & { readonly seconds: number };

/** A stretch ends with its paragraph, and at the next part once it is so long, in seconds. */
const MAX_SECONDS = 20;

/**
 * The parts of a transcript gathered to stretches of some seconds, in the order of the text, which they cover from the first part to the
 * end of the last. Empty where the parts don't fit the text.
 */
export function groupSegments(text: string, segments: readonly Segment[] | undefined): readonly Row[] {
  const parts = segments ?? [];
  let before = 0;
  for (const { start, end, seconds } of parts) {
    if (!(start >= before && end > start && end <= text.length && Number.isFinite(seconds) && seconds >= 0)) return [];
    before = end;
  }
  const rows: Row[] = [];
  for (const { start, end, seconds } of parts) {
    const row = rows.at(-1);
    const goesOn = row !== undefined && seconds - row.seconds < MAX_SECONDS && !text.slice(row.end, start).includes("\n\n");
    if (goesOn) rows[rows.length - 1] = { ...row, end };
    else rows.push({ start, end, seconds });
  }
  // What stands between two stretches, if anything does, is shown with the first.
  return rows.map((row, index) => ({ ...row, end: rows[index + 1]?.start ?? row.end }));
}
