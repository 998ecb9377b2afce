import { AppError, messageOf } from "#domain/core/error.ts";
import type { Generation, LeasedGeneration } from "#domain/answers/generation.ts";
import { createJumpDetector } from "#domain/core/system.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import { createSemaphore } from "#runtime/semaphore.ts";
import { waitAtMost } from "#runtime/wait.ts";
import { InterruptedError, LeaseLostError, generationErrorOf } from "./failure.ts";
import { type Outcome, type OutcomeDeps, completeGeneration, failGeneration, findEnded } from "./outcome.ts";

/** Runs the generations that this process started, and fails those whose process was lost. */
export type GenerationRunner = {
  /** Throws 503 while too many generations run or wait, in total or for this business, and while the process stops. */
  requireCapacity(businessId: string): void;
  /** Runs the work of a generation whose lease this process holds. Resolves with the ended generation. */
  start(held: LeasedGeneration, work: (signal: AbortSignal) => Promise<Outcome>): Promise<Generation>;
  /** The promise of the end of a generation that this process runs; undefined for others. */
  ended(generationId: string): Promise<Generation> | undefined;
  /** Aborts the work on a generation that was cancelled. */
  abort(generationId: string): void;
  /** Waits up to `graceMs` for running generations, and ends the rest as failed. */
  stop(graceMs: number): Promise<void>;
};

type Log = { warn(fields: object, message: string): void; error(fields: object, message: string): void };
type Running = { readonly held: LeasedGeneration; readonly controller: AbortController; readonly ended: Promise<Generation> };

/** Generations that run at once; the others wait. */
const CONCURRENCY = 16;
/** Generations running or waiting, in total and per business. The second limit leaves capacity for other businesses. */
const MAX_HELD = 500;
const MAX_HELD_PER_BUSINESS = 250;
/** How often leases are renewed and expired ones are detected. A lease survives two missed renewals. */
const POLL_INTERVAL_MS = 4_000;
/** Polls after a clock jump during which no lease counts as expired. */
const QUIET_POLLS = 2;

export function startGenerationRunner(deps: OutcomeDeps, log: Log, intervalMs = POLL_INTERVAL_MS): GenerationRunner {
  return new Runner(deps, log, intervalMs);
}

class Runner implements GenerationRunner {
  readonly #deps: OutcomeDeps;
  readonly #log: Log;
  readonly #running = new Map<string, Running>();
  /** Fair: the business with the fewest running generations goes first. */
  readonly #slots = createSemaphore({ slots: CONCURRENCY });
  readonly #hasJumped: () => boolean;
  readonly #loop: Loop;
  #quietPolls = 0;
  #isStopped = false;

  constructor(deps: OutcomeDeps, log: Log, intervalMs: number) {
    this.#deps = deps;
    this.#log = log;
    this.#hasJumped = createJumpDetector(deps.clock);
    this.#loop = startLoop({
      intervalMs,
      run: () => this.#renewAndExpire(),
      onError: (error) => log.error({ error: messageOf(error) }, "leases of generations could not be renewed; retrying soon"),
    });
  }

  requireCapacity(businessId: string): void {
    if (this.#isStopped) throw new AppError("unavailable", "The service is stopping. Try again in a moment.", 1);
    const own = [...this.#running.values()].filter(({ held }) => held.businessId === businessId).length;
    if (this.#running.size >= MAX_HELD || own >= MAX_HELD_PER_BUSINESS)
      throw new AppError("unavailable", "Too many generations are under way. Try again in a moment.", 10);
  }

  start(held: LeasedGeneration, work: (signal: AbortSignal) => Promise<Outcome>): Promise<Generation> {
    const controller = new AbortController();
    if (this.#isStopped) controller.abort(new InterruptedError());
    const ended = this.#run(held, work, controller.signal).finally(() => this.#running.delete(held.id));
    ended.catch((error: unknown) => this.#log.error(describe(held, error), "the end of a generation could not be stored"));
    this.#running.set(held.id, { held, controller, ended });
    return ended;
  }

  ended(generationId: string): Promise<Generation> | undefined {
    return this.#running.get(generationId)?.ended;
  }

  abort(generationId: string): void {
    this.#running.get(generationId)?.controller.abort(new LeaseLostError());
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    await waitAtMost(graceMs, this.#allEnded());
    for (const { controller } of this.#running.values()) controller.abort(new InterruptedError());
    await this.#allEnded();
    await this.#loop.stop();
  }

  async #run(held: LeasedGeneration, work: (signal: AbortSignal) => Promise<Outcome>, signal: AbortSignal): Promise<Generation> {
    let outcome: Outcome;
    try {
      outcome = await this.#slots.run(() => work(signal), { owner: held.businessId, signal });
      signal.throwIfAborted();
    } catch (thrown) {
      // Libraries throw their own errors for an abort, so use the abort reason.
      const error: unknown = signal.aborted ? signal.reason : thrown;
      if (error instanceof LeaseLostError) return findEnded(this.#deps, held);
      const failure = generationErrorOf(error);
      if (failure.code === "internal") this.#log.error(describe(held, error), "a generation failed");
      return failGeneration(this.#deps, held, failure);
    }
    return completeGeneration(this.#deps, held, outcome);
  }

  async #renewAndExpire(): Promise<void> {
    const { store, clock } = this.#deps;
    const held = [...this.#running.values()].map((one) => one.held);
    if (held.length > 0) {
      const renewed = await store.generations.renew(held, clock.now());
      for (const { id } of held) if (!renewed.has(id)) this.abort(id);
    }
    // After the clock was set, leases of other processes look expired until they are renewed.
    if (this.#hasJumped()) this.#quietPolls = QUIET_POLLS;
    if (this.#quietPolls > 0) {
      this.#quietPolls--;
      return;
    }
    const failed = await store.generations.expire(clock.now());
    if (failed > 0) this.#log.warn({ failed }, "failed the generations of a lost process");
  }

  async #allEnded(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ ended }) => ended));
  }
}

const describe = ({ id, businessId }: LeasedGeneration, error: unknown): object => ({
  generation: id,
  business: businessId,
  error: messageOf(error),
  ...(error instanceof Error && error.cause !== undefined ? { cause: messageOf(error.cause) } : {}),
});
