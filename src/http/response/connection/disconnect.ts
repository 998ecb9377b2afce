import type { FastifyReply } from "fastify";
import { AppError } from "#domain/core/errors/error.ts";

/** Aborts when the client disconnects before the response is complete, or has disconnected already. */
export function createDisconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  const abort = (): void => {
    if (!raw.writableFinished) disconnected.abort(new AppError("unavailable", "The client disconnected."));
  };
  // A connection that closed during an earlier wait, such as authorization, emits no further event.
  if (raw.destroyed) abort();
  else raw.once("close", abort);
  return disconnected.signal;
}
