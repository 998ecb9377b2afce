import { type Actor, actorId } from "#domain/core/access.ts";
import { AppError } from "#domain/core/errors/error.ts";
import type { Owner } from "#runtime/turns/fair-queue.ts";
import { type CallLimit, createSemaphore, type Semaphore } from "#runtime/turns/semaphore.ts";
import type { Steps } from "#retrieval/key-passages/steps.ts";
import type { Deps } from "./deps.ts";

export type WorkLimits = {
  /** Calls that run at once, and as many more of businesses with nothing running, one each: they find a slot whatever others do. */
  readonly slots: number;
  /** Calls of one API key or member, and of one business, that are running or waiting. */
  readonly maxPerCaller: number;
  readonly maxPerBusiness: number;
};

/** Work that occupies the processor. More slots would only delay everything else; they are used while work waits for a database or thread. */
const WORK_LIMITS: WorkLimits = { slots: 4, maxPerCaller: 128, maxPerBusiness: 256 };
/** Questions wait for the language model most of the time, and each holds its sources in memory meanwhile. */
const QUESTION_LIMITS: WorkLimits = { slots: 16, maxPerCaller: 128, maxPerBusiness: 256 };
/** The material of a generation takes tens of megabytes until its passages or themes are chosen. */
const MATERIAL_SLOTS = 2;
/** Calls that wait take no slot, but each reads its tile or generation after every change of the board, or every second. */
const WAIT_LIMITS: WorkLimits = { slots: Infinity, maxPerCaller: 128, maxPerBusiness: 256 };
/** Of so many calls one is likely to end within this time: each waits for 60 s at most, and a page that is read takes seconds. */
const WAIT_RETRY_SECONDS = 5;

/**
 * The queue of expensive work: searches, retrieval for questions and generations, listings of more than a page, exports, imports and bulk
 * changes. Businesses take turns, and so do the keys and members of each. A piece of work starts only after a turn of the event loop
 * with nothing else to do, so that short calls run in between; the only call of a key or member starts as soon as there is a slot.
 */
export const createWorkQueue = (limits: Partial<WorkLimits> = {}): Semaphore =>
  createQueue({ ...WORK_LIMITS, ...limits }, "searches, listings and changes", "waiting", 1, true);

/** The queue of questions, in the same order. */
export const createQuestionQueue = (limits: Partial<WorkLimits> = {}): Semaphore =>
  createQueue({ ...QUESTION_LIMITS, ...limits }, "questions", "being answered", 1);

/** Counts the calls that wait for a tile, a generation or a change. None of them waits for another. */
export const createWaitQueue = (limits: Partial<WorkLimits> = {}): Semaphore =>
  createQueue({ ...WAIT_LIMITS, ...limits }, "calls", "waiting", WAIT_RETRY_SECONDS);

/** The queue of generations that read their material. None is refused: the runner limits how many wait. */
export const createMaterialQueue = (): Semaphore => createSemaphore({ slots: MATERIAL_SLOTS, reserved: MATERIAL_SLOTS, isPaced: true });

/** Calls without a caller yet: few at once, one more of a network with none running, and this many of one network that run or wait. */
const STRANGER_LIMITS = { slots: 2, reserved: 1, maxPerOwner: 256 };

/**
 * Creates a queue of questions to the database by callers that are not known yet, whose owner is their network. The turns at the connections
 * of PostgreSQL are not enough for them: a network costs nothing, so strangers could take every connection that is kept for others, and
 * there is no limit to how many wait. Attempts at one account even wait for each other in the database, each with a connection.
 */
export const createStrangerQueue = (things: string, state: string): Semaphore =>
  createSemaphore({
    ...STRANGER_LIMITS,
    refuse: () =>
      new AppError(
        "rate_limited",
        `Too many ${things} of your network are ${state}. The maximum is ${STRANGER_LIMITS.maxPerOwner}. Try again in 1 s.`,
        1,
      ),
  });

