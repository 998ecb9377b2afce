import { once } from "node:events";
import { type Socket, connect } from "node:net";
import type { Victim } from "./victim.ts";

/** Connections that send requests and read nothing of the responses. */
export type UnreadConnections = {
  readonly sockets: readonly Socket[];
  close(): void;
};

const BATCH = 250;

/** Returns the bytes of a request. */
export const formatRequest = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

/** Opens connections that send `bytes` and read nothing. With `isHalfClosed`, they end their side then. */
export async function openUnread(
  { server }: Victim,
  count: number,
  bytes: string | ((index: number) => string),
  { isHalfClosed = false } = {},
): Promise<UnreadConnections> {
  const { hostname, port } = new URL(server.url);
  const sockets: Socket[] = [];
  const open = async (index: number): Promise<void> => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const text = typeof bytes === "string" ? bytes : bytes(index);
    socket.on("error", () => {}).pause();
    sockets.push(socket);
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
    if (isHalfClosed) socket.end(text);
    else socket.write(text);
  };
  // More at once than the queue of new connections holds would be delayed by seconds.
  for (let from = 0; from < count; from += BATCH)
    await Promise.all(Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => open(from + index)));
  return {
    sockets,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const STATUS = /HTTP\/1\.1 (\d{3}) /g;
const STATUS_CHARACTERS = "HTTP/1.1 200 ".length;

/** Reads what has arrived and what still arrives until the server has sent nothing for `quietMs`, and returns the status lines in it. */
export async function readStatuses({ sockets }: UnreadConnections, quietMs = 500): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  let last = performance.now();
  for (const socket of sockets) {
    // A status line may arrive in two parts.
    let rest = "";
    socket.setEncoding("latin1").on("data", (part: string) => {
      last = performance.now();
      const text = rest + part;
      for (const [, status = ""] of text.matchAll(STATUS)) statuses[status] = (statuses[status] ?? 0) + 1;
      rest = text.slice(-(STATUS_CHARACTERS - 1));
    });
    socket.resume();
  }
  while (performance.now() - last < quietMs) await new Promise((resolve) => setTimeout(resolve, 50));
  return statuses;
}
