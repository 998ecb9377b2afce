import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { Socket } from "node:net";
import { JSON_TYPE } from "../response/headers.ts";
import type { CachedFastPath } from "../fast-path/cached-fast-path.ts";

/** The longest head of a request, in bytes. */
export const MAX_HEADER_BYTES = 16_384;
/** The longest that a request may take to arrive: 50 MiB at 0.7 Mbit/s. Other bodies than uploads have a deadline of their own. */
const UPLOAD_MS = 600_000;
const HEAD_MS = 15_000;
const IDLE_MS = 72_000;
const CHECK_MS = 5_000;
/** Connections at once, some 12 KB each; more are dropped when they come. */
const MAX_CONNECTIONS = 20_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The HTTP server: what `early` does not answer goes to `handler`. While it closes, everything does. */
export function createListener(handler: Handler, fastPath: CachedFastPath | null): Server {
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEAD_MS,
    requestTimeout: UPLOAD_MS,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: CHECK_MS,
  };
  const server = createServer(limits, (request, response) => {
    // Writing to a response whose caller has gone is an error event, which would end the process if nobody listened.
    response.on("error", ignore);
    const answering = fastPath !== null && server.listening ? fastPath(request, response) : null;
    if (answering === null) return handler(request, response);
    answering.then((isAnswered) => isAnswered || handler(request, response)).catch(() => response.destroy());
  });
  // Such as a connection that can't be accepted while file handles are short. A port that is taken is reported by `listen`.
  server.on("error", ignore);
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

const ignore = (): void => {};

/** Answers what could not be read as HTTP, and ends the connection. */
export function rejectUnreadable(error: Error, socket: Socket): void {
  const isTooLong = "code" in error && error.code === "HPE_HEADER_OVERFLOW";
  const status = isTooLong ? "431 Request Header Fields Too Large" : "400 Bad Request";
  const body = JSON.stringify({ error: isTooLong ? "The request headers are too large." : "The request could not be read." });
  if (!socket.writable) return void socket.destroy();
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
