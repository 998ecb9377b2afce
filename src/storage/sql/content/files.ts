import type { FileStore } from "#domain/content/file.ts";
import type { Driver } from "../driver.ts";
import { all, get, run, type Unit } from "../unit.ts";

const INSERT_PART =
  "INSERT INTO file_part (business_id, tile_id, part, bytes, created_at) VALUES (@businessId, @tileId, @part, @bytes, @now)";
const IS_OF_TILE = "business_id = @businessId AND tile_id = @tileId";

/** Deletes the file of a tile. */
export function* dropFile(businessId: string, tileId: string): Unit<void> {
  yield* run(`DELETE FROM file_part WHERE ${IS_OF_TILE}`, { businessId, tileId });
}

/** Stores the page of a link, which replaces an earlier one. */
export function* putPage(businessId: string, tileId: string, html: string, now: number): Unit<void> {
  yield* dropFile(businessId, tileId);
  yield* run(INSERT_PART, { businessId, tileId, part: 0, bytes: Buffer.from(html), now });
}

/** Gives an uploaded file to another tile, which must have none. */
export function* moveFile(businessId: string, fromId: string, toId: string): Unit<void> {
  yield* run("UPDATE file_part SET tile_id = @toId WHERE business_id = @businessId AND tile_id = @fromId", { businessId, fromId, toId });
}

export function createFileStore({ read, write }: Driver): FileStore {
  return {
    append: async (businessId, tileId, part, { buffer, byteOffset, length }, now) => {
      await write(() =>
        run(INSERT_PART, {
          businessId,
          tileId,
          part,
          bytes: Buffer.from(buffer, byteOffset, length),
          now,
        }),
      );
    },

    read: (businessId, tileId) =>
      read(function* () {
        const parts = yield* all<{ bytes: Buffer }>(`SELECT bytes FROM file_part WHERE ${IS_OF_TILE} ORDER BY part`, {
          businessId,
          tileId,
        });
        return parts.length === 0 ? null : Buffer.concat(parts.map(({ bytes }) => bytes));
      }),

    size: (businessId, tileId) =>
      read(function* () {
        const sql = `SELECT sum(length(bytes)) AS size FROM file_part WHERE ${IS_OF_TILE}`;
        return (yield* get<{ size: number | null }>(sql, { businessId, tileId }))?.size ?? null;
      }),

    drop: (businessId, tileId) => write(() => dropFile(businessId, tileId)),
  };
}
