import { actorId } from "#domain/core/access.ts";
import { conflict, notFound } from "#domain/core/error.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import {
  type Generation,
  FUTURE_GENERATION_LEASE_MS,
  GENERATION_LEASE_MS,
  type GenerationError,
  type GenerationResult,
  type GenerationStore,
  type GenerationSummary,
  type LeasedGeneration,
  INTERRUPTED,
  generationPayload,
} from "#domain/answers/generation.ts";
import type { TileAdapter } from "../tiles/tile-adapter.ts";
import { insertTile } from "../tiles/tile-rows.ts";
import type { Driver } from "../driver.ts";
import { recordEvent } from "../events.ts";
import { json, Mapping, plain } from "../mapping.ts";
import type { Notifier } from "../notifier.ts";
import { createIdempotently } from "../idempotency.ts";
import { all, get, type Params, run, type Unit } from "../unit.ts";

type Arguments<Name extends keyof GenerationStore> = Parameters<GenerationStore[Name]>;

const SUMMARY_FIELDS = {
  id: plain,
  businessId: plain,
  boardId: plain,
  endpoint: plain,
  assetType: plain,
  status: plain,
  title: plain,
  savedTileId: { column: "tile_id" },
  error: json,
  createdAt: plain,
  updatedAt: plain,
};
const SUMMARIES = new Mapping<GenerationSummary>(SUMMARY_FIELDS, "g");
const GENERATIONS = new Mapping<Generation>({ ...SUMMARY_FIELDS, request: json, result: json }, "g");
const ON_LIVE_BOARD = "JOIN board b ON b.business_id = g.business_id AND b.id = g.board_id AND b.deleted_at IS NULL";
const IS_GENERATION = "business_id = @businessId AND id = @id";
const ENDED = "lease = NULL, lease_until = NULL, updated_at = @now";
/** A lease far ahead was taken by a clock that was wrong. */
const IS_LOST = "g.lease IS NOT NULL AND (g.lease_until < @sharedNow OR g.lease_until > @farAhead)";

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
    scope: Arguments<"create">[0],
    generation: Arguments<"create">[1],
    now: number,
    idempotency?: Arguments<"create">[3],
  ): ReturnType<GenerationStore["create"]> {
    const leaseUntil = (await this.#driver.toSharedTime(now)) + GENERATION_LEASE_MS;
    const create = () => this.#create(scope, generation, leaseUntil, now, idempotency?.key ?? null);
    return this.#driver.write(() => createIdempotently(idempotency, now, create));
  }

  *#create(
    { actor, target }: Arguments<"create">[0],
    { id, endpoint, assetType, lease, request }: Arguments<"create">[1],
    leaseUntil: number,
    now: number,
    onceKey: string | null,
  ): Unit<Generation> {
    const { businessId, id: boardId } = target;
    // Idempotency keys belong to the key or member that made the request; the operator has none.
    const createdBy = actor.kind === "operator" ? null : actorId(actor);
    const created = yield* run(
      `INSERT INTO generation (business_id, id, board_id, endpoint, asset_type, status, created_by, once_key, lease, lease_until,
         created_at, updated_at, request)
       SELECT b.business_id, @id, b.id, @endpoint, @assetType, 'processing', @createdBy, @onceKey, @lease, @leaseUntil, @now, @now, @request
       FROM board b WHERE b.business_id = @businessId AND b.id = @boardId AND b.deleted_at IS NULL`,
      { id, endpoint, assetType, createdBy, onceKey, lease, leaseUntil, now, request: JSON.stringify(request), businessId, boardId },
    );
    if (created === 0) throw notFound("Board");
    return (yield* this.#lock(businessId, id)) as Generation;
  }

  findStoredResponse(
    { businessId, apiKeyId, path, key, requestHash }: Arguments<"findStoredResponse">[0],
    now: number,
  ): Promise<string | null> {
    return this.#driver.read(function* () {
      const row = yield* get<{ body: string }>(
        `SELECT body FROM once WHERE business_id = @businessId AND api_key_id = @apiKeyId AND path = @path AND key = @key
         AND request_hash = @requestHash AND expires_at > @now`,
        { businessId, apiKeyId, path, key, requestHash, now },
      );
      return row?.body ?? null;
    });
  }

  find(businessId: string, id: string): Promise<Generation | null> {
    return this.#driver.read(() =>
      GENERATIONS.find(`generation g ${ON_LIVE_BOARD} WHERE g.business_id = @businessId AND g.id = @id`, { businessId, id }),
    );
  }

  findIdea({ businessId, id: boardId }: Arguments<"findIdea">[0], ideaId: string): ReturnType<GenerationStore["findIdea"]> {
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
    { target }: Arguments<"list">[0],
    { boardId, endpoint }: Arguments<"list">[1],
    after: string | null,
    limit: number,
  ): Promise<GenerationSummary[]> {
    const filters = ["g.business_id = @businessId"];
    if (boardId !== undefined) filters.push("g.board_id = @boardId");
    if (endpoint !== undefined) filters.push("g.endpoint = @endpoint");
    if (after !== null) filters.push("g.id < @after");
    return this.#driver.read(() =>
      SUMMARIES.list(`generation g ${ON_LIVE_BOARD} WHERE ${filters.join(" AND ")} ORDER BY g.id DESC LIMIT @limit`, {
        businessId: target.id,
        boardId: boardId ?? null,
        endpoint: endpoint ?? null,
        after,
        limit,
      }),
    );
  }

  async renew(held: readonly LeasedGeneration[], now: number): Promise<ReadonlySet<string>> {
    const leaseUntil = (await this.#driver.toSharedTime(now)) + GENERATION_LEASE_MS;
    return this.#driver.write(function* () {
      const ids = new Set<string>();
      // In one order, so that two nodes do not wait for each other in a circle.
      for (const { businessId, id, lease } of [...held].sort((a, b) => (a.id < b.id ? -1 : 1))) {
        const sql = `UPDATE generation SET lease_until = @leaseUntil WHERE ${IS_GENERATION} AND lease = @lease`;
        if ((yield* run(sql, { leaseUntil, businessId, id, lease })) > 0) ids.add(id);
      }
      return ids;
    });
  }

  async complete(held: LeasedGeneration, result: GenerationResult, tile: NewTile | null, now: number): Promise<Generation | null> {
    const done = await this.#driver.write(() => this.#complete(held, result, tile, now));
    if (done === null) return null;
    this.#notifier.notifySenders();
    if (tile !== null) this.#notifier.notifyWorkers("text");
    return done;
  }

  *#complete(held: LeasedGeneration, result: GenerationResult, tile: NewTile | null, now: number): Unit<Generation | null> {
    const { businessId, id, boardId } = held;
    const { dialect } = this.#driver;
    // The board first, as all units do that write tiles; its zones stay while it is locked.
    if (tile !== null) yield* dialect.lockRows("board", businessId, [boardId]);
    const generation = yield* this.#lockHeld(held);
    if (generation === null) return null;
    const saved = tile === null ? null : yield* insertTile(this.#tiles, { businessId, id: boardId }, tile, now);
    const [title, savedTileId] = [result.output?.title ?? null, saved?.id ?? null];
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
    const failed = await this.#driver.write(() => this.#fail(held, error, now));
    if (failed !== null) this.#notifier.notifySenders();
    return failed;
  }

  *#fail(held: LeasedGeneration, error: GenerationError, now: number): Unit<Generation | null> {
    const generation = yield* this.#lockHeld(held);
    return generation === null ? null : yield* this.#end(generation, "failed", error, now);
  }

  cancel({ target }: Arguments<"cancel">[0], id: string, now: number): Promise<Generation> {
    return this.#driver.write(() => this.#cancel(target, id, now));
  }

  *#cancel({ businessId, id: boardId }: Arguments<"cancel">[0]["target"], id: string, now: number): Unit<Generation> {
    const generation = yield* this.#lock(businessId, id, "g.board_id = @boardId", { boardId });
    if (generation === null) throw notFound("Generation");
    if (generation.status !== "processing") throw conflict(`This generation has ended already: it is ${generation.status}.`);
    return yield* this.#end(generation, "cancelled", null, now);
  }

  async expire(now: number): Promise<number> {
    const sharedNow = await this.#driver.toSharedTime(now);
    const times = { sharedNow, farAhead: sharedNow + FUTURE_GENERATION_LEASE_MS };
    const lost = await this.#driver.read(() =>
      all<{ business_id: string; id: string }>(`SELECT business_id, id FROM generation g WHERE ${IS_LOST}`, times),
    );
    let failed = 0;
    for (const row of lost) if (await this.#driver.write(() => this.#expire(row.business_id, row.id, times, now))) failed++;
    if (failed > 0) this.#notifier.notifySenders();
    return failed;
  }

  *#expire(businessId: string, id: string, times: Params, now: number): Unit<boolean> {
    // It may have been renewed, or ended, since it was listed.
    const generation = yield* this.#lock(businessId, id, IS_LOST, times);
    if (generation !== null) yield* this.#end(generation, "failed", INTERRUPTED, now);
    return generation !== null;
  }

  *#end(generation: Generation, status: "failed" | "cancelled", error: GenerationError | null, now: number): Unit<Generation> {
    const { businessId, id, boardId } = generation;
    // What was requested under an idempotency key and came to nothing may be requested under it again.
    yield* run(
      `DELETE FROM once WHERE (business_id, api_key_id, path, key) IN
         (SELECT business_id, created_by, endpoint, once_key FROM generation WHERE ${IS_GENERATION} AND once_key IS NOT NULL)`,
      { businessId, id },
    );
    yield* run(`UPDATE generation SET status = @status, error = @error, ${ENDED} WHERE ${IS_GENERATION}`, {
      status,
      error: error === null ? null : JSON.stringify(error),
      now,
      businessId,
      id,
    });
    if (status === "failed")
      yield* recordEvent(this.#driver.dialect, "generation.failed", { businessId, boardId }, generationPayload(generation), now);
    return { ...generation, status, error, updatedAt: now };
  }

  #lockHeld({ businessId, id, lease }: LeasedGeneration): Unit<Generation | null> {
    return this.#lock(businessId, id, "g.lease = @lease AND g.status = 'processing'", { lease });
  }

  /** The generation, locked, where the condition holds of it. */
  #lock(businessId: string, id: string, condition = "TRUE", params: Params = {}): Unit<Generation | null> {
    const from = `generation g WHERE g.business_id = @businessId AND g.id = @id AND ${condition}`;
    return GENERATIONS.findForChange(this.#driver.dialect, from, { businessId, id, ...params });
  }
}
