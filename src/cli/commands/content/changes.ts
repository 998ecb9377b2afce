import type { Actor } from "#domain/core/access.ts";
import { FEED_EVENTS, type FeedEvent } from "#domain/events/event.ts";
import type { Change, FeedQuery } from "#domain/events/feed.ts";
import type { Deps } from "#service/deps.ts";
import { waitAtMost } from "#runtime/wait.ts";
import { presentChange, readChanges, selectBoard } from "#service/events/changes.ts";
import { type Command, type Invocation, print } from "../../command.ts";
import { toPrintable, toPrintableLine } from "../../style.ts";
import { eventsOption, sinceOption, textOption } from "../../options.ts";
import { type Opened, withData } from "../../with-data.ts";

const PAGE_SIZE = 500;
/** How often to look for changes that other processes made. */
const POLL_INTERVAL_MS = 500;

const describe = ({ event, at, payload }: ReturnType<typeof presentChange>): string => {
  const { tileId, generationId, title = "" } = payload as Readonly<Record<string, string | undefined>>;
  return `${at}  ${event}  ${tileId ?? generationId ?? ""}  ${title}`.trimEnd();
};

export const CHANGE_COMMANDS: readonly Command[] = [
  {
    name: "changes",
    options: {
      follow: { meaning: "Prints only new changes, as they happen, until it is stopped." },
      since: {
        value: "TIME",
        meaning:
          "Begins at a time such as 2026-01-31T12:00:00Z, or a duration ago such as 2h; by default with the oldest kept, of 30 days.",
      },
      board: { value: "ID", meaning: "Only changes of this board." },
      events: { value: "EVENTS", meaning: `Only these events, separated by commas: ${FEED_EVENTS.join(", ")}.` },
    },
    summary: "Prints what happened to tiles and generations, oldest first.",
    details: "With --follow, --since prints earlier changes first, and --json prints one JSON value a line.",
    examples: ["changes --since 2h", "changes --follow --events tile.ready,tile.failed --json"],
    installation: "required",
    async run(invocation) {
      const events = eventsOption<FeedEvent>(invocation, FEED_EVENTS) ?? null;
      const readSince = sinceOption(invocation);
      const isFollowing = invocation.options.follow === true;
      await withData(invocation, async (opened) => {
        const boardId = await selectBoard(opened.deps, opened.actor, textOption(invocation, "board"));
        const since = readSince?.(opened.deps.clock.now()) ?? null;
        const after = isFollowing && since === null ? (await opened.deps.store.feed.state()).position : null;
        const query = { boardId, events, after, limit: PAGE_SIZE };
        await (isFollowing ? follow(invocation, opened, query, since) : printAll(invocation, opened, query, since));
      });
    },
  },
];

/** Prints the changes page by page, since those of a month may not fit into memory. */
async function printAll({ isJson }: Invocation, opened: Opened, query: FeedQuery, since: number | null): Promise<void> {
  const write = (text: string): boolean => process.stdout.write(text);
  let separator = "";
  if (isJson) write('{"changes":[');
  await readNew(opened, query, (page) => {
    for (const change of page) {
      if (change.at < (since ?? 0)) continue;
      const presented = presentChange(change, opened.deps.store.epoch);
      write(isJson ? separator + toPrintable(JSON.stringify(presented)) : `${toPrintableLine(describe(presented))}\n`);
      separator = ",";
    }
  });
  if (isJson) write("]}\n");
}

async function follow(invocation: Invocation, opened: Opened, query: FeedQuery, since: number | null): Promise<void> {
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());
  const { feed, epoch } = opened.deps.store;
  for (let { after } = query; !stopped.signal.aborted;) {
    after = await readNew(opened, { ...query, after }, (page) => {
      for (const change of page) {
        if (change.at < (since ?? 0)) continue;
        const presented = presentChange(change, epoch);
        print(invocation, presented, describe(presented));
      }
    });
    const changed = Promise.withResolvers<void>();
    const unsubscribe = feed.watch(opened.business.id, () => changed.resolve());
    await waitAtMost(POLL_INTERVAL_MS, changed.promise, stopped.signal);
    unsubscribe();
  }
}

/** Passes on the changes after the query's position, page by page, and returns the position after them. */
async function readNew(
  { deps, actor }: { readonly deps: Deps; readonly actor: Actor },
  query: FeedQuery,
  onPage: (changes: readonly Change[]) => void,
): Promise<number> {
  // No server may be running, whose sequencer would do this.
  while ((await deps.store.feed.sequence(deps.clock.now(), actor.businessId)).hasMore);
  for (let { after } = query; ;) {
    const page = await readChanges(deps, actor, { ...query, after });
    onPage(page.changes);
    if (!page.hasMore) return page.next;
    after = page.next;
  }
}
