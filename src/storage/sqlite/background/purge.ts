import type { Connection } from "../engine/database.ts";

/** Rows erased in one unit of work, so that a purge never holds up the writers. */
const STEP = 500;
/** How long an upload may take; parts of older ones without a tile are left over. */
const UNFINISHED_MS = 24 * 3_600_000;

/** Erases what was deleted and deliveries that ended before `deletedBefore`, and what is remembered no longer; answers how many rows went. */
export async function purge(db: Connection, deletedBefore: number, now: number): Promise<number> {
  let erased = 0;
  const steps = [
    () => db.run("DELETE FROM tile WHERE rowid IN (SELECT rowid FROM tile WHERE deleted_at < ? LIMIT ?)", deletedBefore, STEP),
    () => db.run("DELETE FROM zone WHERE rowid IN (SELECT rowid FROM zone WHERE deleted_at < ? LIMIT ?)", deletedBefore, STEP),
    () => purgeBoardContent(db, deletedBefore),
    () =>
      db.run(
        `DELETE FROM file_part WHERE rowid IN (SELECT p.rowid FROM file_part p WHERE p.created_at < ?
         AND NOT EXISTS (SELECT 1 FROM tile t WHERE t.business_id = p.business_id AND t.id = p.tile_id) LIMIT ?)`,
        now - UNFINISHED_MS,
        STEP,
      ),
    () =>
      db.run(
        `DELETE FROM thumbnail WHERE rowid IN (SELECT p.rowid FROM thumbnail p
         WHERE NOT EXISTS (SELECT 1 FROM tile t WHERE t.business_id = p.business_id AND t.id = p.tile_id) LIMIT ?)`,
        STEP,
      ),
    () =>
      db.run(
        `DELETE FROM delivery WHERE rowid IN (SELECT d.rowid FROM business b JOIN delivery d ON d.business_id = b.id AND d.created_at < ?
         WHERE d.status IN ('succeeded', 'failed') LIMIT ?)`,
        deletedBefore,
        STEP,
      ),
    () => db.run("DELETE FROM once WHERE expires_at < ?", now),
    () => db.run("DELETE FROM session WHERE expires_at < ?", now),
    () => db.run("DELETE FROM invitation WHERE expires_at < ?", now),
    () => db.run("DELETE FROM claim WHERE expires_at < ?", now),
  ];
  for (const step of steps) {
    for (;;) {
      const gone = await db.write(step);
      erased += gone;
      if (gone < STEP) break;
    }
  }
  // What counts for nothing any more; no rows of a user's.
  await db.write(() => db.run("DELETE FROM progress WHERE until < ?", now));
  return erased;
}

/** Erases what boards deleted long ago still hold; the board's own row stays, so that its slug and number are not used again. */
function purgeBoardContent(db: Connection, deletedBefore: number): number {
  let gone = 0;
  const boards = db.all<{ number: number; business_id: string; id: string }>(
    "SELECT number, business_id, id FROM board WHERE deleted_at < ? AND (documents > 0 OR EXISTS (SELECT 1 FROM tile t WHERE t.business_id = board.business_id AND t.board_id = board.id) OR EXISTS (SELECT 1 FROM zone z WHERE z.business_id = board.business_id AND z.board_id = board.id) OR EXISTS (SELECT 1 FROM generation g WHERE g.business_id = board.business_id AND g.board_id = board.id))",
    deletedBefore,
  );
  for (const board of boards) {
    for (const table of ["posting", "posting_block", "passage_block", "chunk"])
      db.run(`DELETE FROM ${table} WHERE board_number = ?`, board.number);
    gone += db.run(
      "DELETE FROM tile WHERE rowid IN (SELECT rowid FROM tile WHERE business_id = ? AND board_id = ? LIMIT ?)",
      board.business_id,
      board.id,
      STEP,
    );
    db.run("DELETE FROM zone WHERE business_id = ? AND board_id = ?", board.business_id, board.id);
    db.run("DELETE FROM job WHERE business_id = ? AND board_id = ?", board.business_id, board.id);
    for (const table of ["generation", "idea"])
      db.run(`DELETE FROM ${table} WHERE business_id = ? AND board_id = ?`, board.business_id, board.id);
    db.run("UPDATE board SET documents = 0, total_length = 0 WHERE number = ?", board.number);
  }
  return gone;
}