const createQueue = (limits: WorkLimits, things: string, state: string, retrySeconds: number, isPaced = false): Semaphore =>
  createSemaphore({
    slots: limits.slots,
    reserved: limits.slots,
    maxPerOwner: limits.maxPerCaller,
    maxPerGroup: limits.maxPerBusiness,
    refuse: createRefusal(things, state, limits, retrySeconds),
    isPaced,
  });

/**
 * Creates the function that creates the error of each limit: 429 for those of a caller and a business, 503 for that of the process.
 * `things` and `state` are in its message, such as "streams" that are "open".
 */
export const createRefusal =
  (things: string, state: string, { maxPerCaller, maxPerBusiness }: Omit<WorkLimits, "slots">, retrySeconds: number) =>
  (exceeded: CallLimit): AppError => {
    const retry = `Try again in ${retrySeconds} s.`;
    if (exceeded === "total") return new AppError("unavailable", `Too many ${things} are ${state} on this server. ${retry}`, retrySeconds);
    const [whose, max] = exceeded === "owner" ? ["API key or member", maxPerCaller] : ["business", maxPerBusiness];
    const message = `Too many ${things} of this ${whose} are ${state}. The maximum is ${max.toLocaleString("en")}. ${retry}`;
    return new AppError("rate_limited", message, retrySeconds);
  };

/** Returns the owner of a caller's work: its business, then the key or member. */
export const toOwner = (actor: Actor): Owner => [actor.businessId, actorId(actor)];

/**
 * Runs expensive work when it is its turn. Throws 429 when too much work of the caller is waiting. Work must not queue other work: all
 * slots could be held by work that waits for a slot.
 */
export const runInTurn = <T>(
  { workQueue }: Pick<Deps, "workQueue">,
  actor: Actor,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => workQueue.run(work, { owner: toOwner(actor), signal });

/** Runs work that is limited otherwise, such as a step of a call that was accepted: it waits for its turn, but is never refused. */
export const runStepInTurn = <T>(
  { workQueue }: Pick<Deps, "workQueue">,
  actor: Actor,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => workQueue.run(work, { owner: toOwner(actor), signal, isAccepted: true });

/** Runs the next step of a call when it is its turn. */
type RunStep = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates the function that runs the steps of one call. The first may be refused with 429, and an abort ends its wait: nothing is done by
 * then. Later ones are never refused, and go on after an abort: whoever closes a page, or loses the connection, expects a change to be made,
 * and half of it is worse than all or nothing. With `isStoppable`, for calls that change nothing, an abort stops them too.
 */
export function createSteps(deps: Pick<Deps, "workQueue">, actor: Actor, signal?: AbortSignal, isStoppable = false): RunStep {
  let isAccepted = false;
  return (work) => {
    const isFirst = !isAccepted;
    isAccepted = true;
    const run = isFirst ? runInTurn : runStepInTurn;
    return run(deps, actor, work, isFirst || isStoppable ? signal : undefined);
  };
}

/** Pieces of work that have paused, in order. */
const paused: (() => void)[] = [];

/**
 * Lets short calls run between two steps of work that holds a slot. One piece of work continues per turn of the event loop, so that short
 * calls never wait for a step of each.
 */
export const yieldToOthers = (): Promise<void> =>
  new Promise((resolve) => {
    paused.push(resolve);
    if (paused.length === 1) setImmediate(continueNext);
  });

function continueNext(): void {
  paused.shift()?.();
  if (paused.length > 0) setImmediate(continueNext);
}

/** How long a piece of work occupies the processor before it yields. */
const STEP_MS = 8;

/** Runs long work and yields to others in between. Throws the signal's reason. */
export async function runSteps<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
  for (let since = performance.now(); ;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < STEP_MS) continue;
    await yieldToOthers();
    signal.throwIfAborted();
    since = performance.now();
  }
}
