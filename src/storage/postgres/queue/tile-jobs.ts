import type { JobInsert, PgBoss } from "pg-boss";
import type { NewJob } from "#domain/content/job.ts";
import type { BoardKey } from "../../sql/driver.ts";
import type { Transaction } from "../engine/transaction.ts";
import { INGEST } from "./boss.ts";
import { newJobId } from "./job-id.ts";

/** A condition on the tile `t`: `@jobId` is its job. */
export const IS_HELD = "t.job_id = @jobId";
/** The columns of a tile whose job has ended. */
export const NO_JOB_COLUMNS = { job_id: null } as const;

/** The data of a job. */
export type JobData = {
  readonly businessId: string;
  readonly boardId: string;
  readonly tileId: string;
  /** The number of claims that were returned and do not count as attempts. */
  readonly released: number;
  /** The number of crashes counted against the job; omitted for none. */
  readonly crashes?: number;
  /** Another job may have caused one of the crashes; omitted otherwise. */
  readonly isSuspect?: true;
};

/** Creates, replaces and deletes the jobs of tiles in the unit of work that changes the tile. `tile.job_id` refers to the open job. */
export class TileJobs {
  readonly #boss: PgBoss;
  /** Jobs of units of work that are not committed yet. */
  readonly #queued = new WeakMap<Transaction, JobInsert[]>();

  constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** Queues a job under the id in the tile's row. All jobs of a unit of work are inserted together before its commit. */
  send(tx: Transaction, id: string, tile: Pick<JobData, "businessId" | "boardId" | "tileId">, job: NewJob): void {
    const data: JobData = { ...tile, released: 0 };
    const insert: JobInsert = { id, data, group: { id: job.host }, retryLimit: job.maxAttempts - 1 };
    const queued = this.#queued.get(tx);
    if (queued !== undefined) {
      queued.push(insert);
      return;
    }
    const inserts = [insert];
    this.#queued.set(tx, inserts);
    tx.beforeCommit.push(async () => {
      if (inserts.length === 0) return;
      const inserted = await this.#boss.insert(INGEST, inserts, { db: tx, returnId: true });
      // A processing tile without a job would never end.
      if (inserted?.length !== inserts.length) throw new Error("The queue did not accept every job, so the whole change was rolled back.");
    });
  }

  /** Creates a job for each of these tiles of a board, and replaces existing ones. */
  async put(
    tx: Transaction,
    { businessId, id: boardId }: BoardKey,
    items: readonly { readonly tileId: string; readonly job: NewJob }[],
  ): Promise<void> {
    const tileIds = items.map(({ tileId }) => tileId);
    await this.drop(tx, businessId, tileIds);
    const ids = items.map(({ tileId, job }) => {
      const id = newJobId();
      this.send(tx, id, { businessId, boardId, tileId }, job);
      return id;
    });
    await tx.run(
      `UPDATE tile SET job_id = created.job_id FROM unnest($2::text[], $3::uuid[]) AS created (id, job_id)
       WHERE tile.business_id = $1 AND tile.id = created.id`,
      businessId,
      tileIds,
      ids,
    );
  }

  /** Deletes the jobs of tiles, leased or not. */
  async drop(tx: Transaction, businessId: string, tileIds: readonly string[]): Promise<void> {
    const open = await tx.all<{ job_id: string }>(
      "SELECT job_id FROM tile WHERE business_id = $1 AND id = ANY($2) AND job_id IS NOT NULL ORDER BY id FOR UPDATE",
      businessId,
      tileIds,
    );
    if (open.length === 0) return;
    await tx.run("UPDATE tile SET job_id = NULL WHERE business_id = $1 AND id = ANY($2)", businessId, tileIds);
    const ids = new Set(open.map(({ job_id }) => job_id));
    // Jobs created in this unit of work are not inserted yet.
    const queued = this.#queued.get(tx) ?? [];
    for (let at = queued.length - 1; at >= 0; at--) {
      const { id } = queued[at] as JobInsert;
      if (id !== undefined && ids.delete(id)) queued.splice(at, 1);
    }
    if (ids.size > 0) await this.#boss.deleteJob(INGEST, [...ids], { db: tx });
  }
}
