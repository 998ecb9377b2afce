import type { CleanedPage, HtmlPage } from "../clean/page.ts";
import type { PageHead } from "../clean/head.ts";
import type { ParsedDocument } from "../read/document.ts";
import type { PlainText } from "../read/plain/plain-text.ts";
import type { ParsedFeed } from "../read/feed/feed.ts";
import type { FileFormat } from "../read/format.ts";

/** A page as it was fetched; its charset is told by the content type, a mark or the page itself. */
export type RawPage = { readonly body: Uint8Array; readonly contentType: string | undefined; readonly url: string };

/**
 * Reads what came from outside where it can be ended: each call runs in a thread with bounded time and memory. Throws `IngestError`
 * `page_too_complex` (stage `clean`) beyond those, or the signal's reason.
 */
export type Reader = {
  /** A page's words, from its bytes as they came; the bytes are given away with it. */
  page(page: RawPage, signal: AbortSignal): Promise<CleanedPage>;
  /** Plain words, from their bytes; the bytes are given away. */
  plainText(page: RawPage, signal: AbortSignal): Promise<PlainText>;
  /** A page's words. */
  clean(page: HtmlPage, signal: AbortSignal): Promise<CleanedPage>;
  /** What a page's head says. */
  head(page: HtmlPage, signal: AbortSignal): Promise<PageHead>;
  /** An RSS, Atom, RDF or JSON feed; null where it is none. */
  feed(text: string, signal: AbortSignal): Promise<ParsedFeed | null>;
  /** A file's words and what it says of itself; the bytes are given away. Throws `IngestError` where it can't be read. */
  document(bytes: Uint8Array, form: FileFormat, signal: AbortSignal): Promise<ParsedDocument>;
};
