import { AppError, notFound } from "#domain/core/error.ts";
import type { DueRefresh, NewTile, Tile, TileStore } from "#domain/content/tile.ts";
import { checkRetry, checkVersion, isEmpty, isReindexed, patchTile, nextRefresh, upsertTile, zoneIsGone } from "../../shared/changes.ts";
import { TileMemo } from "../../shared/tile-memo.ts";
import { STAMP_REVISION, TILE_COLUMNS, type TileRow, jsonOrNull, segmentsColumn, tileOf } from "../../shared/rows/tile-rows.ts";
import { touchBoard } from "../shared/touch-board.ts";
import { createTileChanges } from "./tile-changes.ts";
import type { Database, Reader, Transaction } from "../engine/database.ts";
import { removeFromIndex } from "../search/index.ts";
import { insertTile, requireZone } from "../shared/new-tile.ts";
import { createOnce } from "../shared/once.ts";
import type { TileJobs } from "../shared/tile-jobs.ts";
import { hideTile, showTile } from "../shared/tile-lifecycle.ts";
import { listTiles } from "../shared/tile-listing.ts";

const ON_LIVE_BOARD =
  "JOIN board b ON b.business_id = t.business_id AND b.id = t.board_id AND b.deleted_at IS NULL WHERE t.business_id = $1 AND t.id = $2";

type Place = { readonly businessId: string; readonly id: string };

async function findTile(on: Reader, board: Place, tileId: string): Promise<Tile> {
  const row = await on.get<TileRow>(
    `SELECT ${TILE_COLUMNS} FROM tile t WHERE t.business_id = $1 AND t.id = $2 AND t.board_id = $3 AND t.deleted_at IS NULL`,
    board.businessId,
    tileId,
    board.id,
  );
  if (row === undefined) throw notFound("Tile");
  return tileOf(row);
}

async function findByExternalId(tx: Transaction, board: Place, externalId: string): Promise<Tile | null> {
  const row = await tx.get<TileRow>(
    `SELECT ${TILE_COLUMNS} FROM tile t WHERE t.business_id = $1 AND t.board_id = $2 AND t.external_id = $3 AND t.deleted_at IS NULL`,
    board.businessId,
    board.id,
    externalId,
  );
  return row === undefined ? null : tileOf(row);
}

/** Locks the boards of several creations in one order, whatever order the creations are in. */
async function lockBoards(tx: Transaction, items: readonly { readonly scope: { readonly target: Place } }[]): Promise<void> {
  const ids = [...new Set(items.map(({ scope }) => scope.target.id))];
  const businessId = items[0]?.scope.target.businessId;
  if (ids.length < 2 || businessId === undefined) return;
  await tx.run("SELECT 1 FROM board WHERE business_id = $1 AND id = ANY($2) ORDER BY id FOR NO KEY UPDATE", businessId, ids);
}

/** Writes a changed tile; its words go back to the index where title, text or readiness changed. */
async function writeTile(tx: Transaction, earlier: Tile, next: Tile, now: number): Promise<void> {
  const isLeaving = isReindexed(earlier, next);
  await tx.run(
    `UPDATE tile SET zone_id = $1, type = $2, status = $3, title = $4, title_by_hand = $5, text_by_hand = $6, source_url = $7, sort_order = $8,
       error = $9, metadata = $10, warnings = $11, raw_content = $12, extracted_text = $13, segments = $14, earlier_text = $15, earlier_until = $16,
       refresh_at = CASE WHEN refresh_minutes IS NOT DISTINCT FROM $17 THEN refresh_at ELSE $18 END, refresh_minutes = $17,
       file_name = $19, file_type = $20, connected_to_chat = $26,
       version = version + 1, updated_at = $21, ${STAMP_REVISION}, is_indexed = CASE WHEN $22 THEN $23 ELSE is_indexed END
     WHERE business_id = $24 AND id = $25`,
    next.zoneId,
    next.type,
    next.status,
    next.title,
    next.titleByHand,
    next.textByHand,
    next.sourceUrl,
    next.sortOrder,
    next.error === null ? null : JSON.stringify(next.error),
    jsonOrNull(next.metadata),
    jsonOrNull(next.warnings),
    next.rawContent === next.extractedText ? null : next.rawContent,
    next.extractedText,
    segmentsColumn(next.segments),
    next.earlier?.text ?? null,
    next.earlier?.until ?? null,
    next.refreshMinutes,
    nextRefresh(next, now),
    next.file?.name ?? null,
    next.file?.mediaType ?? null,
    now,
    isLeaving,
    next.status !== "ready",
    next.businessId,
    next.id,
    next.connectedToChat,
  );
  if (isLeaving) await removeFromIndex(tx, next.businessId, [next.id]);
}

