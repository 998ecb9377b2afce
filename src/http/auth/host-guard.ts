import type { FastifyRequest } from "fastify";
import { AppError } from "#domain/core/error.ts";

/** Throws 403 for requests from pages of other sites, including DNS rebinding (a foreign name that resolves to this server). */
export type HostGuard = (request: FastifyRequest) => void;

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
/** Listen addresses that mean all interfaces. */
const WILDCARDS = ["0.0.0.0", "[::]"];
const HOST = /^[\w.:[\]-]+$/;

const parseHostname = (host: string): string =>
  URL.parse(`http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}`)?.hostname ?? "";

/** Accepts the loopback names, the address the server listens on and its public address; also origins in `corsOrigins`. */
export function createHostGuard(options: {
  readonly host: string;
  readonly baseUrl: string;
  readonly corsOrigins: readonly string[];
}): HostGuard {
  const listening = parseHostname(options.host);
  const names = new Set([...LOOPBACK, URL.parse(options.baseUrl)?.hostname ?? "", WILDCARDS.includes(listening) ? "" : listening]);
  names.delete("");
  return ({ headers: { host = "", origin } }) => {
    const called = HOST.test(host) ? URL.parse(`http://${host}`)?.hostname : undefined;
    if (called === undefined || !names.has(called))
      throw new AppError("forbidden", "The Host header does not match this server. Set BASE_URL to the address that clients use.");
    if (origin === undefined || options.corsOrigins.includes(origin)) return;
    const page = URL.parse(origin);
    if (page === null || !/^https?:$/.test(page.protocol) || !names.has(page.hostname))
      throw new AppError("forbidden", "Pages of this origin may not call this path. Add the origin to CORS_ORIGINS if they should.");
  };
}
