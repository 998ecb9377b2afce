import type { TileEvent } from "#domain/events/event.ts";
import { type BoardKey, type Dialect, lockRows } from "../driver.ts";
import { insert, Mapping, plain } from "../mapping.ts";
import { run, type Unit } from "../unit.ts";
import type { WaitingEvent } from "./fan-out.ts";
import { EVENT_FIELDS, type EventRow, insertTileEvents } from "./record.ts";

/** How many tiles of a board one unit of work reports. */
const TILES_PER_STEP = 250;

/**
 * Events of whole boards, which readers never see: the sequencer replaces them by one event for each tile, step by step, since a board may
 * have a million tiles.
 */
const TILE_EVENTS = { "board.deleted": "tile.deleted", "board.restored": "tile.created" } as const satisfies Record<string, TileEvent>;
type BoardEvent = keyof typeof TILE_EVENTS;

const TILES = new Mapping<EventRow & { readonly sequence: number }>({ ...EVENT_FIELDS, sequence: plain }, "t");

/** Records that a board was deleted or restored, with its tiles. */
export function* insertBoardEvent(event: BoardEvent, { businessId, id: boardId }: BoardKey, now: number): Unit<void> {
  yield* insert("event", { businessId, boardId, event, payload: "0", at: now });
}

export const isBoardEvent = ({ event }: WaitingEvent): boolean => event in TILE_EVENTS;

/** Records the events of the next tiles of a board. Its payload is the sequence of the last tile. Erases it after the last one. */
export function* reportTiles(dialect: Dialect, { businessId, boardId, number, event, payload, at }: WaitingEvent): Unit<void> {
  // Events of tiles are numbered under the lock of their board: none of these tiles is changed before its event is recorded.
  yield* lockRows(dialect, "board", businessId, [boardId]);
  const tiles = yield* TILES.list(
    `tile t WHERE t.business_id = @businessId AND t.board_id = @boardId AND t.deleted_at IS NULL AND t.sequence > @after
     ORDER BY t.sequence LIMIT @limit`,
    { businessId, boardId, after: Number(payload), limit: TILES_PER_STEP },
  );
  yield* insertTileEvents(dialect, TILE_EVENTS[event as BoardEvent], { businessId, id: boardId }, tiles, at);
  const last = String(tiles.at(-1)?.sequence ?? 0);
  yield* tiles.length < TILES_PER_STEP
    ? run("DELETE FROM event WHERE business_id = @businessId AND number = @number", { businessId, number })
    : run("UPDATE event SET payload = @last WHERE business_id = @businessId AND number = @number", { businessId, number, last });
}
