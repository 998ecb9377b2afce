import type { Actor } from "#domain/core/access.ts";
import type { FetchedResource, Fetcher } from "#domain/content/fetch.ts";
import { IngestError } from "#domain/content/job.ts";
import type { Store } from "#domain/store.ts";
import type { Clock } from "#domain/core/system.ts";
import { type CachedThumbnail, MAX_PICTURE_BYTES, MAX_PIXELS, type Picture, type PictureHead } from "#domain/content/thumbnail.ts";
import type { Tile } from "#domain/content/tile.ts";
import { createSemaphore } from "#runtime/turns/semaphore.ts";
import { createSingleFlight } from "#runtime/single-flight.ts";
import { createRefusal, toOwner } from "../work-queue.ts";

/** What decides which picture a tile has. */
export type PicturedTile = Pick<Tile, "businessId" | "id" | "type" | "file" | "metadata">;

/** Serves thumbnails of tiles. They are fetched on the first request and cached in the database. */
export type Thumbnails = {
  /**
   * Returns the tile's thumbnail, or null when it has none or fetching failed. Throws 429 while too many calls of the actor or its
   * business wait for fetches, and the signal's reason when the caller disconnects.
   */
  get(actor: Actor, tile: PicturedTile, signal: AbortSignal): Promise<Picture | null>;
};

type ThumbnailDeps = {
  readonly store: Pick<Store, "thumbnails" | "files">;
  readonly fetcher: Fetcher;
  readonly clock: Clock;
  /** Reads media type and size from the picture's bytes. Returns null for other data. */
  readonly readHead: (bytes: Uint8Array) => PictureHead | null;
  /** The timeout of one fetch, in milliseconds. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
/** Concurrent fetches in a process, and more for businesses with nothing running, one each. */
const CONCURRENCY = 4;
const RESERVED = 12;
/** Calls that may wait for fetches. */
const WAIT_LIMITS = { maxPerCaller: 64, maxPerBusiness: 128 } as const;
const RETRY_SECONDS = 2;
/** What each business may have in the cache, so that none displaces the thumbnails of another. */
const SHARE = { rows: 10_000, bytes: 128 * 1_048_576 } as const;
/** How long a missing thumbnail is not fetched again: after a permanent error, and after a temporary one. */
const MISSING_MS = 24 * 3_600_000;
const ERROR_MS = 15 * 60_000;
const ACCEPT = "image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9,*/*;q=0.1";

export function createThumbnails({ store, fetcher, clock, readHead, timeoutMs = TIMEOUT_MS }: ThumbnailDeps): Thumbnails {
  const flights = createSingleFlight<Picture | null>();
  /** Counts the calls, none of which waits for another. */
  const calls = createSemaphore({
    slots: Infinity,
    maxPerOwner: WAIT_LIMITS.maxPerCaller,
    maxPerGroup: WAIT_LIMITS.maxPerBusiness,
    refuse: createRefusal("pictures", "being fetched", WAIT_LIMITS, RETRY_SECONDS),
  });
  const slots = createSemaphore({ slots: CONCURRENCY, reserved: RESERVED });

  function pictureIn(body: Uint8Array): Picture | null {
    const head = readHead(body);
    return head === null || head.pixels > MAX_PIXELS ? null : { mediaType: head.mediaType, body };
  }

  /** Returns an uploaded picture itself as its thumbnail, if it is small enough. */
  async function readUpload({ businessId, id }: PicturedTile): Promise<Picture | null> {
    const size = await store.files.size(businessId, id);
    if (size === null || size > MAX_PICTURE_BYTES) return null;
    const body = await store.files.read(businessId, id);
    return body === null ? null : pictureIn(body);
  }

  async function fetchAndStore({ businessId, id }: PicturedTile, sourceUrl: string, signal: AbortSignal): Promise<Picture | null> {
    const fetched = await fetchPicture(sourceUrl, businessId, signal);
    // Store a temporary error as an old result, so that the thumbnail is fetched again soon.
    const fetchedAt = fetched === "error" ? clock.now() - MISSING_MS + ERROR_MS : clock.now();
    const picture = fetched === "error" ? null : fetched;
    await store.thumbnails.set(businessId, id, { sourceUrl, picture, fetchedAt }, SHARE);
    return picture;
  }

  async function fetchPicture(url: string, owner: string, signal: AbortSignal): Promise<Picture | null | "error"> {
    let resource: FetchedResource;
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      resource = await fetcher.fetch({ url, accept: ACCEPT, maxBytes: MAX_PICTURE_BYTES, signal: inTime, owner });
    } catch (error) {
      // An aborted fetch is no result for this address.
      if (signal.aborted || !(error instanceof IngestError)) throw error;
      return error.retryable ? "error" : null;
    }
    if (isTemporaryStatus(resource.status)) return "error";
    return resource.status !== 200 || resource.truncated ? null : pictureIn(resource.body);
  }

  return {
    async get(actor, tile, signal) {
      if (tile.type === "IMAGE" && tile.file !== null) return readUpload(tile);
      const sourceUrl = tile.metadata.thumbnailUrl;
      if (sourceUrl === undefined) return null;
      const cached = await store.thumbnails.get(tile.businessId, tile.id);
      if (cached !== null && isFresh(cached, sourceUrl, clock.now())) return cached.picture;
      const owner = toOwner(actor);
      const fetch = (aborted: AbortSignal): Promise<Picture | null> =>
        slots.run(() => fetchAndStore(tile, sourceUrl, aborted), { owner, signal: aborted });
      return calls.run(() => flights.run(`${tile.businessId} ${tile.id} ${sourceUrl}`, signal, fetch), { owner });
    },
  };
}

const isFresh = (cached: CachedThumbnail, sourceUrl: string, now: number): boolean =>
  cached.sourceUrl === sourceUrl && (cached.picture !== null || Math.abs(now - cached.fetchedAt) < MISSING_MS);

/** Statuses that may change on a later attempt. */
const isTemporaryStatus = (status: number): boolean => status >= 500 || status === 429 || status === 408;
