import type { PgBoss } from "pg-boss";
import { INGEST } from "../engine/boss.ts";
import type { Database, Transaction } from "../engine/database.ts";

type Purger = { readonly db: Database; readonly boss: PgBoss };

/** Rows erased in one unit of work, so that a purge never holds up the writers. */
const STEP = 500;
/** How long an upload may take; parts of older ones without a tile are left over. */
const UNFINISHED_MS = 24 * 3_600_000;

/** Erases, business by business, what was deleted and deliveries that ended before `deletedBefore`, and what is remembered no longer; answers how many rows went. */
export async function purge(purger: Purger, deletedBefore: number, now: number): Promise<number> {
  const { db } = purger;
  let erased = 0;
  for (const { id } of await db.all<{ id: string }>("SELECT id FROM business ORDER BY id")) {
    erased += await eraseInSteps(purger, "tile", id, "deleted_at < $2", deletedBefore);
    erased += await eraseInSteps(purger, "zone", id, "deleted_at < $2", deletedBefore);
    erased += await eraseBoardContent(purger, id, deletedBefore);
    erased += await eraseInSteps(purger, "delivery", id, "status IN ('succeeded', 'failed') AND created_at < $2", deletedBefore);
    erased += await db.write((tx) =>
      tx.run(
        `DELETE FROM file_part p WHERE p.business_id = $1 AND p.created_at < $2
         AND NOT EXISTS (SELECT 1 FROM tile t WHERE t.business_id = p.business_id AND t.id = p.tile_id)`,
        id,
        now - UNFINISHED_MS,
      ),
    );
    erased += await db.write((tx) =>
      tx.run(
        `DELETE FROM thumbnail p WHERE p.business_id = $1
         AND NOT EXISTS (SELECT 1 FROM tile t WHERE t.business_id = p.business_id AND t.id = p.tile_id)`,
        id,
      ),
    );
    // Claims of processes that are gone, and what they were at; no rows of a user's.
    for (const table of ["embedding", "progress"])
      await db.write((tx) => tx.run(`DELETE FROM ${table} WHERE business_id = $1 AND until < $2`, id, now));
    for (const table of ["once", "session", "invitation", "claim"] as const)
      erased += await db.write((tx) => tx.run(`DELETE FROM ${table} WHERE business_id = $1 AND expires_at < $2`, id, now));
  }
  return erased;
}

async function eraseInSteps(
  { db, boss }: Purger,
  table: "tile" | "zone" | "delivery",
  businessId: string,
  where: string,
  value: string | number,
  mayGo: (tx: Transaction) => Promise<boolean> = async () => true,
): Promise<number> {
  let erased = 0;
  for (;;) {
    const gone = await db.write(async (tx) => {
      if (!(await mayGo(tx))) return 0;
      const rows = await tx.all<{ job_id?: string | null }>(
        `DELETE FROM ${table} WHERE business_id = $1
         AND id = ANY (ARRAY (SELECT id FROM ${table} WHERE business_id = $1 AND ${where} ORDER BY id LIMIT ${STEP})) AND ${where}
         RETURNING ${table === "tile" ? "job_id" : "id"}`,
        businessId,
        value,
      );
      const jobs = rows.flatMap((row) => row.job_id ?? []);
      if (jobs.length > 0) await boss.deleteJob(INGEST, jobs, { db: tx });
      return rows.length;
    });
    erased += gone;
    if (gone < STEP) return erased;
  }
}

/** Erases what boards deleted long ago still hold; the board's own row stays, so that its slug and number are not used again. */
async function eraseBoardContent(purger: Purger, businessId: string, deletedBefore: number): Promise<number> {
  const { db } = purger;
  let erased = 0;
  const boards = await db.all<{ number: number; id: string }>(
    `SELECT b.number, b.id FROM board b JOIN board_index i ON i.business_id = b.business_id AND i.board_number = b.number
     WHERE b.business_id = $1 AND b.deleted_at < $2
       AND (i.documents > 0 OR EXISTS (SELECT 1 FROM generation g WHERE g.business_id = b.business_id AND g.board_id = b.id) OR EXISTS (SELECT 1 FROM tile t WHERE t.business_id = b.business_id AND t.board_id = b.id)
         OR EXISTS (SELECT 1 FROM zone z WHERE z.business_id = b.business_id AND z.board_id = b.id))`,
    businessId,
    deletedBefore,
  );
  for (const { number, id } of boards) {
    // Asked in each step, under the lock that a restoration takes: a board that came back keeps what it holds.
    const isStillGone = async (tx: Transaction): Promise<boolean> =>
      (await tx.get(
        "SELECT 1 AS found FROM board WHERE business_id = $1 AND id = $2 AND deleted_at < $3 FOR UPDATE",
        businessId,
        id,
        deletedBefore,
      )) !== undefined;
    erased += await eraseInSteps(purger, "tile", businessId, "board_id = $2", id, isStillGone);
    await eraseInSteps(purger, "zone", businessId, "board_id = $2", id, isStillGone);
    await db.write(async (tx) => {
      if (!(await isStillGone(tx))) return;
      for (const table of ["generation", "idea"])
        await tx.run(`DELETE FROM ${table} WHERE business_id = $1 AND board_id = $2`, businessId, id);
      for (const table of ["posting", "posting_block", "passage_block", "chunk"])
        await tx.run(`DELETE FROM ${table} WHERE business_id = $1 AND board_number = $2`, businessId, number);
      await tx.run(
        "UPDATE board_index SET documents = 0, total_length = 0 WHERE business_id = $1 AND board_number = $2",
        businessId,
        number,
      );
    });
  }
  return erased;
}
