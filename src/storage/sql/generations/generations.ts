import { conflict, notFound } from "#domain/core/errors/error.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import {
  FUTURE_GENERATION_LEASE_MS,
  GENERATION_LEASE_MS,
  type Generation,
  type GenerationResult,
  type GenerationStore,
  INTERRUPTED,
  type LeasedGeneration,
  generationPayload,
} from "#domain/answers/generation.ts";
import type { TileAdapter } from "../tiles/tile-adapter.ts";
import { insertTile } from "../tiles/rows/tile-rows.ts";
import { type Dialect, type Driver, lockRows } from "../driver.ts";
import { recordEvent } from "../webhooks/events.ts";
import { createIdempotently, findStoredResponse } from "../checks/idempotency.ts";
import type { Notifier } from "../notifier.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { type Params, run, type Unit } from "../unit.ts";
import {
  ENDED,
  endGeneration,
  GENERATIONS,
  insertGeneration,
  IS_GENERATION,
  lockGeneration,
  lockLeased,
  SUMMARIES,
} from "./generation-rows.ts";

const KEYS = new Mapping<Pick<Generation, "businessId" | "id">>(plainFields("businessId", "id"), "g");
const ON_LIVE_BOARD = "JOIN board b ON b.business_id = g.business_id AND b.id = g.board_id AND b.deleted_at IS NULL";
/** The lease has expired, or it ends so late that it was taken while the clock was ahead. */
const IS_LEASE_EXPIRED = "g.lease IS NOT NULL AND (g.lease_until < @sharedNow OR g.lease_until > @maxLeaseUntil)";

export function createGenerationStore(driver: Driver, tiles: TileAdapter, notifier: Notifier): GenerationStore {
  const { dialect, read, write, toSharedTime } = driver;
  return {
    async create(scope, generation, now, idempotency) {
      const times = { leaseUntil: (await toSharedTime(now)) + GENERATION_LEASE_MS, now };
      const create = () => insertGeneration(dialect, scope, generation, times, idempotency?.key ?? null);
      return createIdempotently(driver, { idempotency, now, create });
    },

    findStoredResponse: (record, now) => read(() => findStoredResponse(record, now)),
    ...createGenerationReads(driver),

    async renew(held, now) {
      const leaseUntil = (await toSharedTime(now)) + GENERATION_LEASE_MS;
      return write(() => renew(held, leaseUntil));
    },

    async complete(held, result, tile, now) {
      const completed = await write(() => complete(tiles, held, result, tile, now));
      if (completed === null) return null;
      notifier.notifySenders();
      if (tile !== null) notifier.notifyWorkers("text");
      return completed;
    },

    async fail(held, error, now) {
      const failed = await write(function* () {
        const generation = yield* lockLeased(dialect, held);
        return generation === null ? null : yield* endGeneration(dialect, generation, "failed", error, now);
      });
      if (failed !== null) notifier.notifySenders();
      return failed;
    },

    cancel: ({ target: { businessId, id: boardId } }, id, now) =>
      write(function* () {
        const generation = yield* lockGeneration(dialect, businessId, id, "g.board_id = @boardId", { boardId });
        if (generation === null) throw notFound("Generation");
        if (generation.status !== "processing")
          throw conflict(`This generation has ended already: it is ${generation.status}.`, "generation_ended");
        return yield* endGeneration(dialect, generation, "cancelled", null, now);
      }),

    async expire(now) {
      const sharedNow = await toSharedTime(now);
      const times = { sharedNow, maxLeaseUntil: sharedNow + FUTURE_GENERATION_LEASE_MS };
      let failed = 0;
      for (const { businessId, id } of await read(() => KEYS.list(`generation g WHERE ${IS_LEASE_EXPIRED}`, times)))
        if (await write(() => expire(dialect, businessId, id, times, now))) failed++;
      if (failed > 0) notifier.notifySenders();
      return failed;
    },
  };
}

