import type { FastifyRequest } from "fastify";

/** How long a body may take to arrive; uploads have the whole time of a request. */
const BODY_MS = 60_000;
const POLL_INTERVAL_MS = 5_000;
/** How long after the answer the connection is cut, whatever the other end does: time for the answer to get there. */
const LINGER_MS = 1_000;
const BODY = JSON.stringify({ error: "The request body took too long to arrive." });
const ANSWER = `HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

export type BodyDeadline = {
  /** A body is awaited from now on. */
  begin(request: FastifyRequest): void;
  /** It is there. */
  end(request: FastifyRequest): void;
  stop(): void;
};

/**
 * Ends connections whose body does not arrive in time, and tells `onLate` of it; one look at all of them costs less than a timer for
 * each. Times are in milliseconds.
 */
export function createBodyDeadline(
  onLate: (request: FastifyRequest) => void,
  { bodyMs = BODY_MS, lookMs = POLL_INTERVAL_MS, lingerMs = LINGER_MS } = {},
): BodyDeadline {
  const awaited = new Map<FastifyRequest, number>();
  const look = (): void => {
    const late = performance.now() - bodyMs;
    for (const [request, since] of awaited) {
      const { raw } = request;
      if (raw.complete || raw.destroyed) awaited.delete(request);
      else if (since < late) {
        awaited.delete(request);
        const { socket } = raw;
        if (socket.writable) {
          socket.end(ANSWER);
          // Whoever keeps its own side open, and never reads, would hold the connection for as long as it likes.
          setTimeout(() => socket.destroy(), lingerMs).unref();
        } else socket.destroy();
        // What still comes is dropped, so that nothing grows that is no longer counted.
        raw.removeAllListeners("data").resume();
        onLate(request);
      }
    }
  };
  const timer = setInterval(look, lookMs).unref();
  return {
    begin: (request) => void awaited.set(request, performance.now()),
    end: (request) => void awaited.delete(request),
    stop: () => clearInterval(timer),
  };
}
