import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#domain/core/error.ts";
import { type ByteCount, ByteShares, type ExceededLimit, ownerOfRequest } from "./byte-shares.ts";

/** The memory for all bodies that are being received, in bytes. */
const MAX_TOTAL_BYTES = 256 * 1_048_576;
/** Smaller bodies are not counted: the number of connections limits them. */
const MIN_COUNTED_BYTES = 4_096;
const RETRY_SECONDS = 2;

export type BodyMemory = {
  /**
   * Counts the body of a request until its response is sent or its connection is closed. A body of unknown length counts as `maxBytes`,
   * and a longer one is not counted, since it is rejected before it is read. Throws `unavailable` if the total is reached,
   * `rate_limited` if the share of the caller or of its business is.
   */
  reserve(request: FastifyRequest, reply: FastifyReply, maxBytes?: number): void;
  /** Runs the handler of a request. Its body stays counted until that ends, even if the client has disconnected. */
  use<T>(request: FastifyRequest, handle: () => Promise<T>): Promise<T>;
};

type HeldBody = { readonly count: ByteCount; isClosed: boolean; isUsed: boolean };

/** Limits the memory of bodies, since each is held completely until it is parsed. */
export function createBodyMemory(maxBodyBytes: number, maxTotalBytes = MAX_TOTAL_BYTES): BodyMemory {
  const shares = new ByteShares(maxTotalBytes);
  const bodies = new WeakMap<FastifyRequest, HeldBody>();
  return {
    reserve(request, reply, maxBytes = maxBodyBytes) {
      const { headers } = request;
      // The client disconnected during authorization: "close" has already been emitted and would never release the memory.
      if (request.raw.destroyed || reply.raw.destroyed) return;
      const declared = headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : maxBytes;
      if (declared < MIN_COUNTED_BYTES || declared > maxBytes) return;
      const body: HeldBody = { count: shares.open(ownerOfRequest(request)), isClosed: false, isUsed: false };
      const exceeded = body.count.resize(declared);
      if (exceeded !== null) throw tooManyBodies(exceeded);
      bodies.set(request, body);
      reply.raw.once("close", () => {
        body.isClosed = true;
        if (!body.isUsed) body.count.close();
      });
    },
    async use(request, handle) {
      const body = bodies.get(request);
      if (body === undefined) return handle();
      body.isUsed = true;
      try {
        return await handle();
      } finally {
        body.isUsed = false;
        if (body.isClosed) body.count.close();
      }
    },
  };
}

function tooManyBodies(exceeded: ExceededLimit): AppError {
  const retry = `Try again in ${RETRY_SECONDS} s.`;
  if (exceeded === "total") return new AppError("unavailable", `Too many large requests are being received. ${retry}`, RETRY_SECONDS);
  const who = exceeded === "caller" ? "You are" : "Your business is";
  return new AppError("rate_limited", `${who} sending too many large requests at once. ${retry}`, RETRY_SECONDS);
}
