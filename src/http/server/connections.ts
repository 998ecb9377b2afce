import type { Server } from "node:http";
import type { Socket } from "node:net";
import { getNetwork } from "../auth/network.ts";

/** The connections of one network. */
type Connections = {
  readonly open: Set<Socket>;
  /** Those without a request, in the order in which they became idle. */
  readonly idle: Set<Socket>;
};

/**
 * Bounds the open connections of a server, so that callers can't take the file handles that links, threads and the database need. A new
 * connection beyond `maxConnections` ends one of the network with most connections: the one that has been idle for longest, or the oldest
 * if none is idle. So a network with few connections can always connect. If the new one is of that network and none is idle, it is closed.
 */
export function boundConnections(server: Server, maxConnections: number): void {
  const networks = new Map<string, Connections>();
  let openCount = 0;
  /** Responses that are not complete, by connection. Clients may send several requests without waiting. */
  const pending = new WeakMap<Socket, number>();
  const remove = (name: string, socket: Socket): void => {
    const network = networks.get(name);
    if (network?.open.delete(socket) !== true) return;
    openCount--;
    network.idle.delete(socket);
    if (network.open.size === 0) networks.delete(name);
  };
  const close = (name: string, socket: Socket): void => {
    // The event "close" follows later, and more connections may be accepted before it.
    remove(name, socket);
    socket.destroy();
  };
  server.on("connection", (socket) => {
    const name = nameNetwork(socket);
    const network = networks.get(name) ?? { open: new Set(), idle: new Set() };
    networks.set(name, network);
    network.open.add(socket);
    network.idle.add(socket);
    openCount++;
    socket.once("close", () => remove(name, socket));
    if (openCount <= maxConnections) return;
    const [largestName, largest] = findLargest(networks);
    // Of its own network, the new connection is the last one that is idle.
    const [longest] = largest.idle.size > 0 ? largest.idle : largest.open;
    close(largestName, longest ?? socket);
  });
  server.on("request", ({ socket }, response) => {
    const network = networks.get(nameNetwork(socket));
    pending.set(socket, (pending.get(socket) ?? 0) + 1);
    network?.idle.delete(socket);
    response.once("close", () => {
      const left = (pending.get(socket) ?? 1) - 1;
      pending.set(socket, left);
      if (left === 0 && network?.open.has(socket) === true) network.idle.add(socket);
    });
  });
}

const names = new WeakMap<Socket, string>();

/** Returns the network of a connection. The address of a closed connection is no longer known. */
function nameNetwork(socket: Socket): string {
  const known = names.get(socket);
  if (known !== undefined) return known;
  const name = getNetwork(socket.remoteAddress ?? "");
  names.set(socket, name);
  return name;
}

const findLargest = (networks: ReadonlyMap<string, Connections>): readonly [string, Connections] =>
  [...networks].reduce((largest, one) => (one[1].open.size > largest[1].open.size ? one : largest));
