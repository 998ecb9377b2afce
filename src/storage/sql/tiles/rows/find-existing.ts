import type { TileHead } from "#domain/content/tile.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import type { BoardKey } from "../../driver.ts";
import { find, type Unit } from "../../unit.ts";
import { HEAD_COLUMNS, toTileHead } from "./tile-columns.ts";
import { hashAddress, hashText } from "./tile-hashes.ts";
import { findByExternalId } from "./tile-rows.ts";

/** What a creation finds existing tiles by. */
export type TileIdentity = Pick<NewTile, "externalId" | "sourceUrl" | "rawContent" | "file" | "onDuplicate">;

const selectOldest = (column: string): string =>
  `SELECT ${HEAD_COLUMNS} FROM tile t WHERE t.business_id = @businessId AND t.board_id = @boardId AND t.deleted_at IS NULL
   AND t.${column} = @hash ORDER BY t.sequence LIMIT 1`;
const SELECT_BY_ADDRESS = selectOldest("address_hash");
const SELECT_BY_TEXT = selectOldest("text_hash");

/**
 * Returns the live tile that a creation returns or updates, without its texts: the one with its external id, else its oldest duplicate if
 * the call asks for that. Null if it makes a new tile.
 */
export function* findExisting(board: BoardKey, tile: TileIdentity): Unit<TileHead | null> {
  const named = tile.externalId === null ? null : yield* findByExternalId(board, tile.externalId);
  return named ?? (tile.onDuplicate === undefined ? null : yield* findDuplicate(board, tile));
}

/** An upload has no duplicates. */
function* findDuplicate(board: BoardKey, { sourceUrl, rawContent, file }: TileIdentity): Unit<TileHead | null> {
  if (file !== undefined) return null;
  const key = { businessId: board.businessId, boardId: board.id };
  return sourceUrl === null
    ? yield* find(SELECT_BY_TEXT, { ...key, hash: hashText(rawContent) }, toTileHead)
    : yield* find(SELECT_BY_ADDRESS, { ...key, hash: hashAddress(sourceUrl) }, toTileHead);
}
