import type { FetchedResource, Fetcher } from "#domain/content/fetch.ts";
import type { UploadedFile } from "#domain/content/file.ts";
import type { MediaReaders } from "#domain/model/media.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import { type ClaimedJob, IngestError, type Ingested } from "#domain/content/job.ts";
import { detectKind, type Kind } from "./detect.ts";
import type { Decode, Extractor } from "./extract/extractor.ts";
import { detectFile } from "./formats/upload.ts";
import { chooseExtractor, EXTRACTORS } from "./sites/choose-extractor.ts";
import { normaliseTitle } from "./clean/text.ts";
import type { SourceSettings } from "./extract/settings.ts";
import { type AttemptClock, createAttemptClock } from "./jobs/attempt-clock.ts";
import type { Reader } from "./threads/reader.ts";

export type RunJobDeps = {
  readonly fetcher: Fetcher;
  readonly decode: Decode;
  readonly reader: Reader;
  readonly settings: SourceSettings;
  readonly media?: MediaReaders;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** One attempt's whole time, in milliseconds. */
  readonly timeoutMs: number;
  /** The bytes of an upload; null where there are none. */
  readonly readUpload: (businessId: string, tileId: string) => Promise<Uint8Array | null>;
  readonly extractors?: readonly Extractor[];
  /** The time of each way to a thing, in milliseconds, in place of their own; for tests. */
  readonly sourceTimeoutMs?: number;
};

const MAX_MOVES = 3;
const UPLOAD_ORIGIN = "https://upload.invalid";

type Start = { readonly url: URL; readonly kind: Kind; readonly fetched?: FetchedResource };

function startOfLink(link: string): Start {
  const url = URL.parse(link);
  if (!url) throw new IngestError("invalid_url", "The link is not an address. Check it and add it again.", { stage: "detect" });
  return { url, kind: detectKind(url) };
}

/** An upload is read as though it had been fetched already, from an address that leads nowhere. */
async function startOfUpload(deps: RunJobDeps, { businessId, tileId }: ClaimedJob, file: UploadedFile): Promise<Start> {
  const body = await deps.readUpload(businessId, tileId);
  if (body === null) throw new IngestError("file_missing", "The uploaded file is not there any more. Upload it again.", { stage: "fetch" });
  const url = new URL(`${UPLOAD_ORIGIN}/${encodeURIComponent(file.name)}`);
  const fetched = { url: url.href, status: 200, headers: { "content-type": file.mediaType }, body, truncated: false };
  return { url, kind: { type: detectFile(body.subarray(0, 4_096), file) }, fetched };
}

/** What is known of an upload, without addresses that were made up for it. */
const withoutInvented = (metadata: TileMetadata): TileMetadata =>
  Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => typeof value !== "string" || !value.startsWith(UPLOAD_ORIGIN)),
  ) as TileMetadata;

/**
 * Fetches one job's link and turns it into text, handing it on when it leads to a thing that another extractor
 * knows better; `clock` counts the time of its steps. Throws `IngestError`, or the signal's reason.
 */
export async function runJob(
  deps: RunJobDeps,
  job: ClaimedJob,
  signal: AbortSignal,
  clock: AttemptClock = createAttemptClock(),
): Promise<Ingested> {
  const extractors = deps.extractors ?? EXTRACTORS;
  const endsAt = clock.now() + deps.timeoutMs;
  let { url, kind, fetched }: Start = job.file === null ? startOfLink(job.url ?? "") : await startOfUpload(deps, job, job.file);
  for (let moves = 0; moves <= MAX_MOVES; moves++) {
    signal.throwIfAborted();
    const extractor = chooseExtractor(kind, extractors);
    const found = await extractor.extract({
      ...deps,
      business: job.businessId,
      url,
      kind,
      signal,
      clock,
      endsAt,
      isLastAttempt: job.attempt >= job.maxAttempts,
      isServed: (other) => moves < MAX_MOVES && chooseExtractor(other, extractors) !== extractor,
      ...(fetched === undefined ? {} : { fetched }),
    });
    if (!("handOffTo" in found))
      return {
        ...found,
        title: normaliseTitle(found.title),
        metadata: job.file === null ? found.metadata : withoutInvented(found.metadata),
      };
    url = found.handOffTo;
    kind = found.kind;
    fetched = found.fetched;
  }
  throw new IngestError("too_many_redirects", "The link leads from one place to the next without end. Use the final address.", {
    stage: "fetch",
  });
}
