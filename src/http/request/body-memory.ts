import type { FastifyReply, FastifyRequest } from "fastify";
import { type Actor, actorId } from "#domain/core/access.ts";
import { AppError } from "#domain/core/error.ts";

/** The memory for all bodies that are being received, in bytes. */
const MAX_TOTAL_BYTES = 256 * 1_048_576;
/** The share of one API key or member, so that no caller can block all others. */
const MAX_CALLER_SHARE = 1 / 4;
/** Smaller bodies are not counted: the number of connections limits them. */
const MIN_COUNTED_BYTES = 64 * 1_024;

export type BodyMemory = {
  /** Counts the body of a request until the response is sent. Throws `unavailable` if the total is reached, `rate_limited` if the share of the caller is. */
  reserve(request: FastifyRequest, reply: FastifyReply): void;
  /** Stops counting a body that is no longer being received. */
  release(request: FastifyRequest): void;
};

/** Limits the memory of bodies, since each is held completely until it is parsed. A body of unknown length counts as the maximum. */
export function createBodyMemory(maxBodyBytes: number, maxTotalBytes = MAX_TOTAL_BYTES): BodyMemory {
  let reserved = 0;
  const callers = new Map<string, number>();
  const releases = new WeakMap<FastifyRequest, () => void>();
  return {
    release: (request) => releases.get(request)?.(),
    reserve(request, reply) {
      const { headers } = request;
      // The client disconnected during authorization: "close" has already been emitted and would never release the memory.
      if (request.raw.destroyed || reply.raw.destroyed) return;
      const declared = headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : maxBodyBytes;
      // Longer bodies are rejected before they are read.
      if (declared < MIN_COUNTED_BYTES || declared > maxBodyBytes) return;
      // The only body in memory is always accepted, even if it exceeds the limits.
      if (reserved > 0 && reserved + declared > maxTotalBytes)
        throw new AppError("unavailable", "Too many large requests are being received. Try again in 2 s.", 2);
      const caller = getCallerKey(request.actor);
      const held = callers.get(caller) ?? 0;
      if (request.actor !== undefined && held > 0 && held + declared > maxTotalBytes * MAX_CALLER_SHARE)
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

/** Returns the caller whose bodies are counted together. Public routes accept only small bodies, which are not counted. */
const getCallerKey = (actor: Actor | undefined): string => (actor === undefined ? "" : `${actor.kind} ${actorId(actor)}`);
