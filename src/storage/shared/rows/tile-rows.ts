import type { Segment, Tile, TileError, TileMetadata, TileStatus, TileSummary, TileType, TileWarning } from "#domain/content/tile.ts";
import type { Flag } from "./rows.ts";

export type TileSummaryRow = {
  id: string;
  zone_id: string | null;
  type: string;
  title: string;
  extracted_text: string;
  status: string;
  source_url: string | null;
  error: string | null;
  sort_order: number;
  sequence: number;
  created_at: number;
  updated_at: number;
};

export type TileRow = TileSummaryRow & {
  business_id: string;
  board_id: string;
  raw_content: string | null;
  metadata: string | null;
  warnings: string | null;
  segments: string | null;
  earlier_text: string | null;
  earlier_until: number | null;
  file_name: string | null;
  file_type: string | null;
  refresh_minutes: number | null;
  external_id: string | null;
  connected_to_chat: Flag | null;
  title_by_hand: Flag;
  text_by_hand: Flag;
  version: number;
};

const SUMMARY = ["id", "zone_id", "type", "title", "status", "source_url", "error", "sort_order", "sequence", "created_at", "updated_at"];
const REST = ["business_id", "board_id", "raw_content", "metadata", "warnings", "external_id", "title_by_hand", "text_by_hand", "version"];
const LONG = [
  "extracted_text",
  "segments",
  "earlier_text",
  "earlier_until",
  "file_name",
  "file_type",
  "refresh_minutes",
  "connected_to_chat",
];

export const SUMMARY_COLUMNS = SUMMARY.map((name) => `t.${name}`).join(", ");
export const TILE_COLUMNS = [...SUMMARY, ...REST, ...LONG].map((name) => `t.${name}`).join(", ");

/**
 * Sets which revision of its board changed the tile, for readers that ask what is new; part of every UPDATE that a listing shows, after
 * the board's revision was raised in the same transaction.
 */
export const STAMP_REVISION =
  "board_revision = (SELECT b.revision FROM board b WHERE b.business_id = tile.business_id AND b.id = tile.board_id)";

export const switchOf = (column: Flag | null): boolean | null => (column === null ? null : Boolean(column));

export const metadataOf = (column: string | null): TileMetadata => (column === null ? {} : (JSON.parse(column) as TileMetadata));

export const summaryOf = (row: TileSummaryRow): TileSummary => ({
  id: row.id,
  zoneId: row.zone_id,
  type: row.type as TileType,
  title: row.title,
  extractedText: row.extracted_text,
  status: row.status as TileStatus,
  sourceUrl: row.source_url,
  error: row.error === null ? null : (JSON.parse(row.error) as TileError),
  sortOrder: row.sort_order,
  sequence: row.sequence,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const tileOf = (row: TileRow): Tile => ({
  ...summaryOf(row),
  businessId: row.business_id,
  boardId: row.board_id,
  rawContent: row.raw_content ?? row.extracted_text,
  metadata: metadataOf(row.metadata),
  warnings: readWarnings(row.warnings),
  segments: readSegments(row.segments),
  earlier: row.earlier_text === null ? null : { text: row.earlier_text, until: row.earlier_until ?? row.updated_at },
  file: row.file_name === null ? null : { name: row.file_name, mediaType: row.file_type ?? "" },
  refreshMinutes: row.refresh_minutes,
  externalId: row.external_id,
  connectedToChat: switchOf(row.connected_to_chat),
  titleOverridden: Boolean(row.title_by_hand),
  textOverridden: Boolean(row.text_by_hand),
  version: row.version,
});

export const readWarnings = (column: string | null): TileWarning[] => (column === null ? [] : (JSON.parse(column) as TileWarning[]));

const readSegments = (column: string | null): Segment[] =>
  column === null ? [] : (JSON.parse(column) as [number, number, number][]).map(([start, end, seconds]) => ({ start, end, seconds }));

/** Segments as a column: lists of three numbers, since an hour of speech has a thousand of them; null for none. */
export const segmentsColumn = (segments: readonly Segment[] = []): string | null =>
  segments.length === 0 ? null : JSON.stringify(segments.map(({ start, end, seconds }) => [start, end, seconds]));

/** JSON for a column that is null when there is nothing to say. */
export function jsonOrNull(value: object): string | null {
  const text = JSON.stringify(value);
  return text === "{}" || text === "[]" ? null : text;
}
