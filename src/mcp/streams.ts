import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { getErrorMessage } from "#domain/core/errors/error.ts";

/** A client connected by two streams. Only protocol messages are written to `output`. */
export type Streams = {
  readonly input: Readable;
  readonly output: Writable;
  /** A longer message ends the connection. */
  readonly maxMessageBytes: number;
  /** Called with a description of every problem, for the log. */
  readonly onProblem: (problem: string) => void;
};

/** A message for the server, or the error response to it. */
export type Prepared = { readonly message: JSONRPCMessage } | { readonly errorResponse: JSONRPCMessage };

/** How long running calls may take after the input has ended. */
const SHUTDOWN_TIMEOUT_MS = 60_000;

const INVALID_MESSAGE = "Ignored an invalid JSON-RPC message.";
/** Whether the error is an invalid line, not a failure of the stream. */
const isInvalidMessage = ({ name }: Error): boolean => name === "SyntaxError" || name === "ZodError";

/** Serves until the input has ended and all requests have responses, a stream fails, or `signal` aborts. */
export async function serveStreams(
  server: Server,
  { input, output, maxMessageBytes, onProblem }: Streams,
  prepare: (message: JSONRPCMessage) => Prepared,
  signal: AbortSignal,
): Promise<void> {
  const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
  const stdio = new StdioServerTransport(input, output, { maxBufferSize: maxMessageBytes });
  const pending = new Set<RequestId>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let hasInputEnded = false;
  const endIfComplete = (): void => {
    if (hasInputEnded && pending.size === 0) end();
  };
  const transport: Transport = {
    async start() {
      const onerror = (error: Error): void => onProblem(isInvalidMessage(error) ? INVALID_MESSAGE : getErrorMessage(error));
      Object.assign(stdio, { onmessage: receive, onerror, onclose: end });
      await stdio.start();
    },
    async send(message) {
      await stdio.send(message);
      if (!("method" in message) && message.id !== undefined) pending.delete(message.id);
      endIfComplete();
    },
    close: () => stdio.close(),
  };
  function receive(message: JSONRPCMessage): void {
    const cancelled = getCancelledId(message);
    // A cancelled request gets no response.
    if (cancelled !== undefined) pending.delete(cancelled);
    if ("method" in message && "id" in message) pending.add(message.id);
    const prepared = prepare(message);
    if ("errorResponse" in prepared) transport.send(prepared.errorResponse).catch((error: unknown) => onProblem(getErrorMessage(error)));
    else transport.onmessage?.(prepared.message);
    endIfComplete();
  }

  for (const event of ["end", "close"])
    input.once(event, () => {
      hasInputEnded = true;
      setTimeout(end, SHUTDOWN_TIMEOUT_MS).unref();
      endIfComplete();
    });
  output.once("error", () => end());
  signal.addEventListener("abort", () => end(), { once: true });
  if (signal.aborted) end();
  await server.connect(transport);
  await ended;
  await server.close();
}

function getCancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
