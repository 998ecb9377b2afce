import { type EventTile, type FeedEvent, storeTilePayload, type TileEvent } from "#domain/events/event.ts";
import type { Tile, TileHead } from "#domain/content/tile.ts";
import type { BoardKey, Dialect } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { boardChanged, run, type Unit } from "../unit.ts";

/** What an event is made of. Its properties are JSON, as they are stored. */
export type EventRow = EventTile & { readonly properties: string | null };

/** What the events of changed tiles contain, for an UPDATE of `tile` that returns it. */
export const EVENT_FIELDS = {
  ...plainFields("id", "title", "type", "externalId", "sourceUrl", "zoneId", "properties"),
  tags: { convert: (value: unknown) => (value === null ? [] : (JSON.parse(value as string) as string[])) },
};
export const EVENT_TILES = new Mapping<EventRow>(EVENT_FIELDS, "tile");

/**
 * Records an event in the unit of work of the change that it reports. Does nothing if the board is deleted. `payload` is JSON as it is
 * stored, and so are the properties of its tile. The sequencer of this process is woken by the change of the board.
 */
export function* insertEvent(
  event: FeedEvent,
  { businessId, id: boardId }: BoardKey,
  { payload, properties = null }: { readonly payload: string; readonly properties?: string | null },
  now: number,
): Unit<void> {
  yield* boardChanged(boardId);
  yield* run(
    `INSERT INTO event (business_id, board_id, event, payload, properties, at)
     SELECT b.business_id, b.id, @event, @payload, @properties, CAST(@now AS BIGINT) FROM board b
     WHERE b.business_id = @businessId AND b.id = @boardId AND b.deleted_at IS NULL`,
    { event, payload, properties, now, businessId, boardId },
  );
}

/** Records a change of a tile, or the end of its ingestion. */
export function insertTileEvent(event: TileEvent, tile: Tile | TileHead, now: number): Unit<void> {
  const { businessId, boardId, properties } = tile;
  const stored = Object.keys(properties).length === 0 ? null : JSON.stringify(properties);
  return insertEvent(event, { businessId, id: boardId }, { payload: storeTilePayload(tile), properties: stored }, now);
}

/** Records the same event of several tiles of a board, as one statement. */
export function* insertTileEvents(
  { rowsOfJson }: Dialect,
  event: TileEvent,
  { businessId, id: boardId }: BoardKey,
  tiles: readonly EventRow[],
  now: number,
): Unit<void> {
  if (tiles.length === 0) return;
  const rows = tiles.map((tile) => ({ payload: storeTilePayload(tile), properties: tile.properties }));
  yield* run(
    `INSERT INTO event (business_id, board_id, event, payload, properties, at)
     SELECT @businessId, @boardId, @event, e.payload, e.properties, CAST(@now AS BIGINT)
     FROM ${rowsOfJson("rows", { payload: "text", properties: "text" })} AS e`,
    { businessId, boardId, event, now, rows: JSON.stringify(rows) },
  );
}
