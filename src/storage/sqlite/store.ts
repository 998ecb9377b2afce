import { join } from "node:path";
import type { Store } from "#domain/store.ts";
import { BoardWatch } from "../shared/board-watch.ts";
import { createApiKeyStore } from "./api-keys.ts";
import { createBoardStore } from "./boards.ts";
import { Connection } from "./engine/database.ts";
import { migrate } from "./engine/migrate.ts";
import { createQueue } from "./jobs.ts";
import { createSearchStore } from "./search/search.ts";
import { listAudit } from "./shared/audit.ts";
import { createRecorder } from "./shared/events.ts";
import { createTileStore } from "./tiles.ts";
import { createWebhookStore } from "./webhooks.ts";
import { createZoneStore } from "./zones.ts";

/** The database's file inside a data directory. */
export const databaseFile = (dataDir: string): string => join(dataDir, "tessera.sqlite");

/** Rows erased in one unit of work, so that a purge never holds up the writers. */
const PURGE_STEP = 500;
/** How often a watched board is looked at; what is asked is in memory while nobody commits. */
const WATCH_MS = 100;

/** Opens (and where needed makes or upgrades) the store in `file`, or in memory for `:memory:`. */
export function openStore(file: string): Store {
  const db = new Connection(file);
  try {
    migrate(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return storeOn(db);
}

/** The store on a connection whose schema is up to date. */
export function storeOn(db: Connection): Store {
  const workers = new Set<() => void>();
  const senders = new Set<() => void>();
  const boards = createBoardStore(db);
  const watch = new BoardWatch((businessId, boardId) => boards.revision({ businessId, id: boardId }, "content"), WATCH_MS);
  return {
    boards,
    zones: createZoneStore(db, workers),
    tiles: createTileStore(db, workers),
    apiKeys: createApiKeyStore(db),
    webhooks: createWebhookStore(db, senders),
    search: createSearchStore(db),
    queue: createQueue(db, createRecorder(db, senders), workers),
    purge: (deletedBefore, now) => purge(db, deletedBefore, now),
    async ping() {
      db.check();
      db.get("SELECT 1 AS one FROM business LIMIT 1");
    },
    beginCall: () => db.beginCall(),
    allowances: null,
    changes: watch,
    audit: async (businessId, limit) => listAudit(db, businessId, limit),
    async close() {
      watch.stop();
      await db.end();
    },
  };
}

async function purge(db: Connection, deletedBefore: number, now: number): Promise<number> {
  let erased = 0;
  const steps = [
    () => db.run("DELETE FROM tile WHERE rowid IN (SELECT rowid FROM tile WHERE deleted_at < ? LIMIT ?)", deletedBefore, PURGE_STEP),
    () => db.run("DELETE FROM zone WHERE rowid IN (SELECT rowid FROM zone WHERE deleted_at < ? LIMIT ?)", deletedBefore, PURGE_STEP),
    () => purgeBoardContent(db, deletedBefore),
    () => db.run("DELETE FROM once WHERE expires_at < ?", now),
  ];
  for (const step of steps) {
    for (;;) {
      const gone = await db.write(step);
      erased += gone;
      if (gone < PURGE_STEP) break;
    }
  }
  return erased;
}

/** Erases what boards deleted long ago still hold; the board's own row stays, so that its slug and number are not used again. */
function purgeBoardContent(db: Connection, deletedBefore: number): number {
  let gone = 0;
  const boards = db.all<{ number: number; business_id: string; id: string }>(
    "SELECT number, business_id, id FROM board WHERE deleted_at < ? AND (documents > 0 OR EXISTS (SELECT 1 FROM tile t WHERE t.business_id = board.business_id AND t.board_id = board.id))",
    deletedBefore,
  );
  for (const board of boards) {
    for (const table of ["posting", "posting_block", "chunk"]) db.run(`DELETE FROM ${table} WHERE board_number = ?`, board.number);
    gone += db.run(
      "DELETE FROM tile WHERE rowid IN (SELECT rowid FROM tile WHERE business_id = ? AND board_id = ? LIMIT ?)",
      board.business_id,
      board.id,
      PURGE_STEP,
    );
    db.run("DELETE FROM zone WHERE business_id = ? AND board_id = ?", board.business_id, board.id);
    db.run("DELETE FROM job WHERE business_id = ? AND board_id = ?", board.business_id, board.id);
    db.run("UPDATE board SET documents = 0, total_length = 0 WHERE number = ?", board.number);
  }
  return gone;
}
