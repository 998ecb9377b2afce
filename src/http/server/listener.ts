import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { Socket } from "node:net";
import { JSON_TYPE } from "../response/headers.ts";
import type { CachedFastPath } from "../fast-path/cached-fast-path.ts";
import { findHeadProblem, useOriginForm } from "./request-head.ts";

/** The maximum size of the request line and headers. */
export const MAX_HEADER_BYTES = 16_384;
/** The maximum time to receive a request: 50 MiB at 0.7 Mbit/s. Bodies other than uploads have a shorter deadline. */
const REQUEST_TIMEOUT_MS = 600_000;
const HEADERS_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const CHECK_INTERVAL_MS = 5_000;
/** Each connection takes about 12 KB. More are closed when they are accepted. */
const MAX_CONNECTIONS = 20_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Creates the HTTP server. Requests that the fast path does not handle go to `handler`; while closing, all requests do. */
export function createListener(handler: Handler, fastPath: CachedFastPath | null): Server {
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  };
  const server = createServer(limits, (request, response) => {
    // Writing to a response of a disconnected client emits an error event, which would end the process without a listener.
    response.on("error", ignore);
    useOriginForm(request);
    const handled = fastPath !== null && server.listening && findHeadProblem(request) === null ? fastPath(request, response) : null;
    if (handled === null) return handler(request, response);
    handled.then((isHandled) => isHandled || handler(request, response)).catch(() => response.destroy());
  });
  // Errors such as a lack of file handles for a new connection are temporary. `listen` itself reports a port that is in use.
  server.on("error", ignore);
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

const ignore = (): void => {};

/** Responds to a request that is not valid HTTP, and closes the connection. */
export function rejectUnreadable(error: Error, socket: Socket): void {
  const isTooLong = "code" in error && error.code === "HPE_HEADER_OVERFLOW";
  const status = isTooLong ? "431 Request Header Fields Too Large" : "400 Bad Request";
  const body = JSON.stringify({ error: isTooLong ? "The request headers are too large." : "The request could not be read." });
  if (!socket.writable) return void socket.destroy();
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
