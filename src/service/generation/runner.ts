import type { Actor } from "#domain/core/access.ts";
import { AppError, getErrorMessage } from "#domain/core/errors/error.ts";
import type { Generation, LeasedGeneration } from "#domain/answers/generation.ts";
import { createJumpDetector } from "#domain/core/system.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import type { Meter } from "#domain/metrics/meter.ts";
import type { Owner } from "#runtime/turns/fair-queue.ts";
import { createSemaphore } from "#runtime/turns/semaphore.ts";
import { waitAtMost } from "#runtime/wait.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { createRefusal, toOwner } from "../work-queue.ts";
import { InterruptedError, GenerationEndedError, toGenerationError } from "./failure.ts";
import { type Outcome, completeGeneration, failGeneration, findEnded } from "./outcome.ts";

/** Runs the generations that this process started, and fails those whose process was lost. */
export type GenerationRunner = {
  /**
   * Counts a generation of the actor from before it is stored until it has ended. `store` stores it and begins its work, if it is a new
   * one, and returns what `start` returns. Throws 429 while too many generations of the key or member, or of its business, run or wait.
   * Throws 503 while too many do in total and the business has any, and while the process stops.
   */
  start<T>(actor: Actor, store: (begin: BeginGeneration) => Promise<T>): Promise<T>;
  /** Returns the promise of the end of a generation that this process runs; undefined for others. */
  ended(generationId: string): Promise<Generation> | undefined;
  /** Aborts the work on a generation that was cancelled. */
  abort(generationId: string): void;
  /** Waits up to `graceMs` for running generations, and ends the rest as failed. */
  stop(graceMs: number): Promise<void>;
};

/** Runs the work of a generation whose lease this process holds. Returns the promise of the ended generation. */
export type BeginGeneration = (leased: LeasedGeneration, work: (signal: AbortSignal) => Promise<Outcome>) => Promise<Generation>;

type RunnerDeps = StoreDeps & Pick<Deps, "log"> & { readonly meter: Pick<Meter, "countGeneration"> };
type Running = { readonly leased: LeasedGeneration; readonly controller: AbortController; readonly ended: Promise<Generation> };

/** Generations that run at once, and more for businesses with nothing running, one each; the others wait. */
const CONCURRENCY = 16;
const RESERVED = 48;
/** Generations running or waiting, in total and of each. A business without any is accepted beyond the total. */
const MAX_ACTIVE = 500;
const ACTIVE_LIMITS = { maxPerCaller: 128, maxPerBusiness: 250 } as const;
const RETRY_SECONDS = 10;
/** How often leases are renewed and expired ones are detected. A lease survives two missed renewals. */
const POLL_INTERVAL_MS = 4_000;
/** Polls after a clock jump during which no lease counts as expired. */
const GRACE_POLLS_AFTER_JUMP = 2;

export function startGenerationRunner(deps: RunnerDeps, intervalMs = POLL_INTERVAL_MS): GenerationRunner {
  return new Runner(deps, intervalMs);
}

