import type { NewWork, Waker } from "#domain/content/job.ts";
import { AppError, notFound } from "#domain/core/error.ts";
import type { NewTile, Tile, TileStore } from "#domain/content/tile.ts";
import { checkRetry, checkVersion, isEmpty, isReindexed, patchTile, nextRefresh, upsertTile, zoneIsGone } from "../../shared/changes.ts";
import { TileMemo } from "../../shared/tile-memo.ts";
import { STAMP_REVISION, TILE_COLUMNS, type TileRow, flagOrNull, jsonOrNull, segmentsColumn, tileOf } from "../../shared/rows/tile-rows.ts";
import { touchBoard } from "../shared/touch-board.ts";
import { createTileChanges } from "./tile-changes.ts";
import type { Connection } from "../engine/database.ts";
import { removeFromIndex } from "../search/index.ts";
import { insertTile, requireZone } from "../shared/new-tile.ts";
import { createOnce } from "../shared/once.ts";
import { dropJob, hideTile, putJob, showTile } from "../shared/tile-lifecycle.ts";
import { listTiles } from "../shared/tile-listing.ts";

const ON_LIVE_BOARD =
  "JOIN board b ON b.business_id = t.business_id AND b.id = t.board_id AND b.deleted_at IS NULL WHERE t.business_id = ? AND t.id = ?";

type Place = { readonly businessId: string; readonly id: string };

