import type { FetchedResource, Fetcher } from "#domain/content/fetch.ts";
import type { Ingested } from "#domain/content/job.ts";
import type { MediaReaders } from "#domain/model/media.ts";
import type { LinkKind } from "./kind.ts";
import type { AttemptClock } from "../jobs/attempt-clock.ts";
import type { ContentReader } from "../threads/reader.ts";
import type { SourceSettings } from "./settings.ts";

/** Decodes bytes by the charset in the content type, the byte order mark, or the page itself. */
export type Decode = (body: Uint8Array, contentType: string | undefined) => { readonly text: string; readonly charset: string };

export type ExtractContext = {
  /** The business that owns the link. Businesses take turns when they wait for shared resources. */
  readonly business: string;
  readonly url: URL;
  readonly kind: LinkKind;
  readonly fetcher: Fetcher;
  readonly decode: Decode;
  /** Parses pages and files in threads that can be terminated. */
  readonly reader: ContentReader;
  readonly settings: SourceSettings;
  /** Models that read pictures and speech; omitted if none is configured. */
  readonly media?: MediaReaders;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Measures the time of the attempt and of its sources, without waits for a thread. */
  readonly clock: AttemptClock;
  /** The end of the attempt, by `clock`. */
  readonly endsAt: number;
  /** Replaces the timeout of every source, in milliseconds; for tests. */
  readonly sourceTimeoutMs?: number;
  /** The last attempt returns an incomplete result, since no better one will follow. */
  readonly isLastAttempt: boolean;
  /** Returns the kind of an address, such as the one that a redirect ended at. */
  readonly detectKind: (url: URL) => LinkKind;
  /** Whether another extractor is responsible for this kind. */
  readonly isServed: (kind: LinkKind) => boolean;
  /** The response for this address, with any status, if the previous extractor fetched it. */
  readonly fetched?: FetchedResource;
};

/** Returned by an extractor to continue with another extractor, or at another address. */
export type HandOff = {
  readonly handOffTo: URL;
  readonly kind: LinkKind;
  /** The response for that address, if it was fetched already. */
  readonly fetched?: FetchedResource;
};

export type Extractor = {
  readonly name: string;
  readonly accepts: (kind: LinkKind) => boolean;
  /** Throws `IngestError` when no text can be read. */
  readonly extract: (context: ExtractContext) => Promise<Ingested | HandOff>;
};
