import type { FetchedResource, Fetcher } from "#domain/content/fetch.ts";
import type { Ingested } from "#domain/content/job.ts";
import type { MediaReaders } from "#domain/model/media.ts";
import type { Kind } from "./kind.ts";
import type { AttemptClock } from "../jobs/attempt-clock.ts";
import type { Reader } from "../threads/reader.ts";
import type { SourceSettings } from "./settings.ts";

/** Bytes to text by the charset that the content type, a byte order mark or the page itself tells. */
export type Decode = (body: Uint8Array, contentType: string | undefined) => { readonly text: string; readonly charset: string };

export type ExtractContext = {
  /** The business whose link it is; businesses take turns at what few attempts may use at once. */
  readonly business: string;
  readonly url: URL;
  readonly kind: Kind;
  readonly fetcher: Fetcher;
  readonly decode: Decode;
  /** Reads pages and files in threads that can be ended. */
  readonly reader: Reader;
  readonly settings: SourceSettings;
  /** Models that read pictures and speech; left out where none is configured. */
  readonly media?: MediaReaders;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Counts the attempt's time; steps measure theirs by it, so that waiting for a thread is not charged to them. */
  readonly clock: AttemptClock;
  /** When the attempt's time is over, by `clock`. */
  readonly endsAt: number;
  /** The time of each step of a chain, in milliseconds, in place of their own. */
  readonly sourceTimeoutMs?: number;
  /** Whether nothing better can be waited for: what is thin is taken now or never. */
  readonly isLastAttempt: boolean;
  /** The kind of an address, such as the one that a redirect ended at. */
  readonly detectKind: (url: URL) => Kind;
  /** Whether another extractor knows this kind better than the one that runs. */
  readonly isServed: (kind: Kind) => boolean;
  /** What the extractor before fetched from this very address, with whatever status; it need not be fetched again. */
  readonly fetched?: FetchedResource;
};

/** The link leads to a thing that another extractor knows better. */
export type HandOff = {
  readonly handOffTo: URL;
  readonly kind: Kind;
  /** The answer of that address, where it was fetched already. */
  readonly fetched?: FetchedResource;
};

export type Extractor = {
  readonly name: string;
  readonly accepts: (kind: Kind) => boolean;
  /** Throws `IngestError` when there is no text to be had. */
  readonly extract: (context: ExtractContext) => Promise<Ingested | HandOff>;
};
