import { type CachedThumbnail, PICTURE_TYPES, type ThumbnailStore } from "#domain/content/thumbnail.ts";
import { deleteBatch, lengthOf } from "../background/purge-steps.ts";
import { deleteInBatches } from "../background/purge.ts";
import type { Driver } from "../driver.ts";
import { get, run } from "../unit.ts";

type ThumbnailRow = {
  readonly source_url: string;
  readonly media_type: string | null;
  readonly body: Buffer | null;
  readonly fetched_at: number;
};

/** The media type becomes a response header, so a picture with an unknown type is ignored. */
function toThumbnail({ source_url: sourceUrl, media_type, body, fetched_at: fetchedAt }: ThumbnailRow): CachedThumbnail {
  const mediaType = PICTURE_TYPES.find((type) => type === media_type);
  return { sourceUrl, picture: mediaType === undefined || body === null ? null : { mediaType, body }, fetchedAt };
}

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

export function createThumbnailStore({ read, write }: Driver): ThumbnailStore {
  return {
    get: (businessId, tileId) =>
      read(function* () {
        const row = yield* get<ThumbnailRow>(
          "SELECT source_url, media_type, body, fetched_at FROM thumbnail WHERE business_id = @businessId AND tile_id = @tileId",
          { businessId, tileId },
        );
        return row === undefined ? null : toThumbnail(row);
      }),

    set: async (businessId, tileId, { sourceUrl, picture, fetchedAt }) => {
      await write(() =>
        run(
          `INSERT INTO thumbnail (business_id, tile_id, source_url, media_type, body, fetched_at)
           VALUES (@businessId, @tileId, @sourceUrl, @mediaType, @body, @fetchedAt)
           ON CONFLICT (business_id, tile_id) DO UPDATE SET source_url = excluded.source_url, media_type = excluded.media_type,
             body = excluded.body, fetched_at = excluded.fetched_at`,
          {
            businessId,
            tileId,
            sourceUrl,
            mediaType: picture?.mediaType ?? null,
            body: picture === null ? null : toBuffer(picture.body),
            fetchedAt,
          },
        ),
      );
    },

    async trim({ rows, bytes }) {
      const newestExcess = await read(() =>
        get<{ fetched_at: number }>(
          `SELECT fetched_at FROM (
             SELECT fetched_at, count(*) OVER newest AS position, sum(coalesce(length(body), 0)) OVER newest AS size FROM thumbnail
             WINDOW newest AS (ORDER BY fetched_at DESC)
           ) AS counted WHERE position > @rows OR size > @bytes ORDER BY fetched_at DESC LIMIT 1`,
          { rows, bytes },
        ),
      );
      if (newestExcess === undefined) return 0;
      const select = `SELECT business_id, tile_id, ${lengthOf("body")} AS bytes FROM thumbnail WHERE fetched_at <= @until`;
      const sql = deleteBatch({ table: "thumbnail", key: "business_id, tile_id", select });
      return deleteInBatches({ write }, () => run(sql, { until: newestExcess.fetched_at }));
    },
  };
}
