import { type EventTile, type FeedEvent, storeTilePayload, type TileEvent } from "#domain/events/event.ts";
import type { Tile, TileHead } from "#domain/content/tile.ts";
import type { BoardKey, Dialect } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { boardChanged, run, type Unit } from "../unit.ts";

/** What the events of changed tiles contain, for an UPDATE of `tile` that returns it. */
export const EVENT_FIELDS = {
  ...plainFields("id", "title", "type", "externalId", "sourceUrl", "zoneId"),
  tags: { convert: (value: unknown) => (value === null ? [] : (JSON.parse(value as string) as string[])) },
};
export const EVENT_TILES = new Mapping<EventTile>(EVENT_FIELDS, "tile");

/**
 * Records an event in the unit of work of the change that it reports. Does nothing if the board is deleted. `payload` is JSON as it is
 * stored. The sequencer of this process is woken by the change of the board.
 */
export function* insertEvent(event: FeedEvent, { businessId, id: boardId }: BoardKey, payload: string, now: number): Unit<void> {
  yield* boardChanged(boardId);
  yield* run(
    `INSERT INTO event (business_id, board_id, event, payload, at)
     SELECT b.business_id, b.id, @event, @payload, CAST(@now AS BIGINT) FROM board b
     WHERE b.business_id = @businessId AND b.id = @boardId AND b.deleted_at IS NULL`,
    { event, payload, now, businessId, boardId },
  );
}

/** Records a change of a tile by a call. */
export const insertTileEvent = (event: TileEvent, tile: Tile | TileHead, now: number): Unit<void> =>
  insertEvent(event, { businessId: tile.businessId, id: tile.boardId }, storeTilePayload(tile), now);

/** Records the same event of several tiles of a board, as one statement. */
export function* insertTileEvents(
  { rowsOfJson }: Dialect,
  event: TileEvent,
  { businessId, id: boardId }: BoardKey,
  tiles: readonly EventTile[],
  now: number,
): Unit<void> {
  if (tiles.length === 0) return;
  yield* run(
    `INSERT INTO event (business_id, board_id, event, payload, at)
     SELECT @businessId, @boardId, @event, e.payload, CAST(@now AS BIGINT) FROM ${rowsOfJson("rows", { payload: "text" })} AS e`,
    { businessId, boardId, event, now, rows: JSON.stringify(tiles.map((tile) => ({ payload: storeTilePayload(tile) }))) },
  );
}
