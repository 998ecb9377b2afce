import * as shared from "../../sql/content/board-revisions.ts";
import type { Connection } from "../engine/database.ts";
import { SQLITE, runUnit } from "../engine/driver.ts";

/** Marks the board as changed; called first in a unit of work, so that all units lock board, tile, index and job in this order. */
export const touchBoard = (db: Connection, businessId: string, boardId: string): void =>
  runUnit(db, shared.touchBoard(SQLITE, businessId, boardId));