export function createTileStore(db: Connection, wakers: ReadonlySet<Waker>): TileStore {
  const memo = new TileMemo();
  const wake = (work: NewWork): void => {
    for (const waker of wakers) waker(work);
  };

  function readTile(board: Place, tileId: string): Tile {
    const row = db.get<TileRow>(
      `SELECT ${TILE_COLUMNS} FROM tile t WHERE t.business_id = ? AND t.id = ? AND t.board_id = ? AND t.deleted_at IS NULL`,
      board.businessId,
      tileId,
      board.id,
    );
    if (row === undefined) throw notFound("Tile");
    return tileOf(row);
  }

  function findByExternalId(board: Place, externalId: string): Tile | null {
    const row = db.get<TileRow>(
      `SELECT ${TILE_COLUMNS} FROM tile t WHERE t.business_id = ? AND t.board_id = ? AND t.external_id = ? AND t.deleted_at IS NULL`,
      board.businessId,
      board.id,
      externalId,
    );
    return row === undefined ? null : tileOf(row);
  }

  function createOrUpdate(board: Place, tile: NewTile, now: number): Tile {
    const earlier = tile.externalId === null ? null : findByExternalId(board, tile.externalId);
    return earlier === null ? insertTile(db, board, tile, now) : overwriteTile(board, earlier, tile, now);
  }

  /** The upsert of a content sync: what is the same is left alone, down to the time of change. */
  function overwriteTile(board: Place, earlier: Tile, tile: NewTile, now: number): Tile {
    requireZone(db, board, tile.zoneId);
    const upsert = upsertTile(earlier, tile);
    if (upsert === null) return earlier;
    touchBoard(db, board.businessId, board.id);
    writeText(earlier, upsert.next, now);
    if (upsert.isNewSource) {
      dropJob(db, board.businessId, earlier.id);
      if (tile.job !== null) putJob(db, board.businessId, board.id, earlier.id, tile.job, now);
    }
    return readTile(board, earlier.id);
  }

  /** Writes a changed tile of a board that was touched before; its words go back to the index where title, text or readiness changed. */
  function writeText(earlier: Tile, next: Tile, now: number): void {
    const isLeaving = isReindexed(earlier, next);
    if (isLeaving) removeFromIndex(db, next.id);
    db.run(
      `UPDATE tile SET zone_id = ?, type = ?, status = ?, title = ?, title_by_hand = ?, text_by_hand = ?, source_url = ?, sort_order = ?,
         error = ?, metadata = ?, warnings = ?, raw_content = ?, extracted_text = ?, segments = ?, earlier_text = ?, earlier_until = ?,
         refresh_at = CASE WHEN refresh_minutes IS ? THEN refresh_at ELSE ? END, refresh_minutes = ?, file_name = ?, file_type = ?, connected_to_chat = ?,
         version = version + 1, updated_at = ?, ${STAMP_REVISION},
         indexed = CASE WHEN ? = 1 THEN ? ELSE indexed END
       WHERE business_id = ? AND id = ?`,
      next.zoneId,
      next.type,
      next.status,
      next.title,
      next.titleByHand ? 1 : 0,
      next.textByHand ? 1 : 0,
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
      next.refreshMinutes,
      next.file?.name ?? null,
      next.file?.mediaType ?? null,
      flagOrNull(next.connectedToChat),
      now,
      isLeaving ? 1 : 0,
      next.status === "ready" ? 0 : 1,
      next.businessId,
      next.id,
    );
  }

  return {
    ...createTileChanges(db, wakers),

    list: async ({ target }, query, after, limit, maxBytes) => listTiles(db, memo, target, query, after, limit, maxBytes),

    async find(businessId, tileId) {
      const row = db.get<TileRow>(`SELECT ${TILE_COLUMNS} FROM tile t ${ON_LIVE_BOARD} AND t.deleted_at IS NULL`, businessId, tileId);
      return row === undefined ? null : tileOf(row);
    },

    async findDeleted(businessId, tileId, deletedAfter) {
      const row = db.get<TileRow>(
        `SELECT ${TILE_COLUMNS} FROM tile t ${ON_LIVE_BOARD} AND t.deleted_at > ?`,
        businessId,
        tileId,
        deletedAfter,
      );
      return row === undefined ? null : tileOf(row);
    },

    async create({ target }, tile, now, once) {
      const outcome = await db.write(() => createOnce(db, once, now, () => createOrUpdate(target, tile, now)));
      wake(tile.job === null ? "text" : "jobs");
      return outcome;
    },

    async createMany(items, now, once) {
      const outcome = await db.write(() =>
        createOnce(db, once, now, () =>
          items.map(({ scope, tile }): Tile | Error => {
            try {
              return createOrUpdate(scope.target, tile, now);
            } catch (error) {
              // Every refusal is thrown before an item's first write, so nothing of it is left behind; anything else undoes the whole.
              if (error instanceof AppError) return error;
              throw error;
            }
          }),
        ),
      );
      wake(items.some(({ tile }) => tile.job !== null) ? "jobs" : "text");
      return outcome;
    },

    update: ({ target }, tileId, patch, now, ifVersion) =>
      db.write(() => {
        const tile = readTile(target, tileId);
        checkVersion(ifVersion, tile.version);
        if (isEmpty(patch)) return tile;
        if (patch.zoneId !== undefined) requireZone(db, target, patch.zoneId);
        const next = patchTile(tile, patch);
        touchBoard(db, target.businessId, target.id);
        writeText(tile, next, now);
        if (patch.content !== undefined) dropJob(db, target.businessId, tileId);
        return readTile(target, tileId);
      }),

    remove: ({ target }, tileId, now, ifVersion) =>
      db.write(() => {
        checkVersion(ifVersion, readTile(target, tileId).version);
        touchBoard(db, target.businessId, target.id);
        hideTile(db, target.businessId, tileId, tileId, now);
      }),

    async restore({ target }, tileId, job, now) {
      const tile = await db.write(() => {
        const zone = db.get<{ gone: number }>(
          `SELECT z.deleted_at IS NOT NULL AS gone FROM tile t JOIN zone z ON z.business_id = t.business_id AND z.id = t.zone_id
           WHERE t.business_id = ? AND t.id = ?`,
          target.businessId,
          tileId,
        );
        if (zone?.gone === 1) throw zoneIsGone();
        touchBoard(db, target.businessId, target.id);
        showTile(db, target.businessId, tileId, job, now);
        return readTile(target, tileId);
      });
      wake("jobs");
      return tile;
    },

    async retry({ target }, tileId, job, now, replacesText = false) {
      const tile = await db.write(() => {
        const current = readTile(target, tileId);
        checkRetry(current, replacesText);
        touchBoard(db, target.businessId, target.id);
        writeText(current, { ...current, status: "processing", error: null }, now);
        putJob(db, target.businessId, target.id, tileId, job, now);
        return readTile(target, tileId);
      });
      wake("jobs");
      return tile;
    },

    replanRefreshes: async (now) => {
      await db.write(() => db.run("UPDATE tile SET refresh_at = ? WHERE refresh_at > ? + refresh_minutes * 60000", now, now));
    },

    takeDueRefreshes: (limit, now) =>
      db.write(() => {
        const due = db.all<{ business_id: string; board_id: string; id: string; refresh_minutes: number }>(
          `SELECT t.business_id, t.board_id, t.id, t.refresh_minutes FROM tile t
           JOIN board b ON b.business_id = t.business_id AND b.id = t.board_id AND b.deleted_at IS NULL
           WHERE t.refresh_at <= ? AND t.deleted_at IS NULL ORDER BY t.refresh_at LIMIT ?`,
          now,
          limit,
        );
        return due.map((row) => {
          db.run(
            "UPDATE tile SET refresh_at = ? WHERE business_id = ? AND id = ?",
            now + row.refresh_minutes * 60_000,
            row.business_id,
            row.id,
          );
          return { businessId: row.business_id, boardId: row.board_id, tileId: row.id };
        });
      }),

    async counts() {
      const processing = db.get<{ n: number }>(
        "SELECT count(*) AS n FROM tile INDEXED BY tile_processing WHERE status = 'processing' AND deleted_at IS NULL",
      );
      const pending = db.get<{ n: number }>("SELECT count(*) AS n FROM tile INDEXED BY tile_unindexed WHERE indexed = 0");
      const unembedded = db.get<{ n: number }>(
        `SELECT count(*) AS n FROM tile INDEXED BY tile_unembedded
         WHERE embedded = 0 AND indexed = 1 AND status = 'ready' AND deleted_at IS NULL AND EXISTS (SELECT 1 FROM vector_model WHERE is_on = 1)`,
      );
      return { processing: processing?.n ?? 0, indexPending: (pending?.n ?? 0) + (unembedded?.n ?? 0) };
    },
  };
}
