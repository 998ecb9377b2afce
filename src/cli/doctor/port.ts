import { createServer } from "node:net";

/** Tries to listen on host and port, and stops at once. Returns the error, or null if the port is free. */
export function tryToListen(host: string, port: number): Promise<Error | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
