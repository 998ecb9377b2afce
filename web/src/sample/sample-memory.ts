import type { Board } from "@tessera-board/sdk";

/** What this browser remembers of the sample board for a member. No record: the sample is still to be offered. */
export type SampleRecord =
  | { readonly state: "declined" | "closed" }
  /** Being created, or interrupted. `runId` is part of every idempotency key, so that a retry creates nothing twice. */
  | { readonly state: "started"; readonly runId: string; readonly boardId: string | null }
  /** Complete; the board still explains itself. */
  | { readonly state: "complete"; readonly boardId: string };

/** The slug of a sample board. It stays when the board is renamed; the server appends a number to the second one. */
const SAMPLE_SLUG = /^sample-fernhill-observatory(?:-\d+)?$/;

export const isSampleBoard = (board: Pick<Board, "slug"> | undefined): boolean => board !== undefined && SAMPLE_SLUG.test(board.slug);

/** Used where storage is blocked: the decision then lasts as long as the page. */
const records = new Map<string, SampleRecord>();

const storageKey = (memberId: string): string => `tessera-sample:${memberId}`;

export function readSampleRecord(memberId: string): SampleRecord | null {
  const kept = records.get(memberId);
  if (kept !== undefined) return kept;
  try {
    const written = localStorage.getItem(storageKey(memberId));
    return written === null ? null : (JSON.parse(written) as SampleRecord);
  } catch {
    return null;
  }
}

export function writeSampleRecord(memberId: string, record: SampleRecord): void {
  records.set(memberId, record);
  try {
    localStorage.setItem(storageKey(memberId), JSON.stringify(record));
  } catch {
    // The record lasts as long as the page.
  }
}
