import type { Change, ChangePage } from "../generated/schemas.ts";
import { ConnectionError, RateLimitError, ServerError, TesseraError, TimeoutError } from "../transport/errors.ts";
import type { QueryOf } from "../transport/operation.ts";
import { requireList } from "../transport/paginate.ts";
import { pause } from "../transport/retry.ts";
import { type CallOptions, type Send, splitOptions } from "../transport/transport.ts";

export type ChangeFilter = {
  /** Only changes of this board. */
  readonly boardId?: string;
  readonly events?: readonly Change["event"][];
};

export type ChangeListOptions = CallOptions &
  ChangeFilter & {
    /** The `nextCursor` of the last page; `now` for the end of the feed. Default: the oldest change that is kept, of 30 days. */
    readonly cursor?: string | null;
    /** 100 by default, at most 500. */
    readonly limit?: number;
    /** Seconds to wait for a change if there is none, at most 60. */
    readonly wait?: number;
  };

export type ChangeFollowOptions = ChangeFilter & {
  /** Where to begin, as in `list`. */
  readonly cursor?: string | null;
  /**
   * Called with the cursor that follows the changes that the loop has finished. Store it, and pass it as `cursor` after a restart: then no
   * change is missed. A promise is awaited.
   */
  readonly onCursor?: (cursor: string) => unknown;
  /** Ends the loop by throwing its reason. */
  readonly signal?: AbortSignal;
};

/** What happened to tiles and generations. */
export interface ChangeMethods {
  /** One page of changes, oldest first. Throws a `CursorExpiredError` if changes after the cursor are not kept any more. */
  list(options?: ChangeListOptions): Promise<ChangePage>;

  /**
   * Yields every change, and waits for the next ones. Goes on after failed connections, restarts of the server and rate limits. Throws
   * other errors, such as a `CursorExpiredError` or that of a revoked key.
   */
  follow(options?: ChangeFollowOptions): AsyncGenerator<Change, void, undefined>;
}

/** Shorter than the time after which most proxies end a call. */
const WAIT_SECONDS = 25;
const TIMEOUT_MS = 60_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

export function changeMethods(send: Send): ChangeMethods {
  async function list(options: ChangeListOptions = {}): Promise<ChangePage> {
    const { call, rest } = splitOptions(options);
    const { boardId, events, cursor, limit, wait } = rest;
    const query: QueryOf<"GET /api/changes"> = {
      ...(boardId !== undefined && { boardId }),
      ...(events !== undefined && { events: events.join(",") }),
      ...(cursor != null && { cursor }),
      ...(limit !== undefined && { limit }),
      ...(wait !== undefined && { wait }),
    };
    const { changes, nextCursor, hasMore } = await send("GET /api/changes", { ...call, query });
    return { changes: [...requireList(changes)], nextCursor, hasMore };
  }

  return {
    list,

    async *follow({ cursor = null, onCursor, signal, ...filter } = {}) {
      for (let next = cursor, failures = 0; ;) {
        let page: ChangePage;
        try {
          const call = { timeoutMs: TIMEOUT_MS, maxRetries: 0, ...(signal !== undefined && { signal }) };
          page = await list({ ...filter, ...call, cursor: next, wait: WAIT_SECONDS });
          failures = 0;
        } catch (error) {
          if (signal?.aborted === true || !isTemporary(error)) throw error;
          await pause(delayAfter(error, failures++), signal ?? new AbortController().signal);
          continue;
        }
        yield* page.changes;
        if (page.nextCursor === next) continue;
        next = page.nextCursor;
        await onCursor?.(next);
      }
    },
  };
}

const isTemporary = (error: unknown): boolean =>
  [ConnectionError, RateLimitError, ServerError, TimeoutError].some((Class) => error instanceof Class);

function delayAfter(error: unknown, failures: number): number {
  const backOff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures) * (0.5 + Math.random() / 2);
  return Math.max(backOff, 1_000 * ((error instanceof TesseraError ? error.retryAfterSeconds : null) ?? 0));
}
