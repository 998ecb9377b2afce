import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#domain/core/errors/error.ts";
import { formatBytes } from "#domain/core/text.ts";
import { listOwnerNames, type Owner } from "#runtime/turns/fair-queue.ts";
import { createDisconnectSignal } from "../../response/connection/disconnect.ts";
import { beginBody, estimateSecondsUntilDone, type ReceivedBody, watchProgress } from "./body-progress.ts";
import { type ByteCount, ByteShares, type ExceededLimit, ownerOfRequest } from "../byte-shares.ts";

/** The memory for all bodies that are being received, in bytes. */
const MAX_TOTAL_BYTES = 128 * 1_048_576;
/** What counts of a body of unknown length until more of it has arrived. */
export const FIRST_BYTES = 65_536;
/** Smaller bodies are not counted: the number of connections limits them. */
const MIN_COUNTED_BYTES = 4_096;
/** What the first bytes of bodies that wait for room may take: `FIRST_BYTES` each, which arrive with their headers. */
const MAX_WAITING_BYTES = 16 * 1_048_576;
/** Long enough for the bodies that fill the share of a caller over a slow line: 16 uploads of 10 MB at 1 MB a second take 160 s. */
const MAX_WAIT_MS = 300_000;
/** How often it is checked whether the bodies that hold the room get on. */
const CHECK_MS = 5_000;

export type BodyMemory = {
  /** What is counted of all bodies now, and its limit. */
  readonly shares: Pick<ByteShares, "total" | "maxBytes">;
  /**
   * Counts the body of a request until its response is sent or its connection is closed. Of a body of unknown length, `FIRST_BYTES` count
   * until whoever receives it resizes that. One longer than `maxBytes` is not counted, since it is rejected before it is read. At most
   * `heldBytes` are counted of a body that the handler reads as it arrives.
   *
   * Without room the body of an authenticated caller waits: then a promise is returned, and nothing more is read from the connection. Throws
   * `unavailable` if the total is reached, `rate_limited` if the share of the caller or of its business is, for those who may not wait, when
   * too many wait, after five minutes, and when no body gets on that holds the room.
   */
  reserve(request: FastifyRequest, reply: FastifyReply, maxBytes?: number, heldBytes?: number): Promise<void> | undefined;
  /** Changes what is counted of a body while it arrives. Throws like `reserve`; then nothing changes. */
  resize(request: FastifyRequest, bytes: number): void;
  /**
   * Runs work that needs the body of a request, such as its parser or its handler. The body stays counted until that ends, even if the
   * client has disconnected; the signal tells that. There is no signal for bodies that are not counted.
   */
  use<T>(request: FastifyRequest, work: (disconnected?: AbortSignal) => Promise<T>): Promise<T>;
};

type HeldBody = { readonly owner: Owner; readonly count: ByteCount; readonly disconnected: AbortSignal; isClosed: boolean; uses: number };

/** How bodies wait, in milliseconds. */
type WaitTimes = { readonly maxWaitMs: number; readonly checkMs: number };

/** Limits the memory of bodies, since each is held completely until it is parsed. */
export function createBodyMemory(
  maxBodyBytes: number,
  maxTotalBytes = MAX_TOTAL_BYTES,
  waitTimes: WaitTimes = { maxWaitMs: MAX_WAIT_MS, checkMs: CHECK_MS },
): BodyMemory {
  return new SharedBodyMemory(maxBodyBytes, maxTotalBytes, waitTimes);
}

class SharedBodyMemory implements BodyMemory {
  readonly #maxBodyBytes: number;
  readonly #waitTimes: WaitTimes;
  readonly shares: ByteShares;
  readonly #waiting = new ByteShares(MAX_WAITING_BYTES);
  readonly #bodies = new WeakMap<FastifyRequest, HeldBody>();
  /** Those that have room. */
  readonly #received = new Map<HeldBody, ReceivedBody>();

  constructor(maxBodyBytes: number, maxTotalBytes: number, waitTimes: WaitTimes) {
    this.#maxBodyBytes = maxBodyBytes;
    this.#waitTimes = waitTimes;
    this.shares = new ByteShares(maxTotalBytes);
  }

