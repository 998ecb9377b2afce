import type { Segment } from "@tessera-board/sdk";
import type { Span } from "../../text/offset-map.ts";

/** A section of a transcript with one timestamp. */
export type TranscriptRow = Span & { readonly seconds: number };

/** A section ends with its paragraph, or with the segment that reaches this length in seconds. */
const MAX_SECONDS = 20;

/**
 * Groups the segments of a transcript into sections of some seconds, in text order and without gaps. Empty if the segments do not fit the
 * text.
 */
export function groupSegments(text: string, segments: readonly Segment[] | undefined): readonly TranscriptRow[] {
  const parts = segments ?? [];
  let before = 0;
  for (const { start, end, seconds } of parts) {
    if (!(start >= before && end > start && end <= text.length && Number.isFinite(seconds) && seconds >= 0)) return [];
    before = end;
  }
  const rows: TranscriptRow[] = [];
  for (const { start, end, seconds } of parts) {
    const row = rows.at(-1);
    const goesOn = row !== undefined && seconds - row.seconds < MAX_SECONDS && !text.slice(row.end, start).includes("\n\n");
    if (goesOn) rows[rows.length - 1] = { ...row, end };
    else rows.push({ start, end, seconds });
  }
  // Text between two sections belongs to the first.
  return rows.map((row, index) => ({ ...row, end: rows[index + 1]?.start ?? row.end }));
}
