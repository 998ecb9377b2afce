import type { Socket } from "node:net";

/** How long a client may read nothing of a response before its connection is closed. */
const WRITE_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 5_000;

export type WriteDeadline = {
  /** Watches a connection until it is closed. */
  watch(socket: Socket): void;
  stop(): void;
};

/** What Node knows of the bytes that it has passed on, and does not document. `socket.setTimeout` uses the same figures. */
type SocketInternals = { readonly _bytesDispatched?: number; readonly _handle?: { readonly writeQueueSize?: number } | null };

/** Returns how many bytes the operating system has taken. */
function countTaken(socket: Socket): number {
  const { _bytesDispatched: dispatched, _handle: handle } = socket as unknown as SocketInternals;
  return (dispatched ?? socket.bytesWritten) - (handle?.writeQueueSize ?? socket.writableLength);
}

/**
 * Closes connections with unsent bytes of which the client has read nothing for `writeMs`. A client that reads slowly is not affected. One
 * interval for all of them costs less than a timer for each. Times are in milliseconds.
 */
export function createWriteDeadline({ writeMs = WRITE_TIMEOUT_MS, pollMs = POLL_INTERVAL_MS } = {}): WriteDeadline {
  const sockets = new Set<Socket>();
  const blocked = new Map<Socket, { readonly taken: number; readonly since: number }>();
  const check = (socket: Socket, now: number): void => {
    if (socket.writableLength === 0) return void blocked.delete(socket);
    const taken = countTaken(socket);
    const last = blocked.get(socket);
    if (last === undefined || last.taken !== taken) blocked.set(socket, { taken, since: now });
    else if (now - last.since >= writeMs) socket.destroy();
  };
  const timer = setInterval(() => {
    const now = performance.now();
    for (const socket of sockets) check(socket, now);
  }, pollMs).unref();
  return {
    watch(socket) {
      sockets.add(socket);
      socket.once("close", () => {
        sockets.delete(socket);
        blocked.delete(socket);
      });
    },
    stop: () => clearInterval(timer),
  };
}
