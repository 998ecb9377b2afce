import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#domain/core/error.ts";

/** Bodies that are read into memory together, in bytes. */
const MAX_TOTAL_BYTES = 256 * 1_048_576;
/** Smaller ones are not counted: their sum is bounded by the connections. */
const MIN_COUNTED_BYTES = 64 * 1_024;

export type BodyMemory = {
  /** Counts the request's body until it is answered; throws `unavailable` where too much is being received already. */
  reserve(request: FastifyRequest, reply: FastifyReply): void;
};

/** Bounds what bodies that arrive at once may take, since each is held whole until it is parsed. A body of unknown length counts as the longest. */
export function createBodyMemory(maxBodyBytes: number, maxTotalBytes = MAX_TOTAL_BYTES): BodyMemory {
  let reserved = 0;
  return {
    reserve({ headers, raw }, reply) {
      // Whoever hung up while the call was let in: "close" has fired already and would never give back what is reserved now.
      if (raw.destroyed || reply.raw.destroyed) return;
      const declared = headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : maxBodyBytes;
      // What is longer than allowed is refused before it is read.
      if (declared < MIN_COUNTED_BYTES || declared > maxBodyBytes) return;
      // One alone is always let in, whatever the limits are set to.
      if (reserved > 0 && reserved + declared > maxTotalBytes)
        throw new AppError("unavailable", "Too many large requests are being received. Try again in 2 s.", 2);
      reserved += declared;
      reply.raw.once("close", () => (reserved -= declared));
    },
  };
}
