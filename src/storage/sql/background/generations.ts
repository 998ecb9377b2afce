import type { Authorized } from "#domain/core/access.ts";
import type { Board, Business } from "#domain/core/board.ts";
import { conflict, notFound } from "#domain/core/error.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import {
  FUTURE_GENERATION_LEASE_MS,
  GENERATION_LEASE_MS,
  type Generation,
  type GenerationError,
  type GenerationQuery,
  type GenerationResult,
  type GenerationStore,
  type GenerationSummary,
  INTERRUPTED,
  type Idea,
  type LeasedGeneration,
  type NewGeneration,
  generationPayload,
} from "#domain/answers/generation.ts";
import type { TileAdapter } from "../tiles/tile-adapter.ts";
import { insertTile } from "../tiles/tile-rows.ts";
import type { BoardKey, Driver } from "../driver.ts";
import { recordEvent } from "./events.ts";
import { createIdempotently, findStoredResponse } from "../idempotency.ts";
import type { Notifier } from "../notifier.ts";
import { all, type Params, run, type Unit } from "../unit.ts";
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

const ON_LIVE_BOARD = "JOIN board b ON b.business_id = g.business_id AND b.id = g.board_id AND b.deleted_at IS NULL";
/** The lease has expired, or it ends so late that it was taken while the clock was ahead. */
const IS_LEASE_EXPIRED = "g.lease IS NOT NULL AND (g.lease_until < @sharedNow OR g.lease_until > @maxLeaseUntil)";

export class SqlGenerationStore implements GenerationStore {
  readonly #driver: Driver;
  readonly #tiles: TileAdapter;
  readonly #notifier: Notifier;

  constructor(driver: Driver, tiles: TileAdapter, notifier: Notifier) {
    this.#driver = driver;
    this.#tiles = tiles;
    this.#notifier = notifier;
  }

  async create(
    scope: Authorized<Board, "ask">,
    generation: NewGeneration,
    now: number,
    idempotency?: IdempotencyRecord<Generation>,
  ): Promise<IdempotentOutcome<Generation>> {
    const times = { leaseUntil: await this.#computeLeaseEnd(now), now };
    const create = () => insertGeneration(this.#driver.dialect, scope, generation, times, idempotency?.key ?? null);
    return createIdempotently(this.#driver, { idempotency, now, create });
  }

  findStoredResponse(record: Parameters<GenerationStore["findStoredResponse"]>[0], now: number): Promise<string | null> {
    return this.#driver.read(() => findStoredResponse(record, now));
  }

  find(businessId: string, id: string): Promise<Generation | null> {
    return this.#driver.read(() =>
      GENERATIONS.find(`generation g ${ON_LIVE_BOARD} WHERE g.business_id = @businessId AND g.id = @id`, { businessId, id }),
    );
  }

  findIdea({ businessId, id: boardId }: BoardKey, ideaId: string): Promise<Idea | null> {
    return this.#driver.read(function* () {
      const generation = yield* GENERATIONS.find(
        `idea i JOIN generation g ON g.business_id = i.business_id AND g.id = i.generation_id
         WHERE i.business_id = @businessId AND i.id = @ideaId AND i.board_id = @boardId`,
        { businessId, ideaId, boardId },
      );
      return generation?.result?.ideas?.find(({ id }) => id === ideaId) ?? null;
    });
  }

