import { once } from "node:events";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Whether the client accepts server-sent events. */
export const acceptsEventStream = (request: FastifyRequest): boolean => /\btext\/event-stream\b/i.test(request.headers.accept ?? "");

export type EventStream = {
  /** Sends one event once the client reads; does nothing if it has disconnected. */
  send(event: string, data: unknown): Promise<void>;
  end(): void;
};

/** The maximum length of a chunk of text in one event. */
const CHUNK_LENGTH = 40;
/** How often a comment is sent, so that proxies do not close an idle stream. */
const HEARTBEAT_INTERVAL_MS = 10_000;

const EVENT_STREAM_TYPE = "text/event-stream; charset=utf-8";

/** Responds to `HEAD` with the headers of a stream, without the work of one. */
export const sendEventStreamHead = (reply: FastifyReply): FastifyReply =>
  reply.header("Content-Type", EVENT_STREAM_TYPE).send(Readable.from([]));

/** What a stream holds at most: an event, and what waits in the response. */
export const EVENT_STREAM_BYTES = 131_072;

/**
 * Responds with a stream of server-sent events (WHATWG HTML, 9.2). The write deadline of the server disconnects a client that does not
 * read, so that the work for it ends.
 */
export function openEventStream(reply: FastifyReply): EventStream {
  reply.hijack();
  const { raw } = reply;
  const disconnected = new AbortController();
  raw.once("close", () => disconnected.abort());
  raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])),
    "Content-Type": EVENT_STREAM_TYPE,
  });
  raw.flushHeaders();
  const heartbeat = setInterval(() => {
    if (!raw.destroyed && !raw.writableNeedDrain) raw.write(": heartbeat\n\n");
  }, HEARTBEAT_INTERVAL_MS);
  disconnected.signal.addEventListener("abort", () => clearInterval(heartbeat));
  return {
    async send(event, data) {
      if (raw.destroyed || raw.writableEnded || raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) return;
      // Disconnecting ends the wait.
      await once(raw, "drain", { signal: disconnected.signal }).catch(() => undefined);
    },
    end() {
      clearInterval(heartbeat);
      raw.end();
    },
  };
}

/** Splits a text at whitespace. The chunks joined are the text again. */
export const splitForEvents = (text: string): string[] =>
  text.match(new RegExp(`[\\s\\S]{1,${CHUNK_LENGTH}}(?:\\s+|$)|[\\s\\S]{1,${CHUNK_LENGTH}}`, "gu")) ?? [];
