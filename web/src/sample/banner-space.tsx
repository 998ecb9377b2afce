import { useState } from "react";
import { readSampleRecord, type SampleRecord } from "./sample-memory.ts";

/** As high from the start as once the sample is ready, so that the columns below stay where they are. */
export const BANNER_SIZE = "mx-3 mt-2 min-h-12 max-sm:mb-2 max-sm:min-h-31 sm:pointer-coarse:min-h-15.5";

/** Whether the banner is shown above a sample board: until it is closed. */
export const hasBanner = (
  record: SampleRecord | null,
  boardId: string,
): record is Extract<SampleRecord, { readonly boardId: string | null }> =>
  (record?.state === "started" || record?.state === "complete") && (record.boardId === null || record.boardId === boardId);

/** Keeps the place of the banner while it loads. */
export function BannerSpace({ boardId, memberId }: { readonly boardId: string; readonly memberId: string }) {
  const [record] = useState(() => readSampleRecord(memberId));
  return hasBanner(record, boardId) ? <div className={BANNER_SIZE} /> : null;
}