function createGenerationReads({ read }: Driver): Pick<GenerationStore, "find" | "findIdea" | "list"> {
  return {
    find: (businessId, id) =>
      read(() => GENERATIONS.find(`generation g ${ON_LIVE_BOARD} WHERE g.business_id = @businessId AND g.id = @id`, { businessId, id })),

    async findIdea({ businessId, id: boardId }, ideaId) {
      const from = `idea i JOIN generation g ON g.business_id = i.business_id AND g.id = i.generation_id
        WHERE i.business_id = @businessId AND i.id = @ideaId AND i.board_id = @boardId`;
      const generation = await read(() => GENERATIONS.find(from, { businessId, ideaId, boardId }));
      return generation?.result?.ideas?.find(({ id }) => id === ideaId) ?? null;
    },

    list({ target }, { boardId, endpoint }, after, limit) {
      const filters = ["g.business_id = @businessId"];
      if (boardId !== undefined) filters.push("g.board_id = @boardId");
      if (endpoint !== undefined) filters.push("g.endpoint = @endpoint");
      if (after !== null) filters.push("g.id < @after");
      const params = { businessId: target.id, boardId: boardId ?? null, endpoint: endpoint ?? null, after, limit };
      return read(() =>
        SUMMARIES.list(`generation g ${ON_LIVE_BOARD} WHERE ${filters.join(" AND ")} ORDER BY g.id DESC LIMIT @limit`, params),
      );
    },
  };
}

function* renew(held: readonly LeasedGeneration[], leaseUntil: number): Unit<ReadonlySet<string>> {
  const ids = new Set<string>();
  // Every process locks generations in the order of their ids, to avoid deadlocks.
  for (const { businessId, id, lease } of [...held].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const sql = `UPDATE generation SET lease_until = @leaseUntil WHERE ${IS_GENERATION} AND lease = @lease`;
    if ((yield* run(sql, { leaseUntil, businessId, id, lease })) > 0) ids.add(id);
  }
  return ids;
}

function* complete(
  tiles: TileAdapter,
  held: LeasedGeneration,
  result: GenerationResult,
  tile: NewTile | null,
  now: number,
): Unit<Generation | null> {
  const { businessId, id, boardId } = held;
  const { dialect } = tiles;
  // Units that write tiles lock the board first. Its zones can't change while it is locked.
  if (tile !== null) yield* lockRows(dialect, "board", businessId, [boardId]);
  const generation = yield* lockLeased(dialect, held);
  if (generation === null) return null;
  const savedTile = tile === null ? null : yield* insertTile(tiles, { businessId, id: boardId }, tile, now);
  const [title, savedTileId] = [result.output?.title ?? null, savedTile?.id ?? null];
  yield* run(
    `UPDATE generation SET status = 'complete', title = @title, tile_id = @savedTileId, result = @result, ${ENDED} WHERE ${IS_GENERATION}`,
    { title, savedTileId, result: JSON.stringify(result), now, businessId, id },
  );
  const ideas = (result.ideas ?? []).map((idea) => ({ id: idea.id }));
  if (ideas.length > 0)
    yield* run(
      `INSERT INTO idea (business_id, id, board_id, generation_id)
       SELECT @businessId, idea.id, @boardId, @id FROM ${dialect.rowsOfJson("ideas", { id: "text" })} AS idea`,
      { businessId, boardId, id, ideas: JSON.stringify(ideas) },
    );
  yield* recordEvent(dialect, "generation.complete", { businessId, boardId }, generationPayload(generation), now);
  return { ...generation, status: "complete", title, result, savedTileId, updatedAt: now };
}

/** Fails a generation whose lease has expired. Returns false if it was renewed or has ended in the meantime. */
function* expire(dialect: Dialect, businessId: string, id: string, times: Params, now: number): Unit<boolean> {
  const generation = yield* lockGeneration(dialect, businessId, id, IS_LEASE_EXPIRED, times);
  if (generation !== null) yield* endGeneration(dialect, generation, "failed", INTERRUPTED, now);
  return generation !== null;
}
