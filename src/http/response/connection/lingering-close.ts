import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** How long, and how many bytes of, a refused body are received and dropped. */
const LINGER_MS = 5_000;
const MAX_DROPPED_BYTES = 128 * 1_048_576;

/**
 * Lets a client that is still sending its body read the response before the connection ends. Closing a connection that holds unread bytes
 * resets it, and a reset discards what the client has not read yet (RFC 9112, section 9.6). The rest of the body is received and dropped.
 */
export function lingerOnClose(request: IncomingMessage): void {
  // Null if the request was destroyed.
  const socket = request.socket as Socket | null;
  if (socket === null) return;
  // Node calls this when the last response of a connection is written.
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once("close", () => clearTimeout(timer)).end();
    let left = MAX_DROPPED_BYTES;
    request.unpipe();
    request
      .removeAllListeners("data")
      .on("data", ({ length }: Buffer) => {
        left -= length;
        if (left < 0) socket.destroy();
      })
      .resume();
  };
}
