import type { JobInsert, PgBoss } from "pg-boss";
import type { NewJob } from "#domain/content/job.ts";
import { INGEST } from "../engine/boss.ts";
import type { Transaction } from "../engine/database.ts";
import { newJobId } from "../engine/job-id.ts";

/** What a job says of itself. */
export type JobData = {
  readonly businessId: string;
  readonly boardId: string;
  readonly tileId: string;
  /** The claims that were handed back and are no attempts. */
  readonly released: number;
  /** How many unexpected ends of a process were counted against the job; left out where none was. */
  readonly crashes?: number;
  /** One of the crashes may not be the job's own; left out where that is not so. */
  readonly isSuspect?: true;
};

/** A tile's job, written, replaced and dropped in the unit of work that changes the tile. `tile.job_id` names the one that is open. */
export class TileJobs {
  readonly boss: PgBoss;
  /** Tells the workers of every node, once the unit of work is committed. */
  readonly wake: () => void;
  readonly #gathered = new WeakMap<Transaction, JobInsert[]>();

  constructor(boss: PgBoss, wake: () => void) {
    this.boss = boss;
    this.wake = wake;
  }

  /** Queues a job under the id that the tile's row is written with; all of one unit of work are inserted together at its end. */
  send(tx: Transaction, id: string, tile: Omit<JobData, "released" | "crashes" | "isSuspect">, job: NewJob): void {
    const data: JobData = { ...tile, released: 0 };
    const insert: JobInsert = { id, data, group: { id: job.host }, retryLimit: job.maxAttempts - 1 };
    const gathered = this.#gathered.get(tx);
    if (gathered !== undefined) {
      gathered.push(insert);
      return;
    }
    const inserts = [insert];
    this.#gathered.set(tx, inserts);
    tx.beforeCommit.push(async () => {
      if (inserts.length === 0) return;
      const made = await this.boss.insert(INGEST, inserts, { db: tx, returnId: true });
      // A tile without its job would be processing for ever.
      if (made?.length !== inserts.length) throw new Error("The queue did not take every job, so nothing of this was stored.");
    });
  }

  /** Gives a tile that is there a job; an earlier one is replaced. */
  async put(tx: Transaction, businessId: string, boardId: string, tileId: string, job: NewJob): Promise<void> {
    await this.drop(tx, businessId, tileId);
    const id = newJobId();
    this.send(tx, id, { businessId, boardId, tileId }, job);
    await tx.run("UPDATE tile SET job_id = $1 WHERE business_id = $2 AND id = $3", id, businessId, tileId);
  }

  /** Gives each of several tiles, which have none, a job. */
  async begin(
    tx: Transaction,
    businessId: string,
    tiles: readonly { readonly tileId: string; readonly boardId: string; readonly job: NewJob }[],
  ): Promise<void> {
    if (tiles.length === 0) return;
    const ids = tiles.map(({ tileId, boardId, job }) => {
      const id = newJobId();
      this.send(tx, id, { businessId, boardId, tileId }, job);
      return id;
    });
    await tx.run(
      `UPDATE tile SET job_id = given.job_id FROM unnest($2::text[], $3::uuid[]) AS given (id, job_id)
       WHERE tile.business_id = $1 AND tile.id = given.id`,
      businessId,
      tiles.map(({ tileId }) => tileId),
      ids,
    );
  }

  /** Ends the jobs of several tiles, whoever holds them. */
  async dropMany(tx: Transaction, businessId: string, tileIds: readonly string[]): Promise<void> {
    const [only] = tileIds;
    if (tileIds.length === 1 && only !== undefined) return this.drop(tx, businessId, only);
    const open = await tx.all<{ job_id: string }>(
      "SELECT job_id FROM tile WHERE business_id = $1 AND id = ANY($2) AND job_id IS NOT NULL ORDER BY id FOR UPDATE",
      businessId,
      tileIds,
    );
    if (open.length === 0) return;
    await tx.run("UPDATE tile SET job_id = NULL WHERE business_id = $1 AND id = ANY($2)", businessId, tileIds);
    const ids = new Set(open.map(({ job_id }) => job_id));
    // Those of this unit of work are not in the queue yet.
    const gathered = this.#gathered.get(tx) ?? [];
    for (let at = gathered.length - 1; at >= 0; at--) {
      const { id } = gathered[at] as JobInsert;
      if (id !== undefined && ids.delete(id)) gathered.splice(at, 1);
    }
    if (ids.size > 0) await this.boss.deleteJob(INGEST, [...ids], { db: tx });
  }

  /** Ends the tile's job, whoever holds it. */
  async drop(tx: Transaction, businessId: string, tileId: string): Promise<void> {
    const row = await tx.get<{ job_id: string | null }>("SELECT job_id FROM tile WHERE business_id = $1 AND id = $2", businessId, tileId);
    if (typeof row?.job_id !== "string") return;
    await tx.run("UPDATE tile SET job_id = NULL WHERE business_id = $1 AND id = $2", businessId, tileId);
    const gathered = this.#gathered.get(tx) ?? [];
    const place = gathered.findIndex(({ id }) => id === row.job_id);
    if (place >= 0) gathered.splice(place, 1);
    else await this.boss.deleteJob(INGEST, row.job_id, { db: tx });
  }
}
