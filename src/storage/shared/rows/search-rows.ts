import type { ConnectedTile, ReadyTile, UnreadyTile } from "#domain/answers/search.ts";
import type { TileType } from "#domain/content/tile.ts";
import type { Flag } from "./rows.ts";

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
