import type { ThumbnailStore } from "#domain/content/thumbnail.ts";
import { bufferOf, type ThumbnailRow, thumbnailOf } from "../../shared/rows/thumbnail-rows.ts";
import type { Connection } from "../engine/database.ts";

/** Rows erased in one unit of work, so that writers are not held up. */
const STEP = 500;

export function createThumbnailStore(db: Connection): ThumbnailStore {
  return {
    async find(businessId, tileId) {
      const row = db.get<ThumbnailRow>(
        "SELECT source_url, media_type, body, fetched_at FROM thumbnail WHERE business_id = ? AND tile_id = ?",
        businessId,
        tileId,
      );
      return row === undefined ? null : thumbnailOf(row);
    },

    keep: async (businessId, tileId, { sourceUrl, picture, fetchedAt }) => {
      await db.write(() =>
        db.run(
          `INSERT INTO thumbnail (business_id, tile_id, source_url, media_type, body, fetched_at) VALUES (?, ?, ?, ?, ?, ?)
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
      const last = db.get<{ fetched_at: number }>(
        `SELECT fetched_at FROM (
           SELECT fetched_at, count(*) OVER newest AS place, sum(coalesce(length(body), 0)) OVER newest AS size FROM thumbnail
           WINDOW newest AS (ORDER BY fetched_at DESC)
         ) WHERE place > ? OR size > ? ORDER BY fetched_at DESC LIMIT 1`,
        most.rows,
        most.bytes,
      );
      if (last === undefined) return 0;
      for (let erased = 0; ;) {
        const gone = await db.write(() =>
          db.run(
            "DELETE FROM thumbnail WHERE rowid IN (SELECT rowid FROM thumbnail WHERE fetched_at <= ? ORDER BY fetched_at LIMIT ?)",
            last.fetched_at,
            STEP,
          ),
        );
        erased += gone;
        if (gone < STEP) return erased;
      }
    },
  };
}
