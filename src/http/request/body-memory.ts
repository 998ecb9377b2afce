import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#domain/core/error.ts";
import { createDisconnectSignal } from "../response/disconnect.ts";
import { type ByteCount, ByteShares, type ExceededLimit, ownerOfRequest } from "./byte-shares.ts";

/** The memory for all bodies that are being received, in bytes. */
const MAX_TOTAL_BYTES = 128 * 1_048_576;
/** What counts of a body of unknown length until more of it has arrived. */
export const FIRST_BYTES = 65_536;
/** Smaller bodies are not counted: the number of connections limits them. */
const MIN_COUNTED_BYTES = 4_096;
const RETRY_SECONDS = 2;

export type BodyMemory = {
  /** What is counted of all bodies now, and its limit. */
  readonly shares: Pick<ByteShares, "total" | "maxBytes">;
  /**
   * Counts the body of a request until its response is sent or its connection is closed. Of a body of unknown length, `FIRST_BYTES` count
   * until whoever receives it resizes that. One longer than `maxBytes` is not counted, since it is rejected before it is read. At most
   * `heldBytes` are counted of a body that the handler reads as it arrives. Throws `unavailable` if the total is reached, `rate_limited` if the share of the caller or of its business is.
   */
  reserve(request: FastifyRequest, reply: FastifyReply, maxBytes?: number, heldBytes?: number): void;
  /** Changes what is counted of a body while it arrives. Throws like `reserve`; then nothing changes. */
  resize(request: FastifyRequest, bytes: number): void;
  /**
   * Runs work that needs the body of a request, such as its parser or its handler. The body stays counted until that ends, even if the
   * client has disconnected; the signal tells that. There is no signal for bodies that are not counted.
   */
  use<T>(request: FastifyRequest, work: (disconnected?: AbortSignal) => Promise<T>): Promise<T>;
};

type HeldBody = { readonly count: ByteCount; readonly disconnected: AbortSignal; isClosed: boolean; uses: number };

/** Limits the memory of bodies, since each is held completely until it is parsed. */
export function createBodyMemory(maxBodyBytes: number, maxTotalBytes = MAX_TOTAL_BYTES): BodyMemory {
  const shares = new ByteShares(maxTotalBytes);
  const bodies = new WeakMap<FastifyRequest, HeldBody>();
  return {
    shares,
    reserve(request, reply, maxBytes = maxBodyBytes, heldBytes = Infinity) {
      const { headers } = request;
      // The client disconnected during authorization: "close" has already been emitted and would never release the memory.
      if (request.raw.destroyed || reply.raw.destroyed) return;
      const isChunked = headers["transfer-encoding"] !== undefined;
      const unknown = heldBytes === Infinity ? FIRST_BYTES : heldBytes;
      const declared = isChunked ? Math.min(unknown, maxBytes) : Number(headers["content-length"] ?? 0);
      if (declared < MIN_COUNTED_BYTES || declared > maxBytes) return;
      const count = shares.open(ownerOfRequest(request));
      resize(count, Math.min(declared, heldBytes));
      const body: HeldBody = { count, disconnected: createDisconnectSignal(reply), isClosed: false, uses: 0 };
      bodies.set(request, body);
      reply.raw.once("close", () => {
        body.isClosed = true;
        if (body.uses === 0) body.count.close();
      });
    },
    resize(request, bytes) {
      const body = bodies.get(request);
      if (body !== undefined) resize(body.count, bytes);
    },
    async use(request, work) {
      const body = bodies.get(request);
      if (body === undefined) return work();
      body.uses++;
      try {
        return await work(body.disconnected);
      } finally {
        if (--body.uses === 0 && body.isClosed) body.count.close();
      }
    },
  };
}

function resize(count: ByteCount, bytes: number): void {
  const exceeded = count.resize(bytes);
  if (exceeded !== null) throw tooManyBodies(exceeded);
}

function tooManyBodies(exceeded: ExceededLimit): AppError {
  const retry = `Try again in ${RETRY_SECONDS} s.`;
  if (exceeded === "total") return new AppError("unavailable", `Too many large requests are being received. ${retry}`, RETRY_SECONDS);
  const who = exceeded === "caller" ? "You are" : "Your business is";
  return new AppError("rate_limited", `${who} sending too many large requests at once. ${retry}`, RETRY_SECONDS);
}
