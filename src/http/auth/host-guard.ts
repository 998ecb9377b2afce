import type { FastifyRequest } from "fastify";
import { AppError } from "#domain/core/errors/error.ts";
import { LOOPBACK_NAMES, readHostname } from "./loopback.ts";

/** Throws 403 for requests from pages of other sites, including DNS rebinding (a foreign name that resolves to this server). */
export type HostGuard = (request: FastifyRequest) => void;

/** Listen addresses that mean all interfaces. */
const WILDCARDS = ["0.0.0.0", "[::]"];

const parseHostname = (host: string): string =>
  URL.parse(`http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}`)?.hostname ?? "";

type Addresses = { readonly host: string; readonly baseUrl: string };

/** Returns the loopback names, the address that the server listens on, and its public one. */
function listNames({ host, baseUrl }: Addresses): ReadonlySet<string> {
  const listening = parseHostname(host);
  const names = new Set([...LOOPBACK_NAMES, URL.parse(baseUrl)?.hostname ?? "", WILDCARDS.includes(listening) ? "" : listening]);
  names.delete("");
  return names;
}

/** Accepts the loopback names, the address the server listens on and its public address; also origins in `corsOrigins`. */
export function createHostGuard(options: Addresses & { readonly corsOrigins: readonly string[] }): HostGuard {
  const names = listNames(options);
  return ({ headers: { host, origin } }) => {
    const called = readHostname(host);
    if (called === undefined || !names.has(called))
      throw new AppError("origin_not_allowed", "The Host header does not match this server. Set BASE_URL to the address that clients use.");
    if (origin === undefined || options.corsOrigins.includes(origin)) return;
    const page = URL.parse(origin);
    if (page === null || !/^https?:$/.test(page.protocol) || !names.has(page.hostname))
      throw new AppError(
        "origin_not_allowed",
        "Pages of this origin may not call this path. Add the origin to CORS_ORIGINS if they should.",
      );
  };
}

/** Returns the address with which links to the page begin. Throws 403 if nobody can vouch for the address that was called. */
export type LinkBase = (request: FastifyRequest) => string;

/**
 * Uses the public address. Without one, links take the address that was called if it is a loopback name, the address that the server
 * listens on, or the address of the connection itself: a proxy or another site may have chosen any other.
 */
export function createLinkBase(addresses: Addresses): LinkBase {
  const names = listNames(addresses);
  return ({ protocol, host, socket: { localAddress = "" } }) => {
    if (addresses.baseUrl !== "") return addresses.baseUrl;
    const called = readHostname(host);
    const own = parseHostname(localAddress.replace(/^::ffff:(?=\d+\.)/, ""));
    if (called === undefined || !(names.has(called) || called === own))
      throw new AppError(
        "origin_not_allowed",
        "The server does not know its own address for links. Set BASE_URL to the address that people use.",
      );
    return `${protocol}://${host}`;
  };
}
