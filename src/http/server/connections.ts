import type { Server } from "node:http";
import type { Socket } from "node:net";
import { getNetwork } from "../auth/network.ts";

/** The connections of one network. */
type Network = {
  readonly name: string;
  readonly open: Set<Connection>;
  /** Those without a request, in the order in which they became idle. */
  readonly idle: Set<Connection>;
};

/** `pending` is the number of responses that are not complete: clients may send several requests without waiting. */
type Connection = { readonly socket: Socket; readonly network: Network; pending: number };

/**
 * Bounds the open connections of a server, so that callers can't take the file handles that links, threads and the database need. A new
 * connection beyond `maxConnections` ends one of the network with most connections: the one that has been idle for longest, or the oldest
 * if none is idle. So a network with few connections can always connect. If the new one is of that network and none is idle, it is closed.
 */
export function boundConnections(server: Server, maxConnections: number): void {
  const networks = new Map<string, Network>();
  const connections = new WeakMap<Socket, Connection>();
  let openCount = 0;
  const remove = (connection: Connection): void => {
    const { network } = connection;
    if (!network.open.delete(connection)) return;
    openCount--;
    network.idle.delete(connection);
    if (network.open.size === 0) networks.delete(network.name);
  };
  server.on("connection", (socket) => {
    // The address of a closed connection is no longer known.
    const name = getNetwork(socket.remoteAddress ?? "");
    const network = networks.get(name) ?? { name, open: new Set(), idle: new Set() };
    networks.set(name, network);
    const connection: Connection = { socket, network, pending: 0 };
    connections.set(socket, connection);
    network.open.add(connection);
    network.idle.add(connection);
    openCount++;
    socket.once("close", () => remove(connection));
    if (openCount <= maxConnections) return;
    const largest = findLargest(networks);
    // Of its own network, the new connection is the last one that is idle.
    const [longest = connection] = largest.idle.size > 0 ? largest.idle : largest.open;
    // The event "close" follows later, and more connections may be accepted before it.
    remove(longest);
    longest.socket.destroy();
  });
  server.on("request", ({ socket }, response) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    if (connection.pending++ === 0) connection.network.idle.delete(connection);
    response.on("close", () => {
      if (--connection.pending === 0 && connection.network.open.has(connection)) connection.network.idle.add(connection);
    });
  });
}

const findLargest = (networks: ReadonlyMap<string, Network>): Network =>
  [...networks.values()].reduce((largest, one) => (one.open.size > largest.open.size ? one : largest));
