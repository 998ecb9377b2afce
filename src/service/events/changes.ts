import type { Actor } from "#domain/core/access.ts";
import { AppError } from "#domain/core/errors/error.ts";
import { isoTime } from "#domain/core/system.ts";
import { type Change, createChangeId, type FeedPage, type FeedQuery } from "#domain/events/feed.ts";
import { delay, waitAtMost } from "#runtime/wait.ts";
import { authorizeBoard } from "../access.ts";
import type { Deps, StoreDeps, WorkDeps } from "../deps.ts";
import { runStepInTurn, toOwner } from "../work-queue.ts";

/** How many parts of a filtered feed one call looks through until it finds a change. */
const MAX_PARTS = 10;
/** How often a waiting call polls, in case a notification was lost. */
const POLL_INTERVAL_MS = 5_000;
/** A waiting call reads not more often than this, however many changes of other boards wake it. */
const MIN_INTERVAL_MS = 100;

type WaitDeps = WorkDeps & Pick<Deps, "waitQueue">;

/** Returns the only board whose changes the caller reads; null for all. Throws 403 and 404 as every call about a board does. */
export async function selectBoard(deps: StoreDeps, actor: Actor, boardId: string | undefined): Promise<string | null> {
  const selected = boardId ?? (actor.kind === "key" ? actor.boardId : null);
  if (selected !== null) await authorizeBoard(deps, actor, selected, "read");
  return selected;
}

/** Returns a page of changes. Throws 410 if changes after the query's position were erased already. */
export async function readChanges(deps: WorkDeps, actor: Actor, query: FeedQuery): Promise<FeedPage> {
  let page = await readPart(deps, actor, query);
  for (let part = 1; part < MAX_PARTS && page.changes.length === 0 && page.hasMore; part++) {
    const after = page.next;
    page = await runStepInTurn(deps, actor, () => readPart(deps, actor, { ...query, after }));
  }
  return page;
}

async function readPart({ store }: StoreDeps, { businessId }: Actor, query: FeedQuery): Promise<FeedPage> {
  const page = await store.feed.read(businessId, query);
  if (page === null) throw cursorExpired();
  return page;
}

/** Returns a change with the names and times of the API. */
export const presentChange = (change: Change, epoch: string) => ({
  id: createChangeId(epoch, change),
  event: change.event,
  payload: change.payload,
  at: isoTime(change.at),
});

export const cursorExpired = (): AppError =>
  new AppError("cursor_expired", "This cursor has expired. Read the listings again, then continue with cursor=now.");

/**
 * As `readChanges`, but waits for a change for at most `seconds`, or until `signal` is aborted. Throws 429 while too many calls of the caller
 * wait.
 */
export async function waitForChanges(
  deps: WaitDeps,
  actor: Actor,
  query: FeedQuery,
  seconds: number,
  signal: AbortSignal,
): Promise<FeedPage> {
  const page = await readChanges(deps, actor, query);
  if (seconds === 0 || page.changes.length > 0) return page;
  return deps.waitQueue.run(() => watchFeed(deps, actor, { ...query, after: page.next }, seconds, signal), { owner: toOwner(actor) });
}

async function watchFeed(deps: WorkDeps, actor: Actor, query: FeedQuery, seconds: number, signal: AbortSignal): Promise<FeedPage> {
  const until = performance.now() + seconds * 1_000;
  let changed = Promise.withResolvers<void>();
  const unsubscribe = deps.store.feed.watch(actor.businessId, () => changed.resolve());
  try {
    for (let { after } = query; ;) {
      changed = Promise.withResolvers();
      const page = await readChanges(deps, actor, { ...query, after });
      if (page.changes.length > 0 || performance.now() >= until || signal.aborted) return page;
      after = page.next;
      await delay(Math.min(MIN_INTERVAL_MS, Math.max(0, until - performance.now())));
      await waitAtMost(Math.min(POLL_INTERVAL_MS, until - performance.now()), page.hasMore ? Promise.resolve() : changed.promise, signal);
    }
  } finally {
    unsubscribe();
  }
}
