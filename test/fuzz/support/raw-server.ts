import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Random } from "./random.ts";

/** How a server handles a connection once a request starts to arrive. */
export type Behaviour = {
  /** The chunks that it sends. */
  readonly pieces: readonly Uint8Array[];
  /** How it ends: normally, by a reset, or not until the client closes. */
  readonly end: "close" | "reset" | "hang";
};

export type RawServer = {
  readonly port: number;
  /** How the next connections are handled. */
  behave(next: () => Behaviour): void;
  close(): Promise<void>;
};

/** A TCP server on loopback that responds with raw bytes instead of HTTP. */
export async function startRawServer(): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let next = (): Behaviour => ({ pieces: [], end: "close" });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", () => void play(socket, next()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    behave(behaviour) {
      next = behaviour;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function play(socket: Socket, { pieces, end }: Behaviour): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (end === "reset") socket.resetAndDestroy();
  else if (end === "close") socket.end();
}

/** The bytes in a few chunks, and an end. Hanging is rare, because it takes the whole time limit of the client. */
export function chooseBehaviour(bytes: Uint8Array, random: Random): Behaviour {
  const cuts = Array.from({ length: random.int(4) }, () => random.int(bytes.length + 1)).sort((a, b) => a - b);
  const pieces = [0, ...cuts].map((from, i) => bytes.subarray(from, cuts[i] ?? bytes.length));
  const end = random.chance(0.02) ? "hang" : random.chance(0.4) ? "reset" : "close";
  return { pieces: pieces.filter(({ length }) => length > 0), end };
}
