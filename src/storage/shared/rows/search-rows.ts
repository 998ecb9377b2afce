import type { ConnectedTile, PendingTile, ReadyTile, UnreadyTile } from "#domain/answers/search.ts";
import type { TileType } from "#domain/content/tile.ts";
import type { Flag } from "./rows.ts";

export const FOUND_COLUMNS = "t.id, t.title, t.type, t.source_url, t.extracted_text";
export type FoundTileRow = { id: string; title: string; type: string; source_url: string | null; extracted_text: string };
export type ReadyTileRow = FoundTileRow & { connected: Flag };
export type UnreadyTileRow = {
  id: string;
  title: string;
  type: string;
  status: UnreadyTile["status"];
  source_url: string | null;
  sequence: number;
  connected: Flag;
};

export const connectedTileOf = ({ id, title, type, source_url, extracted_text }: FoundTileRow): ConnectedTile => ({
  id,
  title,
  type: type as TileType,
  sourceUrl: source_url,
  extractedText: extracted_text,
});

export const readyTileOf = (row: ReadyTileRow): ReadyTile => ({ ...connectedTileOf(row), connected: Boolean(row.connected) });

export const unreadyTileOf = ({ id, title, type, status, source_url, sequence, connected }: UnreadyTileRow): UnreadyTile => ({
  tileId: id,
  title,
  type: type as TileType,
  status,
  sourceUrl: source_url,
  connected: Boolean(connected),
  sequence,
});

export const PENDING_COLUMNS = "t.business_id, t.board_id, t.id, t.version, t.title, t.extracted_text";
export type PendingRow = { business_id: string; board_id: string; id: string; version: number; title: string; extracted_text: string };
export const pendingOf = (row: PendingRow): PendingTile => ({
  businessId: row.business_id,
  boardId: row.board_id,
  tileId: row.id,
  version: row.version,
  title: row.title,
  text: row.extracted_text,
});
