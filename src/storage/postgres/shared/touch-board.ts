import * as shared from "../../sql/content/board-revisions.ts";
import type { Transaction } from "../engine/database.ts";
import { POSTGRES, runUnit } from "../engine/driver.ts";

/** Marks the board as changed; called first in a unit of work, so that all units lock board, tile, index and job in this order. */
export const touchBoard = (tx: Transaction, businessId: string, boardId: string): Promise<void> =>
  runUnit(tx, shared.touchBoard(POSTGRES, businessId, boardId));
