import type { TileMetadata, TileWarning } from "#domain/content/tile.ts";

/** The supported file formats. A `zip` is DOCX, PPTX, XLSX, ODF or EPUB, depending on the files in it. */
export const FILE_FORMATS = ["pdf", "docx", "pptx", "xlsx", "odf", "epub", "zip", "rtf", "image", "audio", "video"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** A line with its time, such as a lyric. */
export type TimedLine = { readonly startMs: number; readonly endMs: number; readonly text: string };

/** A file's text as light Markdown, and its metadata. */
export type ParsedDocument = {
  readonly title: string | null;
  readonly text: string;
  readonly metadata: TileMetadata;
  readonly warnings: readonly TileWarning[];
  /** Text with times, which `text` does not contain. */
  readonly lines?: readonly TimedLine[];
  /** The duration was estimated from the number of bytes. For a truncated file it has to be scaled to the size of the whole file. */
  readonly isDurationFromBytes?: boolean;
};
