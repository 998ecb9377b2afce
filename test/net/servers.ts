import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net";

export type TestServer = {
  readonly port: number;
  /** Method and path of each received request. */
  readonly hits: readonly string[];
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
};

/** Starts an HTTP server on a free loopback port; `close` also ends open connections. */
export const startServer = async (listener: RequestListener, host = "127.0.0.1", port = 0): Promise<TestServer> => {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  return listen(server, hits, host, port);
};

/** Starts a plain TCP server, for responses that no HTTP server would send. */
export const startSocketServer = (onSocket: (socket: Socket) => void): Promise<TestServer> =>
  listen(createSocketServer(onSocket) as Server, [], "127.0.0.1", 0);

const listen = async (server: Server, hits: string[], host: string, port: number): Promise<TestServer> => {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((ready, failed) => {
    server.once("error", failed);
    server.listen(port, host, ready);
  });
  return {
    port: (server.address() as AddressInfo).port,
    hits,
    sockets,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
};

/** Waits until the condition holds, at most ten seconds. */
export const eventually = async (holds: () => boolean): Promise<boolean> => {
  for (let tries = 0; tries < 500 && !holds(); tries += 1) await new Promise((wake) => setTimeout(wake, 20));
  return holds();
};
