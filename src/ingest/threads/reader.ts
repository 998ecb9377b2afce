import type { CleanedPage, HtmlPage } from "../clean/page.ts";
import type { PageHead } from "../clean/head.ts";
import type { ParsedDocument } from "../read/document.ts";
import type { DecodedText } from "../read/plain/plain-text.ts";
import type { ParsedFeed } from "../read/feed/feed.ts";
import type { FileFormat } from "../read/format.ts";

/** A page as it was fetched. Its charset is detected from the content type, a byte order mark or the page itself. */
export type RawPage = { readonly body: Uint8Array; readonly contentType: string | undefined; readonly url: string };

/**
 * Reads untrusted content. Each call runs in a thread that can be terminated, with bounded time and memory. Throws `IngestError`
 * `page_too_complex` (stage `clean`) if a limit is exceeded, or the signal's reason. Byte arrays are transferred to the thread, so the
 * caller can't use them afterwards.
 */
export type ContentReader = {
  /** Decodes a page and returns its main text and metadata. */
  page(page: RawPage, signal: AbortSignal): Promise<CleanedPage>;
  /** Decodes plain text. */
  plainText(page: RawPage, signal: AbortSignal): Promise<DecodedText>;
  /** Returns the main text and metadata of a decoded page. */
  clean(page: HtmlPage, signal: AbortSignal): Promise<CleanedPage>;
  /** Returns the metadata in the head of a page. */
  head(page: HtmlPage, signal: AbortSignal): Promise<PageHead>;
  /** Parses an RSS, Atom, RDF or JSON feed. Returns null if the text is not a feed. */
  feed(text: string, signal: AbortSignal): Promise<ParsedFeed | null>;
  /** Returns the text and metadata of a file. Throws `IngestError` if it can't be read. */
  document(bytes: Uint8Array, form: FileFormat, signal: AbortSignal): Promise<ParsedDocument>;
};
