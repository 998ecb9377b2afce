import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { boundConnections } from "#http/server/connections.ts";

const MAX_CONNECTIONS = 4;

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  isDestroyed = false;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit("close");
  }
}

function createServer() {
  const server = new EventEmitter();
  boundConnections(server as never, MAX_CONNECTIONS);
  return {
    connect(address: string): FakeSocket {
      const socket = new FakeSocket(address);
      server.emit("connection", socket);
      return socket;
    },
    /** Starts a request, and returns its response. */
    request(socket: FakeSocket): EventEmitter {
      const response = new EventEmitter();
      server.emit("request", { socket }, response);
      return response;
    },
  };
}

const areDestroyed = (sockets: readonly FakeSocket[]): boolean[] => sockets.map(({ isDestroyed }) => isDestroyed);

test("a network that fills all connections with requests keeps nobody else out", () => {
  const { connect, request } = createServer();
  const attack = Array.from({ length: MAX_CONNECTIONS }, () => connect("10.0.0.1"));
  for (const socket of attack) request(socket);
  const other = connect("10.0.0.2");
  expect(areDestroyed([...attack, other])).toEqual([true, false, false, false, false]);
  // A further one of the attack takes the place of its own.
  const more = connect("10.0.0.1");
  expect(areDestroyed([more, other])).toEqual([true, false]);
});

test("idle connections of a network with few connections outlive those of one with many", () => {
  const { connect } = createServer();
  const other = connect("2001:db8:1::1");
  const attack = Array.from({ length: MAX_CONNECTIONS }, (_, n) => connect(`2001:db8:2::${n}`));
  expect(areDestroyed([other, ...attack])).toEqual([false, true, false, false, false]);
});

test("of one network, the connection that has been idle for longest is ended", () => {
  const { connect, request } = createServer();
  const [first, second] = Array.from({ length: MAX_CONNECTIONS }, () => connect("10.0.0.1")) as [FakeSocket, FakeSocket];
  const response = request(first);
  connect("10.0.0.1");
  expect(areDestroyed([first, second])).toEqual([false, true]);
  // The first one became idle last.
  response.emit("close");
  connect("10.0.0.1");
  expect(first.isDestroyed).toBe(false);
});
