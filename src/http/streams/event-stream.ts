import { once } from "node:events";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Whether a caller wants server-sent events. */
export const acceptsEventStream = (request: FastifyRequest): boolean => /\btext\/event-stream\b/i.test(request.headers.accept ?? "");

export type EventStream = {
  /** Sends one event, when there is room for it; nothing where the caller has gone. */
  send(event: string, data: unknown): Promise<void>;
  end(): void;
};

/** Characters of a text in one event. */
const PIECE = 40;
/** How often a line that says nothing is sent, so that no proxy takes a silent stream for a dead one, in milliseconds. */
const ALIVE_MS = 10_000;
/** How long a caller that reads nothing is waited for, in milliseconds. */
const STUCK_MS = 30_000;

/**
 * Answers with a stream of server-sent events (WHATWG HTML, 9.2) in place of a body. A caller that takes nothing for `stuckMs` is cut
 * off, so that what works for it ends.
 */
export function openEventStream(reply: FastifyReply, stuckMs = STUCK_MS): EventStream {
  reply.hijack();
  const { raw } = reply;
  const gone = new AbortController();
  raw.once("close", () => gone.abort());
  raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])),
    "Content-Type": "text/event-stream; charset=utf-8",
  });
  raw.flushHeaders();
  const alive = setInterval(() => {
    if (!raw.destroyed) raw.write(": still at it\n\n");
  }, ALIVE_MS);
  gone.signal.addEventListener("abort", () => clearInterval(alive));
  return {
    async send(event, data) {
      if (raw.destroyed || raw.writableEnded || raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) return;
      const stuck = setTimeout(() => raw.destroy(), stuckMs);
      // A caller that goes away while there is no room ends the wait.
      await once(raw, "drain", { signal: gone.signal }).catch(() => undefined);
      clearTimeout(stuck);
    },
    end() {
      clearInterval(alive);
      raw.end();
    },
  };
}

/** Cuts at blanks, so that the pieces joined are the text again. */
export const chunkText = (text: string): string[] =>
  text.match(new RegExp(`[\\s\\S]{1,${PIECE}}(?:\\s+|$)|[\\s\\S]{1,${PIECE}}`, "gu")) ?? [];
