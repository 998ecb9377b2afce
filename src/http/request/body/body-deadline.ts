import type { FastifyRequest } from "fastify";
import { LINGER_MS, endConnection } from "../../response/connection/end-connection.ts";
import { renderRawError } from "../../response/errors.ts";

/** The maximum time to receive a body. Uploads have the timeout of the whole request. */
const BODY_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 5_000;
const RESPONSE = renderRawError("request_timeout", "The request body took too long to arrive.");

export type BodyDeadline = {
  /** Starts waiting for the body of a request. */
  begin(request: FastifyRequest): void;
  /** Stops waiting, since the body has arrived. */
  end(request: FastifyRequest): void;
  stop(): void;
};

/**
 * Closes connections whose body does not arrive in time. One interval for all of them costs less than a timer for each. What has arrived
 * stays counted until the connection is closed. Times are in milliseconds.
 */
export function createBodyDeadline({ bodyMs = BODY_TIMEOUT_MS, pollMs = POLL_INTERVAL_MS, lingerMs = LINGER_MS } = {}): BodyDeadline {
  const awaited = new Map<FastifyRequest, number>();
  const poll = (): void => {
    const late = performance.now() - bodyMs;
    for (const [request, since] of awaited) {
      const { raw } = request;
      if (raw.complete || raw.destroyed) awaited.delete(request);
      else if (since < late) {
        awaited.delete(request);
        endConnection(raw.socket, RESPONSE, lingerMs);
        // Later data is dropped.
        raw.removeAllListeners("data").resume();
      }
    }
  };
  const timer = setInterval(poll, pollMs).unref();
  return {
    begin: (request) => void awaited.set(request, performance.now()),
    end: (request) => void awaited.delete(request),
    stop: () => clearInterval(timer),
  };
}
