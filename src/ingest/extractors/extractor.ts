import type { Fetcher } from "#domain/fetch.ts";
import type { Ingested } from "#domain/job.ts";
import type { Kind } from "../detect.ts";
import type { Cleaner } from "../pool.ts";

/** Bytes to text by the charset that the content type, a byte order mark or the page itself tells. */
export type Decode = (body: Uint8Array, contentType: string | undefined) => { readonly text: string; readonly charset: string };

export type ExtractContext = {
  readonly url: URL;
  readonly kind: Kind;
  readonly fetcher: Fetcher;
  readonly decode: Decode;
  readonly cleaner: Cleaner;
  readonly signal: AbortSignal;
  /** Whether another extractor knows this kind better than the one that runs. */
  readonly isServed: (kind: Kind) => boolean;
};

/** The link leads to a thing that another extractor knows better. */
export type Moved = { readonly moved: URL; readonly kind: Kind };

export type Extractor = {
  readonly name: string;
  readonly accepts: (kind: Kind) => boolean;
  /** Throws `IngestError` when there is no text to be had. */
  readonly extract: (context: ExtractContext) => Promise<Ingested | Moved>;
};
