import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { messageOf } from "#domain/core/error.ts";

/** A client at the other end of two streams; nothing but the protocol is written to `output`. */
export type Streams = {
  readonly input: Readable;
  readonly output: Writable;
  /** Told of what was no message, in words for a person. */
  readonly onTrouble: (trouble: string) => void;
};

/** A message as the server takes it, or the answer to one that it does not. */
export type Prepared = { readonly message: JSONRPCMessage } | { readonly fault: JSONRPCMessage };

/** How long calls that are under way when the input ends may take, in milliseconds. */
const LAST_CALLS_MS = 60_000;

const NO_MESSAGE = "Ignored an invalid JSON-RPC message.";
/** A line that is no JSON, or JSON of another shape; anything else is a trouble of the stream. */
const isNoMessage = ({ name }: Error): boolean => name === "SyntaxError" || name === "ZodError";

/** Serves until the input has ended and what was asked is answered, until a stream fails, or until `signal`. */
export async function serveStreams(
  server: Server,
  { input, output, onTrouble }: Streams,
  prepare: (message: JSONRPCMessage) => Prepared,
  signal: AbortSignal,
): Promise<void> {
  const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
  const stdio = new StdioServerTransport(input, output);
  const asked = new Set<RequestId>();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  let isInputOver = false;
  const endIfAnswered = (): void => {
    if (isInputOver && asked.size === 0) end();
  };
  const transport: Transport = {
    async start() {
      const onerror = (error: Error): void => onTrouble(isNoMessage(error) ? NO_MESSAGE : messageOf(error));
      Object.assign(stdio, { onmessage: receive, onerror, onclose: end });
      await stdio.start();
    },
    async send(message) {
      await stdio.send(message);
      if (!("method" in message) && message.id !== undefined) asked.delete(message.id);
      endIfAnswered();
    },
    close: () => stdio.close(),
  };
  function receive(message: JSONRPCMessage): void {
    const cancelled = cancelledBy(message);
    // A cancelled request is never answered.
    if (cancelled !== undefined) asked.delete(cancelled);
    if ("method" in message && "id" in message) asked.add(message.id);
    const prepared = prepare(message);
    if ("fault" in prepared) transport.send(prepared.fault).catch((error: unknown) => onTrouble(messageOf(error)));
    else transport.onmessage?.(prepared.message);
    endIfAnswered();
  }

  for (const event of ["end", "close"])
    input.once(event, () => {
      isInputOver = true;
      setTimeout(end, LAST_CALLS_MS).unref();
      endIfAnswered();
    });
  output.once("error", () => end());
  signal.addEventListener("abort", () => end(), { once: true });
  if (signal.aborted) end();
  await server.connect(transport);
  await over;
  await server.close();
}

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
