import type { ThumbnailStore } from "#domain/content/thumbnail.ts";
import { bufferOf, type ThumbnailRow, thumbnailOf } from "../../shared/rows/thumbnail-rows.ts";
import type { Database } from "../engine/database.ts";

export function createThumbnailStore(db: Database): ThumbnailStore {
  return {
    async find(businessId, tileId) {
      const row = await db.get<ThumbnailRow>(
        "SELECT source_url, media_type, body, fetched_at FROM thumbnail WHERE business_id = $1 AND tile_id = $2",
        businessId,
        tileId,
      );
      return row === undefined ? null : thumbnailOf(row);
    },

    keep: async (businessId, tileId, { sourceUrl, picture, fetchedAt }) => {
      await db.write((tx) =>
        tx.run(
          `INSERT INTO thumbnail (business_id, tile_id, source_url, media_type, body, fetched_at) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (business_id, tile_id) DO UPDATE SET source_url = excluded.source_url, media_type = excluded.media_type,
             body = excluded.body, fetched_at = excluded.fetched_at`,
          businessId,
          tileId,
          sourceUrl,
          picture?.mediaType ?? null,
          picture === null ? null : bufferOf(picture.body),
          fetchedAt,
        ),
      );
    },

    async trim(most) {
      const last = await db.get<{ fetched_at: number }>(
        `SELECT fetched_at FROM (
           SELECT fetched_at, count(*) OVER newest AS place, sum(coalesce(length(body), 0)) OVER newest AS size FROM thumbnail
           WINDOW newest AS (ORDER BY fetched_at DESC)
         ) AS counted WHERE place > $1 OR size > $2 ORDER BY fetched_at DESC LIMIT 1`,
        most.rows,
        most.bytes,
      );
      if (last === undefined) return 0;
      return db.write((tx) => tx.run("DELETE FROM thumbnail WHERE fetched_at <= $1", last.fetched_at));
    },
  };
}
