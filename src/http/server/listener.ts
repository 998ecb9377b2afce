import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { Socket } from "node:net";
import { getErrorCode } from "#domain/core/errors/error.ts";
import { endConnection } from "../response/connection/end-connection.ts";
import { renderRawError } from "../response/errors.ts";
import { boundConnections } from "./connections.ts";
import { createPipelines } from "./pipelines.ts";
import { useOriginForm } from "./request-head.ts";
import { createWriteDeadline } from "./write-deadline.ts";

/** The maximum size of the request line and headers. */
export const MAX_HEADER_BYTES = 16_384;
/** The maximum time to receive a request: 50 MiB at 0.7 Mbit/s. Bodies other than uploads have a shorter deadline. */
const REQUEST_TIMEOUT_MS = 600_000;
const HEADERS_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const CHECK_INTERVAL_MS = 5_000;
/** A longer body that nobody reads ends the connection, which costs less than receiving it. */
const MAX_UNREAD_BYTES = 65_536;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Creates the HTTP server. */
export function createListener(handler: Handler, maxConnections: number): Server {
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Node would answer without a body or a code. `findHeadProblem` refuses such requests.
    requireHostHeader: false,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  };
  const pipelines = createPipelines((request, response) => {
    // Writing to a response of a disconnected client emits an error event, which would end the process without a listener.
    response.on("error", ignore);
    closeAfterUnreadBody(request, response);
    useOriginForm(request);
    handler(request, response);
  });
  const server = createServer(limits, pipelines.add);
  // Without this listener, Node answers without a body or a code. `Expect: 100-continue` is not affected.
  server.on("checkExpectation", pipelines.add);
  const writeDeadline = createWriteDeadline();
  server.on("connection", (socket) => {
    pipelines.open(socket);
    writeDeadline.watch(socket);
  });
  server.on("close", () => writeDeadline.stop());
  // Errors such as a lack of file handles for a new connection are temporary. `listen` itself reports a port that is in use.
  server.on("error", ignore);
  boundConnections(server, maxConnections);
  return server;
}

const ignore = (): void => {};

/** Bodies of GET and HEAD have no meaning and are not read. Otherwise Node would receive a long one to keep the connection. */
function closeAfterUnreadBody({ method, headers }: IncomingMessage, response: ServerResponse): void {
  if (method !== "GET" && method !== "HEAD") return;
  if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_UNREAD_BYTES)
    response.setHeader("Connection", "close");
}

/** Responds to a request that is not valid HTTP, unless a response is being sent, and closes the connection. */
export function rejectUnreadable(error: Error, socket: Socket & { readonly _httpMessage?: ServerResponse | null }): void {
  // Node itself looks there for the response in progress.
  const isSending = socket._httpMessage?.headersSent === true;
  endConnection(socket, isSending ? "" : describeUnreadable(getErrorCode(error)));
}

function describeUnreadable(code: string): string {
  if (code === "HPE_HEADER_OVERFLOW") return renderRawError("headers_too_large", "The request headers are too large.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return renderRawError("request_timeout", "The request took too long to arrive.");
  return renderRawError("request_malformed", "The request could not be read.");
}