  list(
    { target }: Authorized<Business, "read">,
    { boardId, endpoint }: GenerationQuery,
    after: string | null,
    limit: number,
  ): Promise<GenerationSummary[]> {
    const filters = ["g.business_id = @businessId"];
    if (boardId !== undefined) filters.push("g.board_id = @boardId");
    if (endpoint !== undefined) filters.push("g.endpoint = @endpoint");
    if (after !== null) filters.push("g.id < @after");
    const params = { businessId: target.id, boardId: boardId ?? null, endpoint: endpoint ?? null, after, limit };
    return this.#driver.read(() =>
      SUMMARIES.list(`generation g ${ON_LIVE_BOARD} WHERE ${filters.join(" AND ")} ORDER BY g.id DESC LIMIT @limit`, params),
    );
  }

  async renew(held: readonly LeasedGeneration[], now: number): Promise<ReadonlySet<string>> {
    const leaseUntil = await this.#computeLeaseEnd(now);
    return this.#driver.write(function* () {
      const ids = new Set<string>();
      // Every process locks generations in the order of their ids, to avoid deadlocks.
      for (const { businessId, id, lease } of [...held].sort((a, b) => (a.id < b.id ? -1 : 1))) {
        const sql = `UPDATE generation SET lease_until = @leaseUntil WHERE ${IS_GENERATION} AND lease = @lease`;
        if ((yield* run(sql, { leaseUntil, businessId, id, lease })) > 0) ids.add(id);
      }
      return ids;
    });
  }

  async complete(held: LeasedGeneration, result: GenerationResult, tile: NewTile | null, now: number): Promise<Generation | null> {
    const completed = await this.#driver.write(() => this.#complete(held, result, tile, now));
    if (completed === null) return null;
    this.#notifier.notifySenders();
    if (tile !== null) this.#notifier.notifyWorkers("text");
    return completed;
  }

  *#complete(held: LeasedGeneration, result: GenerationResult, tile: NewTile | null, now: number): Unit<Generation | null> {
    const { businessId, id, boardId } = held;
    const { dialect } = this.#driver;
    // Units that write tiles lock the board first. Its zones can't change while it is locked.
    if (tile !== null) yield* dialect.lockRows("board", businessId, [boardId]);
    const generation = yield* lockLeased(dialect, held);
    if (generation === null) return null;
    const savedTile = tile === null ? null : yield* insertTile(this.#tiles, { businessId, id: boardId }, tile, now);
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

  async fail(held: LeasedGeneration, error: GenerationError, now: number): Promise<Generation | null> {
    const { dialect } = this.#driver;
    const failed = await this.#driver.write(function* () {
      const generation = yield* lockLeased(dialect, held);
      return generation === null ? null : yield* endGeneration(dialect, generation, "failed", error, now);
    });
    if (failed !== null) this.#notifier.notifySenders();
    return failed;
  }

  cancel({ target: { businessId, id: boardId } }: Authorized<Board, "ask">, id: string, now: number): Promise<Generation> {
    const { dialect } = this.#driver;
    return this.#driver.write(function* () {
      const generation = yield* lockGeneration(dialect, businessId, id, "g.board_id = @boardId", { boardId });
      if (generation === null) throw notFound("Generation");
      if (generation.status !== "processing")
        throw conflict(`This generation has ended already: it is ${generation.status}.`, "generation_ended");
      return yield* endGeneration(dialect, generation, "cancelled", null, now);
    });
  }

  async expire(now: number): Promise<number> {
    const sharedNow = await this.#driver.toSharedTime(now);
    const times = { sharedNow, maxLeaseUntil: sharedNow + FUTURE_GENERATION_LEASE_MS };
    const expired = await this.#driver.read(() =>
      all<{ business_id: string; id: string }>(`SELECT business_id, id FROM generation g WHERE ${IS_LEASE_EXPIRED}`, times),
    );
    let failed = 0;
    for (const row of expired) if (await this.#driver.write(() => this.#expire(row.business_id, row.id, times, now))) failed++;
    if (failed > 0) this.#notifier.notifySenders();
    return failed;
  }

  *#expire(businessId: string, id: string, times: Params, now: number): Unit<boolean> {
    // Checked again, since it may have been renewed or ended in the meantime.
    const generation = yield* lockGeneration(this.#driver.dialect, businessId, id, IS_LEASE_EXPIRED, times);
    if (generation !== null) yield* endGeneration(this.#driver.dialect, generation, "failed", INTERRUPTED, now);
    return generation !== null;
  }

  async #computeLeaseEnd(now: number): Promise<number> {
    return (await this.#driver.toSharedTime(now)) + GENERATION_LEASE_MS;
  }
}