  reserve(request: FastifyRequest, reply: FastifyReply, maxBytes = this.#maxBodyBytes, heldBytes = Infinity): Promise<void> | undefined {
    const { headers, raw } = request;
    // The client disconnected during authorization: "close" has already been emitted and would never release the memory.
    if (raw.destroyed || reply.raw.destroyed) return undefined;
    const isChunked = headers["transfer-encoding"] !== undefined;
    const unknown = heldBytes === Infinity ? FIRST_BYTES : heldBytes;
    const declared = isChunked ? Math.min(unknown, maxBytes) : Number(headers["content-length"] ?? 0);
    if (declared < MIN_COUNTED_BYTES || declared > maxBytes) return undefined;
    const bytes = Math.min(declared, heldBytes);
    const owner = ownerOfRequest(request);
    const count = this.shares.open(owner);
    const exceeded = count.resize(bytes);
    // Strangers do not wait.
    if (exceeded !== null && request.actor === undefined) throw this.#refuse(owner, bytes, exceeded);
    const body: HeldBody = { owner, count, disconnected: createDisconnectSignal(reply), isClosed: false, uses: 0 };
    this.#bodies.set(request, body);
    reply.raw.once("close", () => {
      body.isClosed = true;
      if (body.uses === 0) this.#release(body);
    });
    if (exceeded !== null) return this.#waitForRoom(request, body, bytes, exceeded);
    this.#received.set(body, beginBody(raw));
    return undefined;
  }

  resize(request: FastifyRequest, bytes: number): void {
    const body = this.#bodies.get(request);
    const exceeded = body?.count.resize(bytes) ?? null;
    if (body !== undefined && exceeded !== null) throw this.#refuse(body.owner, bytes, exceeded);
  }

  use<T>(request: FastifyRequest, work: (disconnected?: AbortSignal) => Promise<T>): Promise<T> {
    const body = this.#bodies.get(request);
    return body === undefined ? work() : this.#useCounted(body, work);
  }

  async #useCounted<T>(body: HeldBody, work: (disconnected: AbortSignal) => Promise<T>): Promise<T> {
    body.uses++;
    try {
      return await work(body.disconnected);
    } finally {
      if (--body.uses === 0 && body.isClosed) this.#release(body);
    }
  }

  async #waitForRoom({ raw }: FastifyRequest, body: HeldBody, bytes: number, exceeded: ExceededLimit): Promise<void> {
    const { owner, count, disconnected } = body;
    const place = this.#waiting.open(owner);
    if (place.resize(FIRST_BYTES) !== null) throw this.#refuse(owner, bytes, exceeded);
    const { maxWaitMs, checkMs } = this.#waitTimes;
    const endsAt = performance.now() + maxWaitMs;
    const findExceeded = (): ExceededLimit => this.shares.findExceeded(owner, bytes) ?? exceeded;
    const getsOn = watchProgress(() => this.#listSharing(owner, findExceeded()));
    const check = (): void => {
      if (!getsOn() || performance.now() > endsAt) throw this.#refuse(owner, bytes, findExceeded());
    };
    try {
      if (!(await count.waitFor(bytes, { check, checkMs })) || body.isClosed) throw disconnected.reason;
    } finally {
      place.close();
    }
    this.#received.set(body, beginBody(raw));
  }

  #release(body: HeldBody): void {
    this.#received.delete(body);
    body.count.close();
  }

  /** Returns the bodies that use the share whose limit is reached. */
  #listSharing(owner: Owner, exceeded: ExceededLimit): ReceivedBody[] {
    const [business, caller] = listOwnerNames(owner);
    const name = exceeded === "caller" ? caller : business;
    const isSharing = (other: Owner): boolean => exceeded === "total" || listOwnerNames(other).includes(name ?? "");
    return [...this.#received].flatMap(([body, received]) => (isSharing(body.owner) ? [received] : []));
  }

  #refuse(owner: Owner, bytes: number, exceeded: ExceededLimit): AppError {
    const seconds = estimateSecondsUntilDone(this.#listSharing(owner, exceeded));
    if (exceeded === "total")
      return new AppError("unavailable", `Too many large requests are being received. Try again in ${seconds} s.`, seconds);
    const who = exceeded === "caller" ? "You are" : "Your business is";
    const most = formatBytes(this.shares.findMaxBytes(owner, bytes, exceeded));
    const message = `${who} sending too many large requests at once. The maximum is ${most} in memory. Send fewer at a time, and try again in ${seconds} s.`;
    return new AppError("rate_limited", message, seconds);
  }
}
