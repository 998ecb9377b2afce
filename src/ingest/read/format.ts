import type { TileMetadata, TileWarning } from "#domain/content/tile.ts";

/** The forms of file that are read. Which of the packages a `zip` is (DOCX, PPTX, XLSX, ODF, EPUB) is told from what is inside. */
export const FILE_FORMATS = ["pdf", "docx", "pptx", "xlsx", "odf", "epub", "zip", "rtf", "image", "audio", "video"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** A line of a file that has a time, such as a lyric; in milliseconds. */
export type TimedLine = { readonly startMs: number; readonly endMs: number; readonly text: string };

/** A file's words as light Markdown, and what it says of itself. */
export type ParsedDocument = {
  readonly title: string | null;
  readonly text: string;
  readonly metadata: TileMetadata;
  readonly warnings: readonly TileWarning[];
  /** Words that have their times, which `text` does not repeat. */
  readonly lines?: readonly TimedLine[];
  /** The length in time was counted from the bytes that were given, so it grows with the whole file's. */
  readonly countsBytes?: boolean;
};
