import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** How many requests of one connection are handled at once. Later ones wait, and nothing more is read from the connection. */
const MAX_RUNNING = 4;
/** While more than this waits to be sent on a connection, no further request of it is handled. */
const MAX_UNSENT_BYTES = 65_536;
/**
 * How many requests may wait in the process, at about 4 KB each. One connection has at most those that it sent in one packet: up to 64
 * KiB, or 2,500 requests.
 */
const MAX_WAITING = 10_000;

type Connection = {
  readonly socket: Socket;
  readonly running: ServerResponse[];
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
};

export type Pipelines = {
  /** Registers a new connection. */
  open(socket: Socket): void;
  /** Starts a request, or lets it wait for earlier ones of its connection. */
  add: Handler;
};

/**
 * Limits how many pipelined requests of a connection run at once, since Node starts all that arrive. When a connection closes, `close` is
 * emitted for each of its responses: Node 22 does that for the first one only, and what waits for the others would never end.
 */
export function createPipelines(start: Handler, maxWaiting = MAX_WAITING): Pipelines {
  const connections = new WeakMap<Socket, Connection>();
  const blocked = new Set<Connection>();
  let waitingCount = 0;

  const run = (connection: Connection, request: IncomingMessage, response: ServerResponse): void => {
    connection.running.push(response);
    response.on("close", onClose);
    start(request, response);
  };

  /** One function for all responses, since each request adds it. */
  function onClose(this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (connection === undefined) return;
    connection.running.splice(connection.running.indexOf(this), 1);
    startWaiting(connection);
  }

  function startWaiting(connection: Connection): void {
    const { socket, waiting } = connection;
    if (waiting.length === 0) return;
    while (waiting.length > 0 && mayStart(connection)) {
      const [request, response] = waiting.shift() as (typeof waiting)[number];
      waitingCount--;
      run(connection, request, response);
    }
    if (waiting.length > 0) return;
    blocked.delete(connection);
    socket.resume();
  }

  /** Forgets what waits on a connection, and tells what runs that its client is gone. */
  function abandon(connection: Connection): void {
    waitingCount -= connection.waiting.length;
    connection.waiting.length = 0;
    blocked.delete(connection);
    process.nextTick(() => {
      for (const response of [...connection.running]) {
        response.destroy();
        response.emit("close");
      }
    });
  }

  return {
    open(socket) {
      const connection: Connection = { socket, running: [], waiting: [] };
      connections.set(socket, connection);
      socket.once("close", () => abandon(connection));
      // Node resumes a connection whenever it has sent something.
      socket.on("resume", () => {
        if (connection.waiting.length > 0) socket.pause();
      });
    },
    add(request, response) {
      const connection = connections.get(request.socket);
      if (connection === undefined || (connection.waiting.length === 0 && mayStart(connection)))
        return connection === undefined ? start(request, response) : run(connection, request, response);
      connection.waiting.push([request, response]);
      connection.socket.pause();
      blocked.add(connection);
      if (++waitingCount > maxWaiting) findLongest(blocked).socket.destroy();
    },
  };
}

function mayStart({ running }: Connection): boolean {
  if (running.length === 0) return true;
  return running.length < MAX_RUNNING && running.reduce((sum, { writableLength }) => sum + writableLength, 0) < MAX_UNSENT_BYTES;
}

const findLongest = (connections: Iterable<Connection>): Connection =>
  [...connections].reduce((longest, one) => (one.waiting.length > longest.waiting.length ? one : longest));
