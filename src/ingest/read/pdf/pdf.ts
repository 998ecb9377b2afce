import { getDocumentProxy } from "unpdf";
import { FILE_TRUNCATED_WARNING, MAX_TEXT_LENGTH } from "../truncate.ts";
import { encryptedError, noTextError, unreadableError } from "../errors.ts";
import type { ParsedDocument } from "../format.ts";
import { getValue } from "../json-access.ts";
import { removeRunningHeaders } from "./running-headers.ts";
import { type PdfLine, toLines } from "./lines.ts";
import { measureText, toParagraphs } from "./paragraphs.ts";
import { readInfo } from "./properties.ts";
import { withBoundedInflate } from "./bounded-inflate.ts";
import { ignoreRejections } from "./ignore-rejections.ts";

const MAX_PAGES = 2_000;
/** Reading stops after this time, and the pages read so far are kept. All pages would be lost if the thread's own limit was exceeded. */
const MAX_READ_MS = 7_000;
const SCANNED = "This PDF contains scanned pages and no text. Paste its text, or configure a model that reads pictures.";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, {
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      isOffscreenCanvasSupported: false,
      enableXfa: false,
      maxImageSize: 1,
      verbosity: 0,
    });
  } catch (error) {
    throw error instanceof Error && error.name === "PasswordException" ? encryptedError("PDF") : unreadableError(error);
  }
}

async function readPages(
  pdf: Pdf,
  until: number,
): Promise<{ readonly pages: readonly (readonly PdfLine[])[]; readonly isTruncated: boolean }> {
  const pages: PdfLine[][] = [];
  let length = 0;
  for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES); number++) {
    if (length > MAX_TEXT_LENGTH || performance.now() > until) return { pages, isTruncated: true };
    const lines = await readPage(pdf, number);
    length += lines.reduce((sum, line) => sum + line.text.length, 0);
    pages.push(lines);
  }
  return { pages, isTruncated: pdf.numPages > MAX_PAGES };
}

/** Returns no lines for a damaged page, so that the others can still be read. */
async function readPage(pdf: Pdf, number: number): Promise<PdfLine[]> {
  try {
    const page = await pdf.getPage(number);
    const lines = toLines(await page.getTextContent());
    page.cleanup();
    return lines;
  } catch {
    return [];
  }
}

/** Returns the lines with the largest font at the top of the first page as the title, or null if no font is clearly larger. */
function findTitle(pages: readonly (readonly PdfLine[])[], bodySize: number): string | null {
  const first = pages.find((page) => page.length > 0)?.slice(0, 30) ?? [];
  const largest = first.reduce((max, line) => (/\p{L}{2}/u.test(line.text) ? Math.max(max, line.size) : max), 0);
  if (largest < bodySize * 1.15) return null;
  const start = first.findIndex((line) => line.size === largest && /\p{L}{2}/u.test(line.text));
  const end = first.findIndex((line, index) => index > start && line.size !== largest);
  const title = first
    .slice(start, end < 0 ? start + 3 : Math.min(end, start + 3))
    .map(({ text }) => text)
    .join(" ");
  return title.length > 300 ? null : title || null;
}

/**
 * Reads a PDF (ISO 32000-2) with a text layer, at most 2,000 pages. Lines are joined to paragraphs; running headers and footers are left
 * out. Throws `IngestError` `encrypted`, `unreadable_file` or, for scanned pages, `no_text`.
 */
export const readPdf = (bytes: Uint8Array): Promise<ParsedDocument> => ignoreRejections(() => withBoundedInflate(() => read(bytes)));

async function read(bytes: Uint8Array): Promise<ParsedDocument> {
  const until = performance.now() + MAX_READ_MS;
  const pdf = await open(bytes);
  try {
    const { title, about, metadata } = readInfo(getValue(await pdf.getMetadata().catch(() => null), "info"));
    const { pages, isTruncated } = await readPages(pdf, until);
    const allMetadata = { ...metadata, stats: { pages: pdf.numPages } };
    const body = removeRunningHeaders(pages);
    const statistics = measureText(body);
    const text = toParagraphs(body, statistics).join("\n\n");
    if (!/[\p{L}\p{N}]/u.test(text)) {
      if (title === null && about === "") throw noTextError(SCANNED);
      return { title, text: about || (title ?? ""), metadata: allMetadata, warnings: [{ code: "no_text", message: SCANNED }] };
    }
    return {
      title: title ?? findTitle(body, statistics.size),
      text,
      metadata: allMetadata,
      warnings: isTruncated ? [FILE_TRUNCATED_WARNING] : [],
    };
  } finally {
    await pdf.loadingTask.destroy().catch(() => undefined);
  }
}
