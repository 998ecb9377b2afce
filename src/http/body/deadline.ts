import type { FastifyRequest } from "fastify";

/** How long a body may take to arrive; uploads have the whole time of a request. */
const BODY_MS = 60_000;
const LOOK_MS = 5_000;
const BODY = JSON.stringify({ error: "The request body took too long to arrive." });
const ANSWER = `HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

export type BodyDeadline = {
  /** A body is awaited from now on. */
  begin(request: FastifyRequest): void;
  /** It is there. */
  end(request: FastifyRequest): void;
  stop(): void;
};

/** Ends connections whose body does not arrive in time; one look at all of them costs less than a timer for each. */
export function createBodyDeadline(bodyMs = BODY_MS, lookMs = LOOK_MS): BodyDeadline {
  const awaited = new Map<FastifyRequest, number>();
  const look = (): void => {
    const late = performance.now() - bodyMs;
    for (const [request, since] of awaited) {
      const { raw } = request;
      if (raw.complete || raw.destroyed) awaited.delete(request);
      else if (since < late) {
        awaited.delete(request);
        if (raw.socket.writable) raw.socket.end(ANSWER);
        else raw.socket.destroy();
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
