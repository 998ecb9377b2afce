import type { Change, FeedQuery } from "#domain/events/feed.ts";
import type { Store } from "#domain/store.ts";
import { T0 } from "../../support/boards.ts";

export const ALL: FeedQuery = { boardId: null, events: null, after: null, limit: 500 };

/** Gives all recorded events their positions. */
export async function sequenceAll({ feed }: Pick<Store, "feed">): Promise<void> {
  while ((await feed.sequence(T0)).hasMore);
}

/** Reads all changes page by page, after their events have got their positions. */
export async function readAll(store: Pick<Store, "feed">, businessId: string, query: Partial<FeedQuery> = {}): Promise<Change[]> {
  await sequenceAll(store);
  const changes: Change[] = [];
  let { after } = { ...ALL, ...query };
  for (;;) {
    const page = await store.feed.read(businessId, { ...ALL, ...query, after });
    if (page === null) throw new Error("The changes were erased.");
    changes.push(...page.changes);
    if (!page.hasMore) return changes;
    after = page.next;
  }
}

/** Returns the events in short, such as `tile.created Title`. */
export const describe = (changes: readonly Change[]): string[] =>
  changes.map(({ event, payload }) => `${event} ${(payload as { title?: string }).title ?? ""}`.trim());
