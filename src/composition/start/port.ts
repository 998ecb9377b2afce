import { createServer } from "node:net";
import type { Config } from "#config";
import { describeListenFailure } from "./listen-failure.ts";

/** Tries to listen on host and port, and stops at once. Returns the error, or null if the port is free. */
export function probePort(host: string, port: number): Promise<Error | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/** Returns the URL at which this machine reaches a server that listens on this address. */
export function formatLocalUrl(host: string, port: number | string): string {
  const name = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Throws one sentence when the server could not listen. Called before anything is created, so that a failed start leaves nothing behind. */
export async function requirePort({ host, port }: Pick<Config, "host" | "port">): Promise<void> {
  const error = await probePort(host, port);
  if (error !== null) throw new Error(describeListenFailure(error, { host, port }) ?? error.message, { cause: error });
}
