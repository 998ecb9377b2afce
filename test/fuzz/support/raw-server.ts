import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Random } from "./random.ts";

/** What a server does with a connection once the request has begun to come. */
export type Behaviour = {
  /** What it sends, in pieces. */
  readonly pieces: readonly Uint8Array[];
  /** How it ends: in order, by a reset, or not at all until the caller goes. */
  readonly end: "close" | "reset" | "hang";
};

export type RawServer = {
  readonly port: number;
  /** How the next connections are treated. */
  behave(next: () => Behaviour): void;
  close(): Promise<void>;
};

/** A TCP server on loopback that answers with bytes, not with HTTP. */
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

/** The bytes in a few pieces, and an end. A hanging connection is rare, since it takes the caller's whole time. */
export function behaviourOf(bytes: Uint8Array, random: Random): Behaviour {
  const cuts = Array.from({ length: random.int(4) }, () => random.int(bytes.length + 1)).sort((a, b) => a - b);
  const pieces = [0, ...cuts].map((from, i) => bytes.subarray(from, cuts[i] ?? bytes.length));
  const end = random.chance(0.02) ? "hang" : random.chance(0.4) ? "reset" : "close";
  return { pieces: pieces.filter(({ length }) => length > 0), end };
}
