import type { FileStore } from "#domain/content/file.ts";
import type { Connection } from "../engine/database.ts";

export function createFileStore(db: Connection): FileStore {
  return {
    append: async (businessId, tileId, part, bytes, now) => {
      await db.write(() =>
        db.run(
          "INSERT INTO file_part (business_id, tile_id, part, bytes, created_at) VALUES (?, ?, ?, ?, ?)",
          businessId,
          tileId,
          part,
          Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
          now,
        ),
      );
    },

    async read(businessId, tileId) {
      const parts = db.all<{ bytes: Buffer }>(
        "SELECT bytes FROM file_part WHERE business_id = ? AND tile_id = ? ORDER BY part",
        businessId,
        tileId,
      );
      return parts.length === 0 ? null : Buffer.concat(parts.map(({ bytes }) => bytes));
    },

    async size(businessId, tileId) {
      const row = db.get<{ size: number | null }>(
        "SELECT sum(length(bytes)) AS size FROM file_part WHERE business_id = ? AND tile_id = ?",
        businessId,
        tileId,
      );
      return row?.size ?? null;
    },

    drop: async (businessId, tileId) => {
      await db.write(() => db.run("DELETE FROM file_part WHERE business_id = ? AND tile_id = ?", businessId, tileId));
    },
  };
}
