import { AppError, messageOf, notFound } from "#domain/core/error.ts";
import type { Generation, GenerationResult, HeldGeneration } from "#domain/answers/generation.ts";
import type { NewTile } from "#domain/content/tile.ts";
import { createJumpDetector } from "#domain/core/system.ts";
import type { Deps } from "../deps.ts";
import { Stopped, generationErrorOf } from "./failure.ts";

/** What a generation came to; `tile` keeps it, where that was asked for. */
export type Outcome = { readonly result: GenerationResult; readonly tile: NewTile | null };

/** Works on the generations that this process took on, and looks after those whose process was lost. */
export type GenerationRunner = {
  /** 503 where too much waits already, of all or of this business, or the process is stopping. */
  requireRoom(businessId: string): void;
  /** Takes one on; settles with how it ended. Whoever waits for it may go away. */
  start(held: HeldGeneration, work: (signal: AbortSignal) => Promise<Outcome>): Promise<Generation>;
  /** The end of one that this process works on. */
  ended(generationId: string): Promise<Generation> | undefined;
  /** Ends the work on one that was cancelled. */
  abort(generationId: string): void;
  /** Waits up to `graceMs` for what is under way, and ends the rest as failed. */
  stop(graceMs: number): Promise<void>;
};

type RunnerDeps = Pick<Deps, "store" | "clock">;
type Log = { warn(fields: object, message: string): void; error(fields: object, message: string): void };
type Running = { readonly held: HeldGeneration; readonly controller: AbortController; readonly ended: Promise<Generation> };

/** Worked on at once; the others wait their turn. */
const CONCURRENCY = 16;
/** Taken on, and how many of them may be one business's, so that there is room for others. */
const MAX_TAKEN = 500;
const MAX_OF_ONE = 250;
/** How often leases are prolonged and lost ones looked for: often enough that two missed turns lose nothing. */
const POLL_INTERVAL_MS = 4_000;
/** Turns after a jump of the clock in which no lease is taken for lost. */
const QUIET_LOOKS = 2;
/** How often a store that is away is asked again, and how often at most. */
const UNAVAILABLE_RETRY_MS = 500;
const MAX_ATTEMPTS = 20;

const ZONE_GONE = "The zone to save to was deleted meanwhile, so no tile was made.";

/** The row was cancelled, or taken for lost: there is nothing to write any more. */
class Taken extends Error {}

