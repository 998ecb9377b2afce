import { type CachedThumbnail, PICTURE_TYPES, type ThumbnailShare, type ThumbnailStore } from "#domain/content/thumbnail.ts";
import type { Driver } from "../driver.ts";
import { insert, Mapping, plainFields } from "../mapping.ts";
import { get, run, type Unit } from "../unit.ts";

type StoredThumbnail = {
  readonly sourceUrl: string;
  readonly mediaType: string | null;
  readonly body: Buffer | null;
  readonly fetchedAt: number;
};
const THUMBNAILS = new Mapping<StoredThumbnail>(plainFields("sourceUrl", "mediaType", "body", "fetchedAt"));

/** The media type becomes a response header, so a picture with an unknown type is ignored. */
function toThumbnail({ sourceUrl, mediaType: storedType, body, fetchedAt }: StoredThumbnail): CachedThumbnail {
  const mediaType = PICTURE_TYPES.find((type) => type === storedType);
  return { sourceUrl, picture: mediaType === undefined || body === null ? null : { mediaType, body }, fetchedAt };
}

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

export function createThumbnailStore({ read, write }: Driver): ThumbnailStore {
  return {
    async get(businessId, tileId) {
      const stored = await read(() =>
        THUMBNAILS.find("thumbnail WHERE business_id = @businessId AND tile_id = @tileId", { businessId, tileId }),
      );
      return stored === null ? null : toThumbnail(stored);
    },

    async set(businessId, tileId, { sourceUrl, picture, fetchedAt }, share) {
      const body = picture === null ? null : toBuffer(picture.body);
      const columns = { sourceUrl, mediaType: picture?.mediaType ?? null, body, bytes: body?.length ?? 0, fetchedAt };
      await write(function* () {
        yield* insert("thumbnail", { businessId, tileId, ...columns }, ON_CONFLICT);
        yield* removeOldest(businessId, tileId, share);
      });
    },
  };
}

const ON_CONFLICT = ` ON CONFLICT (business_id, tile_id) DO UPDATE SET source_url = excluded.source_url, media_type = excluded.media_type,
  body = excluded.body, bytes = excluded.bytes, fetched_at = excluded.fetched_at`;

/** Thumbnails that one unit of work removes. What still exceeds the share is removed with the next thumbnail. */
const MAX_REMOVED = 500;

/** Removes the oldest thumbnails of a business, without the tile's, until the rest is within its share. */
function* removeOldest(businessId: string, tileId: string, share: ThumbnailShare): Unit<void> {
  const stored = yield* get<{ rows: number; bytes: number }>(
    "SELECT count(*) AS rows, CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes FROM thumbnail WHERE business_id = @businessId",
    { businessId },
  );
  const rows = (stored?.rows ?? 0) - share.rows;
  const bytes = (stored?.bytes ?? 0) - share.bytes;
  if (rows <= 0 && bytes <= 0) return;
  yield* run(
    `DELETE FROM thumbnail WHERE business_id = @businessId AND tile_id IN (
       SELECT tile_id FROM (
         SELECT tile_id, count(*) OVER older AS older_rows, coalesce(sum(bytes) OVER older, 0) AS older_bytes FROM (
           SELECT tile_id, fetched_at, bytes FROM thumbnail WHERE business_id = @businessId AND tile_id <> @tileId
           ORDER BY fetched_at, tile_id LIMIT ${MAX_REMOVED}
         ) AS oldest WINDOW older AS (ORDER BY fetched_at, tile_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
       ) AS counted WHERE older_rows < @rows OR older_bytes < @bytes)`,
    { businessId, tileId, rows, bytes },
  );
}
