import type { BoardKey, Dialect } from "../driver.ts";
import { exists, run, type Unit } from "../unit.ts";
import { hashAddress, hashExternalId } from "./rows/tile-hashes.ts";

/** What a tile is known by to its sender. */
export type TileNames = { readonly externalId: string | null; readonly sourceUrl: string | null };

const IS_ANY = "business_id = @businessId AND board_id = @boardId";

const hashNames = ({ externalId, sourceUrl: url }: TileNames): readonly string[] => [
  ...(externalId === null ? [] : [hashExternalId(externalId)]),
  ...(url === null ? [] : [hashAddress(url)]),
];

/** Records the external ids and addresses of tiles that are deleted. The board must be locked. */
export function* recordDeletions(dialect: Dialect, board: BoardKey, tiles: readonly TileNames[], now: number): Unit<void> {
  const hashes = [...new Set(tiles.flatMap(hashNames))];
  if (hashes.length === 0) return;
  yield* run(
    `INSERT INTO deletion (business_id, board_id, hash, deleted_at)
     SELECT @businessId, @boardId, d.hash, CAST(@now AS BIGINT) FROM ${dialect.rowsOfJson("rows", { hash: "text" })} AS d WHERE TRUE
     ON CONFLICT (business_id, board_id, hash) DO UPDATE SET deleted_at = excluded.deleted_at`,
    { businessId: board.businessId, boardId: board.id, rows: JSON.stringify(hashes.map((value) => ({ hash: value }))), now },
  );
}

/** Removes the records of tiles that are restored. */
export function* forgetDeletions({ isAnyOf }: Dialect, board: BoardKey, tiles: readonly TileNames[]): Unit<void> {
  const hashes = tiles.flatMap(hashNames);
  if (hashes.length === 0) return;
  yield* run(`DELETE FROM deletion WHERE ${IS_ANY} AND ${isAnyOf("hash", "hashes")}`, {
    businessId: board.businessId,
    boardId: board.id,
    hashes,
  });
}

/** Whether a tile of the board with this external id or this address was deleted, and not restored. */
export function* wasDeleted({ isAnyOf }: Dialect, board: BoardKey, names: TileNames): Unit<boolean> {
  const hashes = hashNames(names);
  if (hashes.length === 0) return false;
  return yield* exists(`SELECT 1 FROM deletion WHERE ${IS_ANY} AND ${isAnyOf("hash", "hashes")}`, {
    businessId: board.businessId,
    boardId: board.id,
    hashes,
  });
}