export function startGenerating(deps: RunnerDeps, log: Log, lookMs = POLL_INTERVAL_MS): GenerationRunner {
  const { store, clock } = deps;
  const running = new Map<string, Running>();
  const queue: { readonly businessId: string; begin(): void }[] = [];
  /** Places that each business has. */
  const working = new Map<string, number>();
  let places = CONCURRENCY;
  const hasJumped = createJumpDetector(clock);
  let quietLooks = 0;
  let isStopped = false;
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    try {
      const held = [...running.values()].map((one) => one.held);
      if (held.length > 0) {
        const kept = await store.generations.renew(held, clock.now());
        for (const { id } of held) if (!kept.has(id)) running.get(id)?.controller.abort(new Taken());
      }
      // After the clock was set, the leases of others look as if they had run out until their holders have renewed them.
      if (hasJumped()) quietLooks = QUIET_LOOKS;
      if (quietLooks-- > 0) return;
      quietLooks = 0;
      const failed = await store.generations.expire(clock.now());
      if (failed > 0) log.warn({ failed }, "generations of a process that was lost were ended as failed");
    } catch (error) {
      log.error({ error: messageOf(error) }, "generations could not be looked after; tried again soon");
    }
  }

  async function takePlace(businessId: string): Promise<void> {
    if (places === 0) return new Promise<void>((begin) => queue.push({ businessId, begin }));
    places--;
    working.set(businessId, placesOf(businessId) + 1);
  }

  const placesOf = (businessId: string): number => working.get(businessId) ?? 0;

  /** Gives the place to whoever waits longest of the business that has fewest, so that nobody waits for another's whole heap. */
  function givePlace(businessId: string): void {
    const left = placesOf(businessId) - 1;
    if (left > 0) working.set(businessId, left);
    else working.delete(businessId);
    const fewest = Math.min(...queue.map((one) => placesOf(one.businessId)));
    const next = queue.find((one) => placesOf(one.businessId) === fewest);
    if (next === undefined) {
      places++;
      return;
    }
    queue.splice(queue.indexOf(next), 1);
    working.set(next.businessId, placesOf(next.businessId) + 1);
    next.begin();
  }

  async function run(
    held: HeldGeneration,
    work: (signal: AbortSignal) => Promise<Outcome>,
    { signal }: AbortController,
  ): Promise<Generation> {
    let outcome: Outcome;
    try {
      outcome = await inPlace(held.businessId, async () => {
        signal.throwIfAborted();
        return work(signal);
      });
      signal.throwIfAborted();
    } catch (thrown) {
      // Whatever a library threw for it, the work was ended from our side.
      const error: unknown = signal.aborted ? signal.reason : thrown;
      if (error instanceof Taken) return endOf(held, null);
      const failure = generationErrorOf(error);
      if (failure.code === "internal") log.error(describe(held, error), "a generation failed");
      return endOf(held, await retryWhileUnavailable(() => store.generations.fail(held, failure, clock.now())));
    }
    return endOf(held, await retryWhileUnavailable(() => complete(held, outcome)));
  }

  async function inPlace<T>(businessId: string, work: () => Promise<T>): Promise<T> {
    await takePlace(businessId);
    try {
      return await work();
    } finally {
      givePlace(businessId);
    }
  }

  async function complete(held: HeldGeneration, { result, tile }: Outcome): Promise<Generation | null> {
    try {
      return await store.generations.complete(held, result, tile, clock.now());
    } catch (error) {
      if (tile === null || !(error instanceof AppError) || !["invalid", "not_found"].includes(error.code)) throw error;
      const notice = [result.notice, ZONE_GONE].filter((part) => part !== undefined).join(" ");
      return store.generations.complete(held, { ...result, notice }, null, clock.now());
    }
  }

  /** What the row says; where it was ended by somebody else, what they made of it. */
  async function endOf({ businessId, id }: HeldGeneration, ended: Generation | null): Promise<Generation> {
    const current = ended ?? (await retryWhileUnavailable(() => store.generations.find(businessId, id)));
    if (current === null) throw notFound("Generation");
    return current;
  }

  const lookOnce = (): void => {
    looking ??= look().finally(() => (looking = null));
  };
  const timer = setInterval(lookOnce, lookMs).unref();
  lookOnce();

  return {
    requireRoom(businessId) {
      if (isStopped) throw new AppError("unavailable", "The service is stopping. Try again in a moment.", 1);
      const own = [...running.values()].filter(({ held }) => held.businessId === businessId).length;
      if (running.size >= MAX_TAKEN || own >= MAX_OF_ONE)
        throw new AppError("unavailable", "Too many generations are under way. Try again in a moment.", 10);
    },

    start(held, work) {
      const controller = new AbortController();
      if (isStopped) controller.abort(new Stopped());
      const ended = run(held, work, controller).finally(() => running.delete(held.id));
      ended.catch((error: unknown) => log.error(describe(held, error), "how a generation ended could not be written down"));
      running.set(held.id, { held, controller, ended });
      return ended;
    },

    ended: (generationId) => running.get(generationId)?.ended,
    abort: (generationId) => running.get(generationId)?.controller.abort(new Taken()),

    async stop(graceMs) {
      isStopped = true;
      const grace = Promise.withResolvers<void>();
      const cutOff = setTimeout(grace.resolve, graceMs);
      await Promise.race([allSettled(), grace.promise]);
      clearTimeout(cutOff);
      for (const { controller } of running.values()) controller.abort(new Stopped());
      await allSettled();
      clearInterval(timer);
      await looking;
    },
  };

  async function allSettled(): Promise<void> {
    await Promise.allSettled([...running.values()].map(({ ended }) => ended));
  }
}

const describe = ({ id, businessId }: HeldGeneration, error: unknown): object => ({
  generation: id,
  business: businessId,
  error: messageOf(error),
  ...(error instanceof Error && error.cause !== undefined ? { cause: messageOf(error.cause) } : {}),
});

/** Asks the store again while it is away, for less time than its lease lasts. */
async function retryWhileUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "unavailable" || tries === MAX_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, UNAVAILABLE_RETRY_MS));
    }
  }
}
