import { IngestError } from "#domain/content/job.ts";
import { replaceInvalidCharacters } from "../clean/text.ts";
import { unreadableError } from "./errors.ts";
import type { FileFormat, ParsedDocument } from "./format.ts";
import { truncateDocument } from "./truncate.ts";

export type { ParsedDocument } from "./format.ts";

/** Each reader is loaded by the first file that needs it. */
async function readForm(bytes: Uint8Array, form: FileFormat): Promise<ParsedDocument> {
  if (form === "pdf") return (await import("./pdf/pdf.ts")).readPdf(bytes);
  if (form === "rtf") return (await import("./office/rtf/rtf.ts")).readRtf(bytes);
  if (form === "image") return (await import("./media/image.ts")).readImage(bytes);
  if (form === "audio" || form === "video") return (await import("./media/sound.ts")).readSound(bytes, form);
  return (await import("./office/package.ts")).readPackage(bytes);
}

/**
 * Reads a file's bytes; its text has at most 1,000,000 code points. Throws `IngestError` (stage `extract`) where there is nothing
 * to be read: `unreadable_file`, `encrypted`, `too_large`, `no_text` or `unsupported_content`; nothing else is ever thrown.
 *
 * A picture or a recording is answered with what it says of itself and the warning `no_text` or `no_transcript`. Models add what
 * they see and hear behind this, in the extractor of files: they need the network, and threads have none.
 */
export async function readDocument(bytes: Uint8Array, form: FileFormat): Promise<ParsedDocument> {
  try {
    const read = await readForm(bytes, form);
    return truncateDocument({ ...read, text: replaceInvalidCharacters(read.text) });
  } catch (error) {
    // Libraries stumble over broken files with errors of every kind.
    throw error instanceof IngestError ? error : unreadableError(error);
  }
}
