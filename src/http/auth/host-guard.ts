import type { FastifyRequest } from "fastify";
import { AppError } from "#domain/core/error.ts";

/** Throws a 403 for a request that a page on another site made, also where that site's name was turned to this server's address. */
export type HostGuard = (request: FastifyRequest) => void;

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
/** Addresses to listen on that stand for all addresses, and name none. */
const EVERYWHERE = ["0.0.0.0", "[::]"];
const HOST = /^[\w.:[\]-]+$/;

const nameOf = (host: string): string =>
  URL.parse(`http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}`)?.hostname ?? "";

/** Knows the server by the loopback names, the address it listens on and its public address; pages may also come from `corsOrigins`. */
export function createHostGuard(options: {
  readonly host: string;
  readonly baseUrl: string;
  readonly corsOrigins: readonly string[];
}): HostGuard {
  const listening = nameOf(options.host);
  const names = new Set([...LOOPBACK, URL.parse(options.baseUrl)?.hostname ?? "", EVERYWHERE.includes(listening) ? "" : listening]);
  names.delete("");
  return ({ headers: { host = "", origin } }) => {
    const called = HOST.test(host) ? URL.parse(`http://${host}`)?.hostname : undefined;
    if (called === undefined || !names.has(called))
      throw new AppError(
        "forbidden",
        "The Host header names an address that this server is not known by. Set BASE_URL to the address it is called under.",
      );
    if (origin === undefined || options.corsOrigins.includes(origin)) return;
    const page = URL.parse(origin);
    if (page === null || !/^https?:$/.test(page.protocol) || !names.has(page.hostname))
      throw new AppError("forbidden", "Pages of this origin may not call this path. Add the origin to CORS_ORIGINS if they should.");
  };
}
