import type { Tile } from "../content/tile.ts";

/** The events of the change feed and of subscriptions. */
export const FEED_EVENTS = [
  "tile.created",
  "tile.ready",
  "tile.updated",
  "tile.failed",
  "tile.deleted",
  "source.failing",
  "generation.complete",
  "generation.failed",
] as const;
export type FeedEvent = (typeof FEED_EVENTS)[number];
export type TileEvent = Extract<FeedEvent, `tile.${string}`>;

/** The fields of a tile that its events contain. */
export type EventTile = Pick<Tile, "id" | "title" | "type" | "externalId" | "sourceUrl" | "zoneId" | "tags">;

/** What an event reports about a tile: its fields when the event was recorded. */
export type TilePayload = {
  readonly tileId: string;
  readonly boardId: string;
  readonly title: string;
  readonly type: Tile["type"];
  readonly externalId: string | null;
  readonly sourceUrl: string | null;
  readonly zoneId: string | null;
  readonly tags: readonly string[];
};

/** A payload as it is stored: without the board, which is a column, and without what the tile does not have. */
type StoredPayload = Pick<TilePayload, "tileId" | "title" | "type"> & Partial<TilePayload>;

export const isTileEvent = (event: FeedEvent): event is TileEvent => event.startsWith("tile.");

/** Returns the payload of an event of a tile as it is stored. */
export function storeTilePayload({ id: tileId, title, type, externalId, sourceUrl, zoneId, tags }: EventTile): string {
  const given = {
    ...(externalId === null ? {} : { externalId }),
    ...(sourceUrl === null ? {} : { sourceUrl }),
    ...(zoneId === null ? {} : { zoneId }),
    ...(tags.length === 0 ? {} : { tags }),
  };
  return JSON.stringify({ tileId, title, type, ...given } satisfies StoredPayload);
}

/** Returns the payload of a stored event. That of a tile has all fields. */
export function readPayload(event: FeedEvent, boardId: string, stored: string): object {
  if (!isTileEvent(event)) return JSON.parse(stored) as object;
  const { tileId, title, type, externalId = null, sourceUrl = null, zoneId = null, tags = [] } = JSON.parse(stored) as StoredPayload;
  return { tileId, boardId, title, type, externalId, sourceUrl, zoneId, tags } satisfies TilePayload;
}
