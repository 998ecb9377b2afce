import type { Socket } from "node:net";

/** How long after the response the connection is destroyed: enough time for the response to arrive. */
export const LINGER_MS = 1_000;

/** Sends a raw response and closes the connection, even if the client never reads or closes. */
export function endConnection(socket: Socket, response: string, lingerMs = LINGER_MS): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(response);
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once("close", () => clearTimeout(timer));
}