export function createTileStore(db: Database, jobs: TileJobs): TileStore {
  const memo = new TileMemo();

  async function createOrUpdate(tx: Transaction, board: Place, tile: NewTile, now: number): Promise<Tile> {
    if (tile.externalId === null && tile.zoneId === null) return insertTile(tx, jobs, board, tile, now);
    // Two upserts of one id come one after the other, so that the second finds what the first made; and the zone stays.
    await tx.run("SELECT 1 FROM board WHERE business_id = $1 AND id = $2 FOR NO KEY UPDATE", board.businessId, board.id);
    const earlier = tile.externalId === null ? null : await findByExternalId(tx, board, tile.externalId);
    return earlier === null ? insertTile(tx, jobs, board, tile, now) : overwriteTile(tx, board, earlier, tile, now);
  }

  /** The upsert of a content sync: what is the same is left alone, down to the time of change. */
  async function overwriteTile(tx: Transaction, board: Place, earlier: Tile, tile: NewTile, now: number): Promise<Tile> {
    await requireZone(tx, board, tile.zoneId);
    const upsert = upsertTile(earlier, tile);
    if (upsert === null) return earlier;
    await touchBoard(tx, board.businessId, board.id);
    await writeTile(tx, earlier, upsert.next, now);
    if (upsert.isNewSource) {
      if (tile.job === null) await jobs.drop(tx, board.businessId, earlier.id);
      else await jobs.put(tx, board.businessId, board.id, earlier.id, tile.job);
    }
    return findTile(tx, board, earlier.id);
  }

  return {
    ...createTileChanges(db, jobs),

    list: ({ target }, query, after, limit, maxBytes) => listTiles(db, memo, target, query, after, limit, maxBytes),

    async find(businessId, tileId) {
      const row = await db.get<TileRow>(`SELECT ${TILE_COLUMNS} FROM tile t ${ON_LIVE_BOARD} AND t.deleted_at IS NULL`, businessId, tileId);
      return row === undefined ? null : tileOf(row);
    },

    async findDeleted(businessId, tileId, deletedAfter) {
      const row = await db.get<TileRow>(
        `SELECT ${TILE_COLUMNS} FROM tile t ${ON_LIVE_BOARD} AND t.deleted_at > $3`,
        businessId,
        tileId,
        deletedAfter,
      );
      return row === undefined ? null : tileOf(row);
    },

    async create({ target }, tile, now, once) {
      const outcome = await db.writeTogether(target.id, (tx) => createOnce(tx, once, now, () => createOrUpdate(tx, target, tile, now)));
      if (tile.job !== null) jobs.wake();
      return outcome;
    },

    async createMany(items, now, once) {
      const outcome = await db.write((tx) =>
        createOnce(tx, once, now, async () => {
          await lockBoards(tx, items);
          const results: (Tile | Error)[] = [];
          for (const { scope, tile } of items) {
            try {
              results.push(await createOrUpdate(tx, scope.target, tile, now));
            } catch (error) {
              // Every refusal is thrown before an item's first write, so nothing of it is left behind; anything else undoes the whole.
              if (!(error instanceof AppError) || error.code === "unavailable") throw error;
              results.push(error);
            }
          }
          return results;
        }),
      );
      if (items.some(({ tile }) => tile.job !== null)) jobs.wake();
      return outcome;
    },

    update: ({ target }, tileId, patch, now, ifVersion) =>
      db.write(async (tx) => {
        if (!isEmpty(patch)) await touchBoard(tx, target.businessId, target.id);
        const tile = await findTile(tx, target, tileId);
        checkVersion(ifVersion, tile.version);
        if (isEmpty(patch)) return tile;
        if (patch.zoneId !== undefined) await requireZone(tx, target, patch.zoneId);
        await writeTile(tx, tile, patchTile(tile, patch), now);
        if (patch.content !== undefined) await jobs.drop(tx, target.businessId, tileId);
        return findTile(tx, target, tileId);
      }),

    remove: ({ target }, tileId, now, ifVersion) =>
      db.write(async (tx) => {
        await touchBoard(tx, target.businessId, target.id);
        checkVersion(ifVersion, (await findTile(tx, target, tileId)).version);
        await hideTile(tx, jobs, target.businessId, tileId, tileId, now);
      }),

    async restore({ target }, tileId, job, now) {
      const tile = await db.write(async (tx) => {
        await touchBoard(tx, target.businessId, target.id);
        const zone = await tx.get<{ gone: boolean }>(
          `SELECT z.deleted_at IS NOT NULL AS gone FROM tile t JOIN zone z ON z.business_id = t.business_id AND z.id = t.zone_id
           WHERE t.business_id = $1 AND t.id = $2`,
          target.businessId,
          tileId,
        );
        if (zone?.gone === true) throw zoneIsGone();
        await showTile(tx, jobs, target.businessId, tileId, job, now);
        return findTile(tx, target, tileId);
      });
      jobs.wake();
      return tile;
    },

    async retry({ target }, tileId, job, now, replacesText = false) {
      const tile = await db.write(async (tx) => {
        await touchBoard(tx, target.businessId, target.id);
        const current = await findTile(tx, target, tileId);
        checkRetry(current, replacesText);
        await writeTile(tx, current, { ...current, status: "processing", error: null }, now);
        await jobs.put(tx, target.businessId, target.id, tileId, job);
        return findTile(tx, target, tileId);
      });
      jobs.wake();
      return tile;
    },

    async replanRefreshes(now) {
      for (const { id: businessId } of await db.all<{ id: string }>("SELECT id FROM business ORDER BY id"))
        await db.write((tx) =>
          tx.run(
            "UPDATE tile SET refresh_at = $1 WHERE business_id = $2 AND refresh_at > $1::bigint + refresh_minutes::bigint * 60000",
            now,
            businessId,
          ),
        );
    },

    async takeDueRefreshes(limit, now) {
      const due: DueRefresh[] = [];
      for (const { id: businessId } of await db.all<{ id: string }>("SELECT id FROM business ORDER BY id")) {
        if (due.length >= limit) break;
        const rows = await db.write((tx) =>
          tx.all<{ id: string; board_id: string }>(
            `UPDATE tile SET refresh_at = $1::bigint + refresh_minutes::bigint * 60000 WHERE business_id = $2 AND id = ANY (ARRAY (
               SELECT t.id FROM tile t JOIN board b ON b.business_id = t.business_id AND b.id = t.board_id AND b.deleted_at IS NULL
               WHERE t.business_id = $2 AND t.refresh_at <= $1 AND t.deleted_at IS NULL ORDER BY t.refresh_at LIMIT $3
               FOR UPDATE OF t SKIP LOCKED)) RETURNING id, board_id`,
            now,
            businessId,
            limit - due.length,
          ),
        );
        due.push(...rows.map((row) => ({ businessId, boardId: row.board_id, tileId: row.id })));
      }
      return due;
    },

    async counts() {
      const row = await db.get<{ processing: number; pending: number }>(
        `SELECT (SELECT count(*) FROM tile WHERE status = 'processing' AND deleted_at IS NULL) AS processing,
         (SELECT count(*) FROM tile WHERE NOT is_indexed) + (SELECT count(*) FROM tile WHERE is_indexed AND NOT is_embedded
           AND status = 'ready' AND deleted_at IS NULL AND EXISTS (SELECT 1 FROM vector_model WHERE is_on)) AS pending`,
      );
      return { processing: row?.processing ?? 0, indexPending: row?.pending ?? 0 };
    },
  };
}