class Runner implements GenerationRunner {
  readonly #deps: RunnerDeps;
  readonly #running = new Map<string, Running>();
  readonly #active = createSemaphore({
    slots: MAX_ACTIVE,
    reserved: Infinity,
    maxWaiting: 0,
    maxPerOwner: ACTIVE_LIMITS.maxPerCaller,
    maxPerGroup: ACTIVE_LIMITS.maxPerBusiness,
    refuse: createRefusal("generations", "in progress", ACTIVE_LIMITS, RETRY_SECONDS),
  });
  /** Fair: the business with the fewest running generations goes first, then the key or member. */
  readonly #slots = createSemaphore({ slots: CONCURRENCY, reserved: RESERVED });
  readonly #hasJumped: () => boolean;
  readonly #loop: Loop;
  #gracePolls = 0;
  #isStopped = false;

  constructor(deps: RunnerDeps, intervalMs: number) {
    this.#deps = deps;
    this.#hasJumped = createJumpDetector(deps.clock);
    this.#loop = startLoop({
      intervalMs,
      run: () => this.#renewAndExpire(),
      onError: (error) => deps.log.error({ error: getErrorMessage(error) }, "leases of generations could not be renewed; retrying soon"),
    });
  }

  async start<T>(actor: Actor, store: (begin: BeginGeneration) => Promise<T>): Promise<T> {
    if (this.#isStopped) throw new AppError("unavailable", "The service is stopping. Try again in a moment.", 1);
    const owner = toOwner(actor);
    const stored = Promise.withResolvers<T>();
    const count = async (): Promise<void> => {
      let ended: Promise<Generation> | undefined;
      stored.resolve(await store((leased, work) => (ended = this.#begin(owner, leased, work))));
      await ended;
    };
    // The error of an end that could not be stored is logged, and reaches who waits for it.
    this.#active.run(count, { owner }).catch(stored.reject);
    return stored.promise;
  }

  #begin(owner: Owner, leased: LeasedGeneration, work: (signal: AbortSignal) => Promise<Outcome>): Promise<Generation> {
    const controller = new AbortController();
    if (this.#isStopped) controller.abort(new InterruptedError());
    const ended = this.#run(owner, leased, work, controller.signal).finally(() => this.#running.delete(leased.id));
    ended.then(
      ({ status }) => status !== "processing" && this.#deps.meter.countGeneration(status),
      (error: unknown) => this.#deps.log.error(describe(leased, error), "the end of a generation could not be stored"),
    );
    this.#running.set(leased.id, { leased, controller, ended });
    return ended;
  }

  ended(generationId: string): Promise<Generation> | undefined {
    return this.#running.get(generationId)?.ended;
  }

  abort(generationId: string): void {
    this.#running.get(generationId)?.controller.abort(new GenerationEndedError());
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    await waitAtMost(graceMs, this.#allEnded());
    for (const { controller } of this.#running.values()) controller.abort(new InterruptedError());
    await this.#allEnded();
    await this.#loop.stop();
  }

  async #run(
    owner: Owner,
    leased: LeasedGeneration,
    work: (signal: AbortSignal) => Promise<Outcome>,
    signal: AbortSignal,
  ): Promise<Generation> {
    let outcome: Outcome;
    try {
      outcome = await this.#slots.run(() => work(signal), { owner, signal });
      signal.throwIfAborted();
    } catch (thrown) {
      // Libraries throw their own errors for an abort, so use the abort reason.
      const error: unknown = signal.aborted ? signal.reason : thrown;
      if (error instanceof GenerationEndedError) return findEnded(this.#deps, leased);
      const failure = toGenerationError(error);
      if (failure.code === "internal") this.#deps.log.error(describe(leased, error), "a generation failed");
      return failGeneration(this.#deps, leased, failure);
    }
    return completeGeneration(this.#deps, leased, outcome);
  }

  async #renewAndExpire(): Promise<void> {
    const { store, clock } = this.#deps;
    const leased = [...this.#running.values()].map((one) => one.leased);
    if (leased.length > 0) {
      const renewed = await store.generations.renew(leased, clock.now());
      for (const { id } of leased) if (!renewed.has(id)) this.abort(id);
    }
    // After the clock was set, leases of other processes look expired until they are renewed.
    if (this.#hasJumped()) this.#gracePolls = GRACE_POLLS_AFTER_JUMP;
    if (this.#gracePolls > 0) {
      this.#gracePolls--;
      return;
    }
    const failed = await store.generations.expire(clock.now());
    if (failed > 0) this.#deps.log.warn({ failed }, "failed generations whose process was lost");
  }

  async #allEnded(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ ended }) => ended));
  }
}

const describe = ({ id, businessId }: LeasedGeneration, error: unknown): object => ({
  generation: id,
  business: businessId,
  error: getErrorMessage(error),
  ...(error instanceof Error && error.cause !== undefined ? { cause: getErrorMessage(error.cause) } : {}),
});
