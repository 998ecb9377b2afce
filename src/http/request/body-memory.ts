import type { FastifyReply, FastifyRequest } from "fastify";
import { type Actor, actorId } from "#domain/core/access.ts";
import { AppError } from "#domain/core/error.ts";

/** Bodies that are read into memory together, in bytes. */
const MAX_TOTAL_BYTES = 256 * 1_048_576;
/** The part of them that one key or member may hold, so that nobody keeps all the others out. */
const CALLER_PART = 1 / 4;
/** Smaller ones are not counted: their sum is bounded by the connections. */
const MIN_COUNTED_BYTES = 64 * 1_024;

export type BodyMemory = {
  /** Counts the request's body until it is answered; throws `unavailable` where too much is being received already, `rate_limited` where the caller alone sends too much. */
  reserve(request: FastifyRequest, reply: FastifyReply): void;
  /** Ends the count before that, for a body that is no longer awaited. */
  release(request: FastifyRequest): void;
};

/** Bounds what bodies that arrive at once may take, since each is held whole until it is parsed. A body of unknown length counts as the longest. */
export function createBodyMemory(maxBodyBytes: number, maxTotalBytes = MAX_TOTAL_BYTES): BodyMemory {
  let reserved = 0;
  const callers = new Map<string, number>();
  const releases = new WeakMap<FastifyRequest, () => void>();
  return {
    release: (request) => releases.get(request)?.(),
    reserve(request, reply) {
      const { headers } = request;
      // Whoever hung up while the call was let in: "close" has fired already and would never give back what is reserved now.
      if (request.raw.destroyed || reply.raw.destroyed) return;
      const declared = headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : maxBodyBytes;
      // What is longer than allowed is refused before it is read.
      if (declared < MIN_COUNTED_BYTES || declared > maxBodyBytes) return;
      // One alone is always let in, whatever the limits are set to.
      if (reserved > 0 && reserved + declared > maxTotalBytes)
        throw new AppError("unavailable", "Too many large requests are being received. Try again in 2 s.", 2);
      const caller = callerOf(request.actor);
      const held = callers.get(caller) ?? 0;
      if (request.actor !== undefined && held > 0 && held + declared > maxTotalBytes * CALLER_PART)
        throw new AppError("rate_limited", "You are sending too many large requests at once. Try again in 2 s.", 2);
      reserved += declared;
      callers.set(caller, held + declared);
      let isHeld = true;
      const release = (): void => {
        if (!isHeld) return;
        isHeld = false;
        reserved -= declared;
        const left = (callers.get(caller) ?? 0) - declared;
        if (left > 0) callers.set(caller, left);
        else callers.delete(caller);
      };
      releases.set(request, release);
      reply.raw.once("close", release);
    },
  };
}

/** Whose bodies are counted together. Routes that anyone may call take small bodies alone, which are not counted. */
const callerOf = (actor: Actor | undefined): string => (actor === undefined ? "" : `${actor.kind} ${actorId(actor)}`);
