import { notFound, zoneElsewhere } from "#domain/core/error.ts";
import type { NewTile, Tile } from "#domain/content/tile.ts";
import { createdTile, hasExtras, initialConnection, statusOf } from "../../shared/changes.ts";
import { flagOrNull, jsonOrNull, segmentsColumn } from "../../shared/rows/tile-rows.ts";
import type { Connection } from "../engine/database.ts";
import { putJob } from "./tile-lifecycle.ts";

type Place = { readonly businessId: string; readonly id: string };

/** 400 when the zone is not this board's, or deleted. */
export function requireZone(db: Connection, board: Place, zoneId: string | null): void {
  if (zoneId === null) return;
  const found = db.get(
    "SELECT 1 AS found FROM zone WHERE business_id = ? AND id = ? AND board_id = ? AND deleted_at IS NULL",
    board.businessId,
    zoneId,
    board.id,
  );
  if (found === undefined) throw zoneElsewhere();
}

/** Writes a new tile, with its job where it has one; to be called inside a unit of work. */
export function insertTile(db: Connection, board: Place, tile: NewTile, now: number): Tile {
  requireZone(db, board, tile.zoneId);
  const counter = db.get<{ sequence: number }>(
    `UPDATE board SET revision = revision + 1, next_sequence = next_sequence + 1
     WHERE business_id = ? AND id = ? AND deleted_at IS NULL RETURNING next_sequence - 1 AS sequence`,
    board.businessId,
    board.id,
  );
  if (counter === undefined) throw notFound("Board");
  db.run(
    `INSERT INTO tile (business_id, id, board_id, zone_id, sequence, type, status, title, title_by_hand, text_by_hand, indexed,
       source_url, external_id, sort_order, created_at, updated_at, metadata, raw_content, extracted_text, connected_to_chat)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    board.businessId,
    tile.id,
    board.id,
    tile.zoneId,
    counter.sequence,
    tile.type,
    statusOf(tile),
    tile.title,
    tile.titleByHand ? 1 : 0,
    statusOf(tile) === "ready" ? 0 : 1,
    tile.sourceUrl,
    tile.externalId,
    counter.sequence,
    now,
    now,
    jsonOrNull(tile.metadata),
    tile.rawContent === tile.extractedText ? null : tile.rawContent,
    tile.extractedText,
    flagOrNull(initialConnection(tile)),
  );
  if (hasExtras(tile))
    db.run(
      "UPDATE tile SET file_name = ?, file_type = ?, error = ?, warnings = ?, segments = ? WHERE business_id = ? AND id = ?",
      tile.file?.name ?? null,
      tile.file?.mediaType ?? null,
      tile.error === undefined ? null : JSON.stringify(tile.error),
      jsonOrNull(tile.warnings ?? []),
      segmentsColumn(tile.segments),
      board.businessId,
      tile.id,
    );
  if (tile.job !== null) putJob(db, board.businessId, board.id, tile.id, tile.job, now);
  return createdTile(board, tile, counter.sequence, now);
}
