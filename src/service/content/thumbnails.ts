import { AppError } from "#domain/core/error.ts";
import type { FetchedResource, Fetcher } from "#domain/content/fetch.ts";
import { IngestError } from "#domain/content/job.ts";
import type { Store } from "#domain/store.ts";
import type { Clock } from "#domain/core/system.ts";
import { type KeptThumbnail, MAX_PICTURE_BYTES, MAX_PIXELS, type Picture, type PictureHead } from "#domain/content/thumbnail.ts";
import type { Tile } from "#domain/content/tile.ts";
import { createSharedWork } from "./shared-work.ts";

/** The pictures of tiles, fetched when they are first looked at. */
export type Thumbnails = {
  /**
   * The tile's picture; null where it has none, or none that can be had. Throws `unavailable` while too many are being fetched, and
   * the signal's reason where the caller goes away.
   */
  of(tile: Tile, signal: AbortSignal): Promise<Picture | null>;
};

type ThumbnailDeps = {
  readonly store: Pick<Store, "thumbnails" | "files">;
  readonly fetcher: Fetcher;
  readonly clock: Clock;
  /** What a picture's own bytes say of it; null for what is none. */
  readonly readHead: (bytes: Uint8Array) => PictureHead | null;
  /** The whole time of one fetch, in milliseconds. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
/** Fetched at once in a process, and calls that may wait for them. */
const CONCURRENCY = 4;
const MAX_WAITING = 64;
/** How long it is believed that no picture is to be had: where the answer was one, and where there may be one soon. */
const NONE_MS = 24 * 3_600_000;
const TROUBLE_MS = 15 * 60_000;
const ACCEPT = "image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9,*/*;q=0.1";

export function createThumbnails({ store, fetcher, clock, readHead, timeoutMs = TIMEOUT_MS }: ThumbnailDeps): Thumbnails {
  const fetches = createSharedWork<Picture | null>({ atOnce: CONCURRENCY, mostWaiting: MAX_WAITING, refuse: tooMany });

  function pictureIn(body: Uint8Array): Picture | null {
    const head = readHead(body);
    return head === null || head.pixels > MAX_PIXELS ? null : { mediaType: head.mediaType, body };
  }

  /** A picture that was uploaded is its own thumbnail, where it is small enough to be sent for one. */
  async function ofUpload({ businessId, id }: Tile): Promise<Picture | null> {
    const size = await store.files.size(businessId, id);
    if (size === null || size > MAX_PICTURE_BYTES) return null;
    const body = await store.files.read(businessId, id);
    return body === null ? null : pictureIn(body);
  }

  async function fetchAndKeep({ businessId, id }: Tile, sourceUrl: string, signal: AbortSignal): Promise<Picture | null> {
    const found = await fetchPicture(sourceUrl, signal);
    // What is only out of order now counts as asked long ago, so that it is asked again soon.
    const fetchedAt = found === "trouble" ? clock.now() - NONE_MS + TROUBLE_MS : clock.now();
    const picture = found === "trouble" ? null : found;
    await store.thumbnails.keep(businessId, id, { sourceUrl, picture, fetchedAt });
    return picture;
  }

  async function fetchPicture(url: string, signal: AbortSignal): Promise<Picture | null | "trouble"> {
    let resource: FetchedResource;
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      resource = await fetcher.fetch({ url, accept: ACCEPT, maxBytes: MAX_PICTURE_BYTES, signal: inTime });
    } catch (error) {
      // Nobody waits for it any more, so nothing was learnt of the address.
      if (signal.aborted || !(error instanceof IngestError)) throw error;
      return error.retryable ? "trouble" : null;
    }
    if (isTrouble(resource.status)) return "trouble";
    return resource.status !== 200 || resource.truncated ? null : pictureIn(resource.body);
  }

  return {
    async of(tile, signal) {
      if (tile.type === "IMAGE" && tile.file !== null) return ofUpload(tile);
      const sourceUrl = tile.metadata.thumbnailUrl;
      if (sourceUrl === undefined) return null;
      const kept = await store.thumbnails.find(tile.businessId, tile.id);
      if (kept !== null && isGood(kept, sourceUrl, clock.now())) return kept.picture;
      return fetches.join(`${tile.businessId} ${tile.id} ${sourceUrl}`, signal, (aborted) => fetchAndKeep(tile, sourceUrl, aborted));
    },
  };
}

const isGood = (kept: KeptThumbnail, sourceUrl: string, now: number): boolean =>
  kept.sourceUrl === sourceUrl && (kept.picture !== null || Math.abs(now - kept.fetchedAt) < NONE_MS);

/** Statuses that tell of the server rather than of the picture. */
const isTrouble = (status: number): boolean => status >= 500 || status === 429 || status === 408;

const tooMany = (): AppError => new AppError("unavailable", "Too many pictures are being fetched just now. Try again in 2 s.", 2);
