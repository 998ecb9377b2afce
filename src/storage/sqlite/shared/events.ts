import type { EventType, TileEventPayload } from "#domain/settings/webhook.ts";
import { recordEvent } from "../../sql/events.ts";
import type { Connection } from "../engine/database.ts";
import { runUnit, SQLITE } from "../engine/driver.ts";

/** Records a tile's event inside the unit of work that makes it true; see `recordEvent`. */
export function recordTileEvent(db: Connection, event: EventType, businessId: string, tileId: string, now: number): void {
  const hasWebhook = db.get("SELECT 1 AS found FROM webhook WHERE business_id = ?", businessId) !== undefined;
  const tile = hasWebhook
    ? db.get<{ board_id: string; title: string; type: string }>(
        "SELECT board_id, title, type FROM tile WHERE business_id = ? AND id = ?",
        businessId,
        tileId,
      )
    : undefined;
  if (tile === undefined) return;
  const { board_id: boardId, title, type } = tile;
  const payload: TileEventPayload = { tileId, boardId, title, type };
  runUnit(db, recordEvent(SQLITE, event, { businessId, boardId }, payload, now));
}
