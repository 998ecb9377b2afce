import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Bounds the open connections of a server, so that idle ones can't take the file handles that links, threads and the database need. A new
 * connection beyond `maxConnections` ends the one that has been idle for longest; if none is idle, the new one is closed.
 */
export function boundConnections(server: Server, maxConnections: number): void {
  const open = new Set<Socket>();
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  /** Responses that are not complete, by connection. Clients may send several requests without waiting. */
  const pending = new WeakMap<Socket, number>();
  server.on("connection", (socket) => {
    open.add(socket);
    idle.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      idle.delete(socket);
    });
    if (open.size <= maxConnections) return;
    const [longest = socket] = idle;
    // The event "close" follows later, and more connections may be accepted before it.
    open.delete(longest);
    idle.delete(longest);
    longest.destroy();
  });
  server.on("request", ({ socket }, response) => {
    pending.set(socket, (pending.get(socket) ?? 0) + 1);
    idle.delete(socket);
    response.once("close", () => {
      const left = (pending.get(socket) ?? 1) - 1;
      pending.set(socket, left);
      if (left === 0 && open.has(socket)) idle.add(socket);
    });
  });
}
