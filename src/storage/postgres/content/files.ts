import type { FileStore } from "#domain/content/file.ts";
import type { Database } from "../engine/database.ts";

export function createFileStore(db: Database): FileStore {
  return {
    append: async (businessId, tileId, part, bytes, now) => {
      await db.write((tx) =>
        tx.run(
          "INSERT INTO file_part (business_id, tile_id, part, bytes, created_at) VALUES ($1, $2, $3, $4, $5)",
          businessId,
          tileId,
          part,
          Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
          now,
        ),
      );
    },

    async read(businessId, tileId) {
      const parts = await db.all<{ bytes: Buffer }>(
        "SELECT bytes FROM file_part WHERE business_id = $1 AND tile_id = $2 ORDER BY part",
        businessId,
        tileId,
      );
      return parts.length === 0 ? null : Buffer.concat(parts.map(({ bytes }) => bytes));
    },

    async size(businessId, tileId) {
      const row = await db.get<{ size: number | null }>(
        "SELECT sum(length(bytes))::bigint AS size FROM file_part WHERE business_id = $1 AND tile_id = $2",
        businessId,
        tileId,
      );
      return row?.size ?? null;
    },

    drop: async (businessId, tileId) => {
      await db.write((tx) => tx.run("DELETE FROM file_part WHERE business_id = $1 AND tile_id = $2", businessId, tileId));
    },
  };
}
