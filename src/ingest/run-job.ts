import type { FetchedResource, Fetcher } from "#domain/content/fetch.ts";
import type { UploadedFile } from "#domain/content/file.ts";
import type { MediaReaders } from "#domain/model/media.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import { type ClaimedJob, IngestError, type Ingested } from "#domain/content/job.ts";
import { detectKind } from "./detect.ts";
import type { LinkKind } from "./extract/kind.ts";
import type { Decode, Extractor } from "./extract/extractor.ts";
import { detectFile } from "./formats/upload.ts";
import { renderedPage } from "./formats/web-page.ts";
import { chooseExtractor, EXTRACTORS } from "./sites/choose-extractor.ts";
import { normaliseTitle } from "./clean/text.ts";
import type { SourceSettings } from "./extract/settings.ts";
import { type AttemptClock, createAttemptClock } from "./jobs/attempt-clock.ts";
import type { ContentReader } from "./threads/reader.ts";

export type RunJobDeps = {
  readonly fetcher: Fetcher;
  readonly decode: Decode;
  readonly reader: ContentReader;
  readonly settings: SourceSettings;
  readonly media?: MediaReaders;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Time limit of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Returns the bytes of an upload, or null if they were deleted. */
  readonly readUpload: (businessId: string, tileId: string) => Promise<Uint8Array | null>;
  readonly extractors?: readonly Extractor[];
  /** Replaces the timeouts of all sources, in milliseconds; for tests. */
  readonly sourceTimeoutMs?: number;
};

const MAX_HAND_OFFS = 3;
const UPLOAD_ORIGIN = "https://upload.invalid";

/** The input of an extractor: the address, its kind, and the response if it was fetched already. */
type ExtractInput = { readonly url: URL; readonly kind: LinkKind; readonly fetched?: FetchedResource };

function createLinkInput(link: string): ExtractInput {
  const url = URL.parse(link);
  if (!url) throw new IngestError("invalid_url", "The link is not a valid address. Check it and add it again.", { stage: "detect" });
  return { url, kind: detectKind(url) };
}

/** Represents the page of a link, as a browser rendered it, as a response from its address. */
async function createPageInput(deps: RunJobDeps, { businessId, tileId, url: link }: ClaimedJob): Promise<ExtractInput> {
  const body = await deps.readUpload(businessId, tileId);
  if (body === null) throw new IngestError("file_missing", "The page that was sent no longer exists. Send it again.", { stage: "fetch" });
  const input = createLinkInput(link ?? "");
  const headers = { "content-type": "text/html; charset=utf-8" };
  return { ...input, fetched: { url: input.url.href, status: 200, headers, body, truncated: false } };
}

/** Represents an upload as a response that was fetched from an address that does not exist. */
async function createUploadInput(deps: RunJobDeps, { businessId, tileId }: ClaimedJob, file: UploadedFile): Promise<ExtractInput> {
  const body = await deps.readUpload(businessId, tileId);
  if (body === null) throw new IngestError("file_missing", "The uploaded file no longer exists. Upload it again.", { stage: "fetch" });
  const url = new URL(`${UPLOAD_ORIGIN}/${encodeURIComponent(file.name)}`);
  const fetched = { url: url.href, status: 200, headers: { "content-type": file.mediaType }, body, truncated: false };
  return { url, kind: { type: detectFile(body.subarray(0, 4_096), file) }, fetched };
}

async function createInput(deps: RunJobDeps, job: ClaimedJob): Promise<ExtractInput> {
  if (job.file !== null) return createUploadInput(deps, job, job.file);
  return job.hasPage ? createPageInput(deps, job) : createLinkInput(job.url ?? "");
}

/** Removes the address of an upload, which does not exist, from its metadata. */
const removeUploadUrls = (metadata: TileMetadata): TileMetadata =>
  Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => typeof value !== "string" || !value.startsWith(UPLOAD_ORIGIN)),
  ) as TileMetadata;

/**
 * Reads the link or upload of a job and returns its content. An extractor may hand the link off to the one that is responsible for its
 * target. `clock` measures the time of the sources. Throws `IngestError`, or the signal's reason.
 */
export async function runJob(
  deps: RunJobDeps,
  job: ClaimedJob,
  signal: AbortSignal,
  clock: AttemptClock = createAttemptClock(),
): Promise<Ingested> {
  const extractors = deps.extractors ?? EXTRACTORS;
  const endsAt = clock.now() + deps.timeoutMs;
  let { url, kind, fetched }: ExtractInput = await createInput(deps, job);
  for (let handOffs = 0; handOffs <= MAX_HAND_OFFS; handOffs++) {
    signal.throwIfAborted();
    const extractor = job.hasPage ? renderedPage : chooseExtractor(kind, extractors);
    const result = await extractor.extract({
      ...deps,
      business: job.businessId,
      url,
      kind,
      signal,
      clock,
      endsAt,
      isLastAttempt: job.attempt >= job.maxAttempts,
      detectKind,
      isServed: (other) => handOffs < MAX_HAND_OFFS && chooseExtractor(other, extractors) !== extractor,
      ...(fetched === undefined ? {} : { fetched }),
    });
    if (!("handOffTo" in result))
      return {
        ...result,
        title: normaliseTitle(result.title),
        metadata: job.file === null ? result.metadata : removeUploadUrls(result.metadata),
      };
    url = result.handOffTo;
    kind = result.kind;
    fetched = result.fetched;
  }
  throw new IngestError("too_many_redirects", "The link is passed on from one address to the next too often. Use the final address.", {
    stage: "fetch",
  });
}
