import { getDocumentProxy } from "unpdf";
import { FILE_TRUNCATED_WARNING, MAX_TEXT_LENGTH } from "../truncate.ts";
import { encryptedError, noTextError, unreadableError } from "../errors.ts";
import type { ParsedDocument } from "../format.ts";
import { getValue } from "../json-access.ts";
import { withoutFurniture } from "./furniture.ts";
import { type Line, linesOf } from "./lines.ts";
import { measureLines, paragraphsOf } from "./paragraphs.ts";
import { readInfo } from "./properties.ts";
import { withoutStrays } from "./strays.ts";

const MAX_PAGES = 2_000;
/** Pages are read for so long; what is had by then is kept, since a thread that takes longer is ended with nothing. */
const MAX_MS = 7_000;
const SCANNED = "This PDF holds pictures of pages, and no text. Paste its text, or configure a model that reads pictures.";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    // A copy, since the parser takes the memory for itself.
    return await getDocumentProxy(Uint8Array.from(bytes), {
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

async function readPages(pdf: Pdf, until: number): Promise<{ readonly pages: readonly (readonly Line[])[]; readonly isCut: boolean }> {
  const pages: Line[][] = [];
  let length = 0;
  for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES); number++) {
    if (length > MAX_TEXT_LENGTH || performance.now() > until) return { pages, isCut: true };
    const lines = await readPage(pdf, number);
    length += lines.reduce((sum, line) => sum + line.text.length, 0);
    pages.push(lines);
  }
  return { pages, isCut: pdf.numPages > MAX_PAGES };
}

/** A broken page does not take the others with it. */
async function readPage(pdf: Pdf, number: number): Promise<Line[]> {
  try {
    const page = await pdf.getPage(number);
    const lines = linesOf(await page.getTextContent());
    page.cleanup();
    return lines;
  } catch {
    return [];
  }
}

/** The lines at the top of the first page that are larger than all others. */
function largestLines(pages: readonly (readonly Line[])[], usual: number): string | null {
  const first = pages.find((page) => page.length > 0)?.slice(0, 30) ?? [];
  const largest = first.reduce((most, line) => (/\p{L}{2}/u.test(line.text) ? Math.max(most, line.size) : most), 0);
  if (largest < usual * 1.15) return null;
  const start = first.findIndex((line) => line.size === largest && /\p{L}{2}/u.test(line.text));
  const end = first.findIndex((line, place) => place > start && line.size !== largest);
  const title = first
    .slice(start, end < 0 ? start + 3 : Math.min(end, start + 3))
    .map(({ text }) => text)
    .join(" ");
  return title.length > 300 ? null : title || null;
}

/**
 * Reads a PDF (ISO 32000-2) with a text layer: page by page, lines rejoined to paragraphs, running heads and feet left out; at most
 * 2,000 pages. Throws `IngestError` `encrypted`, `unreadable_file` or, for pictures of pages, `no_text`.
 */
export const readPdf = (bytes: Uint8Array): Promise<ParsedDocument> => withoutStrays(() => read(bytes));

async function read(bytes: Uint8Array): Promise<ParsedDocument> {
  const until = performance.now() + MAX_MS;
  const pdf = await open(bytes);
  try {
    const { title, about, metadata } = readInfo(getValue(await pdf.getMetadata().catch(() => null), "info"));
    const { pages, isCut } = await readPages(pdf, until);
    const all = { ...metadata, stats: { pages: pdf.numPages } };
    const bare = withoutFurniture(pages);
    const measure = measureLines(bare);
    const text = paragraphsOf(bare, measure).join("\n\n");
    if (!/[\p{L}\p{N}]/u.test(text)) {
      if (title === null && about === "") throw noTextError(SCANNED);
      return { title, text: about || (title ?? ""), metadata: all, warnings: [{ code: "no_text", message: SCANNED }] };
    }
    return { title: title ?? largestLines(bare, measure.size), text, metadata: all, warnings: isCut ? [FILE_TRUNCATED_WARNING] : [] };
  } finally {
    await pdf.loadingTask.destroy().catch(() => undefined);
  }
}
