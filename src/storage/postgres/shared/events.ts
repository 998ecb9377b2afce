import type { EventType, TileEventPayload } from "#domain/settings/webhook.ts";
import { recordEvent } from "../../sql/events.ts";
import type { Transaction } from "../engine/database.ts";
import { POSTGRES, runUnit } from "../engine/driver.ts";

type EventTile = TileEventPayload & { readonly businessId: string };

/** Records a tile's event; see `recordEvent`. */
export function recordTileEvent(tx: Transaction, event: EventType, tile: EventTile, now: number): Promise<void> {
  const { businessId: _business, ...payload } = tile;
  return runUnit(tx, recordEvent(POSTGRES, event, tile, payload satisfies TileEventPayload, now));
}
