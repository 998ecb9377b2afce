import { IngestError } from "#domain/content/job.ts";
import { replaceInvalidCharacters } from "../clean/text.ts";
import { unreadableError } from "./errors.ts";
import type { FileFormat, ParsedDocument } from "./format.ts";
import { truncateDocument } from "./truncate.ts";

export type { ParsedDocument } from "./format.ts";

/** Parses a file. The module for a format is loaded with the first file that needs it. */
async function readFormat(bytes: Uint8Array, format: FileFormat): Promise<ParsedDocument> {
  if (format === "pdf") return (await import("./pdf/pdf.ts")).readPdf(bytes);
  if (format === "rtf") return (await import("./office/rtf/rtf.ts")).readRtf(bytes);
  if (format === "image") return (await import("./media/image.ts")).readImage(bytes);
  if (format === "audio" || format === "video") return (await import("./media/recording.ts")).readRecording(bytes, format);
  return (await import("./office/package.ts")).readPackage(bytes);
}

/**
 * Reads a file's text, at most 1,000,000 code points, and its metadata. Throws only `IngestError` (stage `extract`), with the code
 * `unreadable_file`, `encrypted`, `too_large`, `no_text` or `unsupported_content`.
 *
 * The parser of PDF files transfers the bytes, so the caller can't use them afterwards.
 *
 * For pictures and recordings only the metadata is read, with the warning `no_text` or `no_transcript`. The extractor of files lets models
 * describe and transcribe them later, because threads have no network access.
 */
export async function readDocument(bytes: Uint8Array, format: FileFormat): Promise<ParsedDocument> {
  try {
    const document = await readFormat(bytes, format);
    return truncateDocument({ ...document, text: replaceInvalidCharacters(document.text) });
  } catch (error) {
    // Libraries throw errors of any kind for damaged files.
    throw error instanceof IngestError ? error : unreadableError(error);
  }
}
