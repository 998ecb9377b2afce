import type { Static } from "typebox";
import type { Actor } from "#domain/core/access.ts";
import { authorizeBusiness } from "#service/access.ts";
import { cursorExpired, presentChange, selectBoard, waitForChanges } from "#service/events/changes.ts";
import { createDisconnectSignal } from "../../response/connection/disconnect.ts";
import { type AnyRoute, defineRoute, type HttpDeps } from "../../route.ts";
import { CHANGES_QUERY, CHANGES_RESPONSE, NOW, readFeedEvents } from "../../wire/events/change.ts";

const DEFAULT_PAGE_SIZE = 100;

const readChangesRoute = defineRoute({
  method: "GET",
  path: "/api/changes",
  operationId: "listChanges",
  tag: "Changes",
  summary: "List changes",
  description:
    "Returns what happened to tiles and generations, oldest first, for 30 days. Read it in a loop with the last nextCursor: no change is missed or returned twice. A key of one board sees its changes only. " +
    "410 if changes after the cursor are no longer kept, or a backup was restored since.",
  query: CHANGES_QUERY,
  response: CHANGES_RESPONSE,
  mayExpire: true,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "read"),
  async handle({ deps, actor, query, reply }) {
    const boardId = await selectBoard(deps, actor, query.board_id);
    const events = query.events === undefined ? null : readFeedEvents(query.events);
    const after = query.cursor === undefined ? null : await readPosition(deps, actor, query.cursor);
    const write = (position: number): string => deps.cursors.write(listingOf(actor), [deps.store.epoch, position]);
    if (query.cursor === NOW) return { changes: [], nextCursor: write(after ?? 0), hasMore: false };
    const page = await readWhileAllowed(deps, actor, { boardId, events, after, limit: query.limit ?? DEFAULT_PAGE_SIZE }, query, reply);
    const changes = page.changes.map((change) => presentChange(change, deps.store.epoch));
    return { changes, nextCursor: write(page.next), hasMore: page.hasMore };
  },
});

const listingOf = ({ businessId }: Actor): string => `changes ${businessId}`;

/** Throws 400 for a cursor of another listing or business, and 410 for one of before a restore. */
async function readPosition({ cursors, store }: HttpDeps, actor: Actor, cursor: string): Promise<number> {
  if (cursor === NOW) return (await store.feed.state()).position;
  const [epoch, position] = cursors.read(listingOf(actor), cursor);
  if (epoch !== store.epoch) throw cursorExpired();
  return Number(position);
}

/** Reads a page, and ends a wait with the access of the caller. */
async function readWhileAllowed(
  deps: HttpDeps,
  actor: Actor,
  feedQuery: Parameters<typeof waitForChanges>[2],
  { wait = 0 }: Static<typeof CHANGES_QUERY>,
  reply: Parameters<typeof createDisconnectSignal>[0],
): ReturnType<typeof waitForChanges> {
  if (wait === 0) return waitForChanges(deps, actor, feedQuery, 0, AbortSignal.any([]));
  const access = deps.accessWatch.follow(actor);
  try {
    const page = await waitForChanges(deps, actor, feedQuery, wait, AbortSignal.any([createDisconnectSignal(reply), access.signal]));
    access.signal.throwIfAborted();
    return page;
  } finally {
    access.stop();
  }
}

export function changeRoutes(): AnyRoute[] {
  return [readChangesRoute];
}
