import type { Waker } from "#domain/content/job.ts";
import { notFound } from "#domain/core/error.ts";
import {
  type Generation,
  FUTURE_GENERATION_LEASE_MS,
  GENERATION_LEASE_MS,
  type GenerationError,
  type GenerationStore,
  type HeldGeneration,
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
import type { Connection } from "../engine/database.ts";
import type { Recorder } from "../shared/events.ts";
import { insertTile } from "../shared/new-tile.ts";
import { createOnce } from "../shared/once.ts";

const ON_LIVE_BOARD = "JOIN board b ON b.business_id = g.business_id AND b.id = g.board_id AND b.deleted_at IS NULL";

const LOST = "lease IS NOT NULL AND (lease_until < ? OR lease_until > ?)";

export function createGenerationStore(db: Connection, recorder: Recorder, wakers: ReadonlySet<Waker>): GenerationStore {
  function read(businessId: string, id: string): Generation | null {
    const row = db.get<GenerationRow>(
      `SELECT ${GENERATION_COLUMNS} FROM generation g WHERE g.business_id = ? AND g.id = ?`,
      businessId,
      id,
    );
    return row === undefined ? null : generationOf(row);
  }

  const isHeld = ({ businessId, id, lease }: HeldGeneration): boolean =>
    db.get(
      "SELECT 1 AS found FROM generation WHERE business_id = ? AND id = ? AND lease = ? AND status = 'processing'",
      businessId,
      id,
      lease,
    ) !== undefined;

  /** What was asked under an idempotency key and came to nothing may be asked under it again. */
  function forgetOnce(businessId: string, id: string): void {
    db.run(
      `DELETE FROM once WHERE (business_id, api_key_id, path, key) IN
         (SELECT business_id, created_by, endpoint, once_key FROM generation WHERE business_id = ? AND id = ? AND once_key IS NOT NULL)`,
      businessId,
      id,
    );
  }

  function end(
    businessId: string,
    id: string,
    status: "failed" | "cancelled",
    error: GenerationError | null,
    now: number,
  ): Generation | null {
    forgetOnce(businessId, id);
    db.run(
      "UPDATE generation SET status = ?, error = ?, lease = NULL, lease_until = NULL, updated_at = ? WHERE business_id = ? AND id = ?",
      status,
      error === null ? null : JSON.stringify(error),
      now,
      businessId,
      id,
    );
    const ended = read(businessId, id);
    if (ended !== null && status === "failed")
      recorder.record("generation.failed", businessId, ended.boardId, generationPayload(ended), now);
    return ended;
  }

  return {
    create: ({ actor, target }, generation, now, once) =>
      db.write(() =>
        createOnce(db, once, now, () => {
          const board = db.get(
            "SELECT 1 AS found FROM board WHERE business_id = ? AND id = ? AND deleted_at IS NULL",
            target.businessId,
            target.id,
          );
          if (board === undefined) throw notFound("Board");
          db.run(
            `INSERT INTO generation (business_id, id, board_id, endpoint, asset_type, status, created_by, once_key, lease, lease_until,
               created_at, updated_at, request) VALUES (?, ?, ?, ?, ?, 'processing', ?, ?, ?, ?, ?, ?, ?)`,
            target.businessId,
            generation.id,
            target.id,
            generation.endpoint,
            generation.assetType,
            askerOf(actor),
            once?.key ?? null,
            generation.lease,
            now + GENERATION_LEASE_MS,
            now,
            now,
            JSON.stringify(generation.request),
          );
          return read(target.businessId, generation.id) as Generation;
        }),
      ),

    async findOnce({ businessId, apiKeyId, path, key, requestHash }, now) {
      const row = db.get<{ body: string }>(
        "SELECT body FROM once WHERE business_id = ? AND api_key_id = ? AND path = ? AND key = ? AND request_hash = ? AND expires_at > ?",
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
      const row = db.get<GenerationRow>(
        `SELECT ${GENERATION_COLUMNS} FROM generation g ${ON_LIVE_BOARD} WHERE g.business_id = ? AND g.id = ?`,
        businessId,
        generationId,
      );
      return row === undefined ? null : generationOf(row);
    },

    async findIdea({ businessId, id: boardId }, ideaId) {
      const row = db.get<GenerationRow>(
        `SELECT ${GENERATION_COLUMNS} FROM idea i JOIN generation g ON g.business_id = i.business_id AND g.id = i.generation_id
         WHERE i.business_id = ? AND i.id = ? AND i.board_id = ?`,
        businessId,
        ideaId,
        boardId,
      );
      return row === undefined ? null : (generationOf(row).result?.ideas?.find(({ id }) => id === ideaId) ?? null);
    },

    async list({ target }, { boardId, endpoint }, after, limit) {
      const filters = ["g.business_id = ?"];
      const values: (string | number)[] = [target.id];
      for (const [column, value] of [
        ["g.board_id =", boardId],
        ["g.endpoint =", endpoint],
        ["g.id <", after ?? undefined],
      ] as const) {
        if (value === undefined) continue;
        filters.push(`${column} ?`);
        values.push(value);
      }
      return db
        .all<GenerationSummaryRow>(
          `SELECT ${GENERATION_SUMMARY_COLUMNS} FROM generation g ${ON_LIVE_BOARD} WHERE ${filters.join(" AND ")} ORDER BY g.id DESC LIMIT ?`,
          ...values,
          limit,
        )
        .map(generationSummaryOf);
    },

    renew: (held, now) =>
      db.write(() => {
        const ids = new Set<string>();
        for (const { businessId, id, lease } of held) {
          const changed = db.run(
            "UPDATE generation SET lease_until = ? WHERE business_id = ? AND id = ? AND lease = ?",
            now + GENERATION_LEASE_MS,
            businessId,
            id,
            lease,
          );
          if (changed > 0) ids.add(id);
        }
        return ids;
      }),

    async complete(held, result, tile, now) {
      const { businessId, id, boardId } = held;
      const done = await db.write(() => {
        if (!isHeld(held)) return null;
        const saved = tile === null ? null : insertTile(db, { businessId, id: boardId }, tile, now);
        db.run(
          `UPDATE generation SET status = 'complete', title = ?, tile_id = ?, result = ?, lease = NULL, lease_until = NULL, updated_at = ?
           WHERE business_id = ? AND id = ?`,
          result.output?.title ?? null,
          saved?.id ?? null,
          JSON.stringify(result),
          now,
          businessId,
          id,
        );
        for (const idea of result.ideas ?? [])
          db.run("INSERT INTO idea (business_id, id, board_id, generation_id) VALUES (?, ?, ?, ?)", businessId, idea.id, boardId, id);
        const ended = read(businessId, id);
        if (ended !== null) recorder.record("generation.complete", businessId, boardId, generationPayload(ended), now);
        return ended;
      });
      if (done === null) return null;
      recorder.wake();
      if (tile !== null) for (const waker of wakers) waker("text");
      return done;
    },

    async fail(held, error, now) {
      const done = await db.write(() => (isHeld(held) ? end(held.businessId, held.id, "failed", error, now) : null));
      if (done !== null) recorder.wake();
      return done;
    },

    cancel: ({ target }, generationId, now) =>
      db.write(() => {
        const current = read(target.businessId, generationId);
        if (current === null || current.boardId !== target.id) throw notFound("Generation");
        if (current.status !== "processing") throw hasEnded(current.status);
        return end(target.businessId, generationId, "cancelled", null, now) as Generation;
      }),

    async expire(now) {
      const ahead = now + FUTURE_GENERATION_LEASE_MS;
      const isAny = db.get(`SELECT 1 AS found FROM generation WHERE ${LOST} LIMIT 1`, now, ahead);
      if (isAny === undefined) return 0;
      const failed = await db.write(() => {
        const lost = db.all<{ business_id: string; id: string }>(`SELECT business_id, id FROM generation WHERE ${LOST}`, now, ahead);
        for (const row of lost) end(row.business_id, row.id, "failed", INTERRUPTED, now);
        return lost.length;
      });
      recorder.wake();
      return failed;
    },
  };
}
