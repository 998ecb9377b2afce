import type { FastifyReply } from "fastify";
import { AppError } from "#domain/core/error.ts";

/** Aborts when the client disconnects before the response is complete. */
export function createDisconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) disconnected.abort(new AppError("unavailable", "The client disconnected."));
  });
  return disconnected.signal;
}
