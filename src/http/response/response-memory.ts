import type { ServerResponse } from "node:http";
import { AppError } from "#domain/core/errors/error.ts";
import { formatBytes } from "#domain/core/text.ts";
import type { Owner } from "#runtime/turns/fair-queue.ts";
import { type ByteCount, ByteShares, type ExceededLimit } from "../request/byte-shares.ts";

/** The memory for all responses that have not been sent completely, in bytes. */
const MAX_TOTAL_BYTES = 128 * 1_048_576;
/** Shorter bodies are not counted: the number of connections limits them. */
export const MIN_COUNTED_BYTES = 4_096;
const RETRY_SECONDS = 2;

export type ResponseMemory = {
  /** What is counted of all responses now, and its limit. */
  readonly shares: Pick<ByteShares, "total" | "maxBytes">;
  /**
   * Throws `rate_limited` if the caller has as many unsent bytes as it may, and `unavailable` if the process has and the caller has some.
   * Called before a request is handled.
   */
  admit(owner: Owner): void;
  /**
   * Counts `bytes` for a response until it is closed, in place of what was counted for it before. Throws like `admit` if they are too
   * many, unless `isForced`.
   */
  hold(response: ServerResponse, owner: Owner, bytes: number, isForced?: boolean): void;
  /** Returns what is counted for a response whose bytes were held. */
  countOf(response: ServerResponse, owner: Owner): ByteCount;
};

const COUNT = Symbol("count");

/** A property costs less than an entry of a weak map, which each garbage collection visits. */
type CountedResponse = ServerResponse & { [COUNT]?: ByteCount };

/** One function for all responses, since most add it. */
function closeCount(this: CountedResponse): void {
  this[COUNT]?.close();
}

/** Limits the memory of responses whose clients read slowly or not at all. */
export function createResponseMemory(maxTotalBytes = MAX_TOTAL_BYTES): ResponseMemory {
  const shares = new ByteShares(maxTotalBytes);
  const refuse = (owner: Owner, bytes: number, exceeded: ExceededLimit): AppError =>
    tooManyUnsent(exceeded, shares.findMaxBytes(owner, bytes, exceeded));
  const admit = (owner: Owner): void => {
    if (shares.total === 0) return;
    const exceeded = shares.findExceeded(owner, MIN_COUNTED_BYTES);
    // A caller with nothing unsent is not refused for others before it is known that its response is long.
    if (exceeded !== null && (exceeded !== "total" || shares.holds(owner))) throw refuse(owner, MIN_COUNTED_BYTES, exceeded);
  };
  return {
    shares,
    admit,
    hold(response: CountedResponse, owner, bytes, isForced = false) {
      let count = response[COUNT];
      // A closed response emits no further event that would end the count.
      if ((count === undefined && bytes < MIN_COUNTED_BYTES) || response.destroyed) return;
      if (count === undefined) {
        response[COUNT] = count = shares.open(owner);
        response.once("close", closeCount);
      }
      const exceeded = count.resize(bytes);
      if (exceeded === null) return;
      if (!isForced) throw refuse(owner, bytes, exceeded);
      count.force(bytes);
    },
    countOf(response: CountedResponse, owner) {
      if (response[COUNT] !== undefined) return response[COUNT];
      // Nothing was counted for a response that was closed already.
      const count = shares.open(owner);
      count.close();
      return count;
    },
  };
}

function tooManyUnsent(exceeded: ExceededLimit, maxBytes: number): AppError {
  if (exceeded === "total")
    return new AppError("unavailable", `Too many long responses are on their way. Try again in ${RETRY_SECONDS} s.`, RETRY_SECONDS);
  const whom = exceeded === "caller" ? "you" : "your business";
  // Whoever creates a tile gets its text back, and need not know that a response takes memory until it is read.
  const advice = `Make fewer calls at a time, and try again in ${RETRY_SECONDS} s.`;
  const message = `Too many long responses to ${whom} are on their way. The maximum is ${formatBytes(maxBytes)}. ${advice}`;
  return new AppError("rate_limited", message, RETRY_SECONDS);
}
