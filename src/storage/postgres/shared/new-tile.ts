import { notFound, zoneElsewhere } from "#domain/core/error.ts";
import type { NewTile, Tile } from "#domain/content/tile.ts";
import { createdTile, hasExtras, initialConnection, statusOf } from "../../shared/changes.ts";
import { jsonOrNull, segmentsColumn } from "../../shared/rows/tile-rows.ts";
import type { Transaction } from "../engine/database.ts";
import { newJobId } from "../engine/job-id.ts";
import type { TileJobs } from "./tile-jobs.ts";

type Place = { readonly businessId: string; readonly id: string };

/** 400 when the zone is not this board's, or deleted. */
export async function requireZone(tx: Transaction, board: Place, zoneId: string | null): Promise<void> {
  if (zoneId === null) return;
  // The board is locked already, and a zone is only deleted under that lock.
  const found = await tx.get(
    "SELECT 1 AS found FROM zone WHERE business_id = $1 AND id = $2 AND board_id = $3 AND deleted_at IS NULL",
    board.businessId,
    zoneId,
    board.id,
  );
  if (found === undefined) throw zoneElsewhere();
}

/** Writes a new tile, with its job where it has one. */
export async function insertTile(tx: Transaction, jobs: TileJobs, board: Place, tile: NewTile, now: number): Promise<Tile> {
  await requireZone(tx, board, tile.zoneId);
  tx.changedBoards.add(board.id);
  const jobId = tile.job === null ? null : newJobId();
  const row = await tx.get<{ sequence: number }>(
    `WITH counter AS (
       UPDATE board SET revision = revision + 1, next_sequence = next_sequence + 1
       WHERE business_id = $1 AND id = $3 AND deleted_at IS NULL RETURNING next_sequence - 1 AS sequence)
     INSERT INTO tile (business_id, id, board_id, zone_id, sequence, type, status, title, title_by_hand, text_by_hand, is_indexed,
       source_url, external_id, job_id, sort_order, created_at, updated_at, metadata, raw_content, extracted_text, connected_to_chat)
     SELECT $1, $2, $3, $4, sequence, $5, $6, $7, $8, FALSE, $9, $10, $11, $12, sequence, $13, $13, $14, $15, $16, $17 FROM counter
     RETURNING sequence`,
    board.businessId,
    tile.id,
    board.id,
    tile.zoneId,
    tile.type,
    statusOf(tile),
    tile.title,
    tile.titleByHand,
    statusOf(tile) !== "ready",
    tile.sourceUrl,
    tile.externalId,
    jobId,
    now,
    jsonOrNull(tile.metadata),
    tile.rawContent === tile.extractedText ? null : tile.rawContent,
    tile.extractedText,
    initialConnection(tile),
  );
  if (row === undefined) throw notFound("Board");
  if (hasExtras(tile))
    await tx.run(
      "UPDATE tile SET file_name = $1, file_type = $2, error = $3, warnings = $4, segments = $5 WHERE business_id = $6 AND id = $7",
      tile.file?.name ?? null,
      tile.file?.mediaType ?? null,
      tile.error === undefined ? null : JSON.stringify(tile.error),
      jsonOrNull(tile.warnings ?? []),
      segmentsColumn(tile.segments),
      board.businessId,
      tile.id,
    );
  if (tile.job !== null && jobId !== null)
    jobs.send(tx, jobId, { businessId: board.businessId, boardId: board.id, tileId: tile.id }, tile.job);
  return createdTile(board, tile, row.sequence, now);
}
