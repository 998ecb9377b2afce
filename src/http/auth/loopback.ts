import type { IncomingMessage } from "node:http";

/** The names by which a machine calls itself. */
export const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.|^::1$/;
const HOST = /^[\w.:[\]-]+$/;
/** Headers that proxies, load balancers and content delivery networks add to the requests that they forward. */
const FORWARDING_HEADER =
  /^(?:forwarded|via|x-real-(?:ip|port)|x-forwarded(?:-.+)?|x-original-.+|x-(?:client|cluster-client|remote|proxyuser)-(?:ip|addr)|(?:true|fastly|fly)-client-ip|client-ip|cdn-loop|cf-.+|x-(?:envoy|azure|appengine|amzn|vercel|nf|sucuri|akamai)-.+|x-proxy-.+|proxy-.+)$/;

/** Returns the host name of a Host header in lower case and without its port; undefined if it has none. */
export const readHostname = (host: string | undefined): string | undefined =>
  host !== undefined && HOST.test(host) ? URL.parse(`http://${host}`)?.hostname : undefined;

/**
 * Whether a program on this machine sent the request itself. A proxy on this machine has a loopback address too, but passes its callers'
 * Host, adds a header of its own, or speaks HTTP/1.0, as nginx does by default.
 */
export function isLocalCaller({ socket, headers, httpVersion }: IncomingMessage): boolean {
  const name = readHostname(headers.host);
  return (
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? "") &&
    name !== undefined &&
    LOOPBACK_NAMES.includes(name) &&
    httpVersion !== "1.0" &&
    !Object.keys(headers).some((header) => FORWARDING_HEADER.test(header))
  );
}
