import { notFound } from "#domain/core/error.ts";
import {
  type Generation,
  FUTURE_GENERATION_LEASE_MS,
  GENERATION_LEASE_MS,
  type GenerationError,
  type GenerationStore,
  INTERRUPTED,
  generationPayload,
} from "#domain/answers/generation.ts";
import {
  GENERATION_COLUMNS,
  GENERATION_SUMMARY_COLUMNS,
  type GenerationRow,
  type GenerationSummaryRow,
  askerOf,
  generationOf,
  generationSummaryOf,
  hasEnded,
} from "../../shared/rows/generation-rows.ts";
import type { Database, Transaction, Value } from "../engine/database.ts";
import { recordEvent } from "../shared/events.ts";
import { insertTile } from "../shared/new-tile.ts";
import { createOnce } from "../shared/once.ts";
import type { TileJobs } from "../shared/tile-jobs.ts";

const ON_LIVE_BOARD = "JOIN board b ON b.business_id = g.business_id AND b.id = g.board_id AND b.deleted_at IS NULL";

/** `wake` tells the senders of every node. */
export function createGenerationStore(db: Database, jobs: TileJobs, wake: () => void): GenerationStore {
  /** The row, locked, where `where` still holds of it. */
  async function lock(tx: Transaction, businessId: string, id: string, where = "TRUE", ...values: Value[]): Promise<Generation | null> {
    const row = await tx.get<GenerationRow>(
      `SELECT ${GENERATION_COLUMNS} FROM generation g WHERE g.business_id = $1 AND g.id = $2 AND ${where} FOR UPDATE`,
      businessId,
      id,
      ...values,
    );
    return row === undefined ? null : generationOf(row);
  }

  /** What was asked under an idempotency key and came to nothing may be asked under it again. */
  async function end(
    tx: Transaction,
    generation: Generation,
    status: "failed" | "cancelled",
    error: GenerationError | null,
    now: number,
  ): Promise<Generation> {
    const { businessId, id } = generation;
    await tx.run(
      `DELETE FROM once o USING generation g WHERE g.business_id = $1 AND g.id = $2 AND g.once_key IS NOT NULL
       AND o.business_id = g.business_id AND o.api_key_id = g.created_by AND o.path = g.endpoint AND o.key = g.once_key`,
      businessId,
      id,
    );
    await tx.run(
      "UPDATE generation SET status = $3, error = $4, lease = NULL, lease_until = NULL, updated_at = $5 WHERE business_id = $1 AND id = $2",
      businessId,
      id,
      status,
      error === null ? null : JSON.stringify(error),
      now,
    );
    if (status === "failed")
      await recordEvent(tx, "generation.failed", { businessId, boardId: generation.boardId }, generationPayload(generation), now);
    return { ...generation, status, error, updatedAt: now };
  }

  return {
    async create({ actor, target }, generation, now, once) {
      const serverNow = await db.toServerTime(now);
      return db.write((tx) =>
        createOnce(tx, once, now, async () => {
          const isMade = await tx.run(
            `INSERT INTO generation (business_id, id, board_id, endpoint, asset_type, status, created_by, once_key, lease, lease_until,
               created_at, updated_at, request)
             SELECT b.business_id, $3, b.id, $4, $5, 'processing', $6, $7, $8, $9, $10, $10, $11 FROM board b
             WHERE b.business_id = $1 AND b.id = $2 AND b.deleted_at IS NULL`,
            target.businessId,
            target.id,
            generation.id,
            generation.endpoint,
            generation.assetType,
            askerOf(actor),
            once?.key ?? null,
            generation.lease,
            serverNow + GENERATION_LEASE_MS,
            now,
            JSON.stringify(generation.request),
          );
          if (isMade === 0) throw notFound("Board");
          return (await lock(tx, target.businessId, generation.id)) as Generation;
        }),
      );
    },

    async findOnce({ businessId, apiKeyId, path, key, requestHash }, now) {
      const row = await db.get<{ body: string }>(
        `SELECT body FROM once WHERE business_id = $1 AND api_key_id = $2 AND path = $3 AND key = $4 AND request_hash = $5
         AND expires_at > $6`,
        businessId,
        apiKeyId,
        path,
        key,
        requestHash,
        now,
      );
      return row?.body ?? null;
    },

    async find(businessId, generationId) {
      const row = await db.get<GenerationRow>(
        `SELECT ${GENERATION_COLUMNS} FROM generation g ${ON_LIVE_BOARD} WHERE g.business_id = $1 AND g.id = $2`,
        businessId,
        generationId,
      );
      return row === undefined ? null : generationOf(row);
    },

    async findIdea({ businessId, id: boardId }, ideaId) {
      const row = await db.get<GenerationRow>(
        `SELECT ${GENERATION_COLUMNS} FROM idea i JOIN generation g ON g.business_id = i.business_id AND g.id = i.generation_id
         WHERE i.business_id = $1 AND i.id = $2 AND i.board_id = $3`,
        businessId,
        ideaId,
        boardId,
      );
      return row === undefined ? null : (generationOf(row).result?.ideas?.find(({ id }) => id === ideaId) ?? null);
    },

    async list({ target }, { boardId, endpoint }, after, limit) {
      const rows = await db.all<GenerationSummaryRow>(
        `SELECT ${GENERATION_SUMMARY_COLUMNS} FROM generation g ${ON_LIVE_BOARD}
         WHERE g.business_id = $1 AND ($2::text IS NULL OR g.board_id = $2) AND ($3::text IS NULL OR g.endpoint = $3)
           AND ($4::text IS NULL OR g.id < $4 COLLATE "C") ORDER BY g.id DESC LIMIT $5`,
        target.id,
        boardId ?? null,
        endpoint ?? null,
        after,
        limit,
      );
      return rows.map(generationSummaryOf);
    },

    async renew(held, now) {
      const serverNow = await db.toServerTime(now);
      const ids = new Set<string>();
      for (const [businessId, own] of Map.groupBy(held, (one) => one.businessId)) {
        const rows = await db.write((tx) =>
          tx.all<{ id: string }>(
            `UPDATE generation g SET lease_until = $1 FROM unnest($3::text[], $4::text[]) AS held (id, lease)
             WHERE g.business_id = $2 AND g.id = held.id AND g.lease = held.lease RETURNING g.id`,
            serverNow + GENERATION_LEASE_MS,
            businessId,
            own.map(({ id }) => id),
            own.map(({ lease }) => lease),
          ),
        );
        for (const { id } of rows) ids.add(id);
      }
      return ids;
    },

    async complete(held, result, tile, now) {
      const { businessId, id, boardId } = held;
      const done = await db.write(async (tx) => {
        // The board first, as everybody does who writes tiles; its zones stay while it is locked.
        if (tile !== null) await tx.run("SELECT 1 FROM board WHERE business_id = $1 AND id = $2 FOR NO KEY UPDATE", businessId, boardId);
        const generation = await lock(tx, businessId, id, "g.lease = $3 AND g.status = 'processing'", held.lease);
        if (generation === null) return null;
        const saved = tile === null ? null : await insertTile(tx, jobs, { businessId, id: boardId }, tile, now);
        const title = result.output?.title ?? null;
        await tx.run(
          `UPDATE generation SET status = 'complete', title = $3, tile_id = $4, result = $5, lease = NULL, lease_until = NULL, updated_at = $6
           WHERE business_id = $1 AND id = $2`,
          businessId,
          id,
          title,
          saved?.id ?? null,
          JSON.stringify(result),
          now,
        );
        await tx.run(
          "INSERT INTO idea (business_id, id, board_id, generation_id) SELECT $1, i.id, $2, $3 FROM unnest($4::text[]) AS i (id)",
          businessId,
          boardId,
          id,
          (result.ideas ?? []).map((idea) => idea.id),
        );
        await recordEvent(tx, "generation.complete", { businessId, boardId }, generationPayload(generation), now);
        return { ...generation, status: "complete" as const, title, result, savedTileId: saved?.id ?? null, updatedAt: now };
      });
      if (done === null) return null;
      wake();
      if (tile !== null) jobs.wake();
      return done;
    },

    async fail(held, error, now) {
      const done = await db.write(async (tx) => {
        const generation = await lock(tx, held.businessId, held.id, "g.lease = $3 AND g.status = 'processing'", held.lease);
        return generation === null ? null : end(tx, generation, "failed", error, now);
      });
      if (done !== null) wake();
      return done;
    },

    cancel: ({ target }, generationId, now) =>
      db.write(async (tx) => {
        const current = await lock(tx, target.businessId, generationId, "g.board_id = $3", target.id);
        if (current === null) throw notFound("Generation");
        if (current.status !== "processing") throw hasEnded(current.status);
        return end(tx, current, "cancelled", null, now);
      }),

    async expire(now) {
      const serverNow = await db.toServerTime(now);
      const ahead = serverNow + FUTURE_GENERATION_LEASE_MS;
      const lost = await db.all<{ business_id: string; id: string }>(
        "SELECT business_id, id FROM generation WHERE lease IS NOT NULL AND (lease_until < $1 OR lease_until > $2) ORDER BY business_id, id",
        serverNow,
        ahead,
      );
      let failed = 0;
      for (const { business_id: businessId, id } of lost) {
        const isFailed = await db.write(async (tx) => {
          const generation = await lock(
            tx,
            businessId,
            id,
            "g.lease IS NOT NULL AND (g.lease_until < $3 OR g.lease_until > $4)",
            serverNow,
            ahead,
          );
          if (generation !== null) await end(tx, generation, "failed", INTERRUPTED, now);
          return generation !== null;
        });
        if (isFailed) failed++;
      }
      if (failed > 0) wake();
      return failed;
    },
  };
}
