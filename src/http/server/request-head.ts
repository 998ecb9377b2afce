import type { IncomingMessage } from "node:http";

/**
 * Headers that decide who calls, what is called and how its body is read. Programs differ in which of two they obey. Two keys are no valid
 * key, which is 401 like any other.
 */
const SINGLE_HEADERS = new Set(["host", "content-type", "content-encoding", "authorization", "origin"]);
const LONGEST_SINGLE_HEADER = "content-encoding".length;
const SHORTEST_SINGLE_HEADER = "host".length;
/** A host name or an address in brackets, and a port. An empty one is sent by checks of load balancers. */
const HOST = /^(?:(?:[\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?)?$/i;
const MAX_PORT = 65_535;
const ABSOLUTE_TARGET = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * Returns what makes a request ambiguous, so that a proxy and this server could understand it differently; null if nothing does. Call it
 * after `useOriginForm`.
 */
export function findHeadProblem({ rawHeaders, headers: { host }, url = "", httpVersion }: IncomingMessage): string | null {
  if (host === undefined && httpVersion === "1.1") return "The Host header is missing.";
  const repeated = findRepeatedHeader(rawHeaders);
  if (repeated !== null) return `The header ${repeated} occurs twice. Send it once.`;
  const [isHost, port] = HOST.exec(host ?? "") ?? [];
  if (isHost === undefined || Number(port ?? 0) > MAX_PORT) return "The Host header is not a host name with an optional port.";
  if (!url.startsWith("/") && url !== "*") return "The request is for another host than its Host header names.";
  return null;
}

function findRepeatedHeader(rawHeaders: readonly string[]): string | null {
  let seen: string[] | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] as string;
    if (raw.length < SHORTEST_SINGLE_HEADER || raw.length > LONGEST_SINGLE_HEADER) continue;
    const name = raw.toLowerCase();
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen?.includes(name) === true) return raw;
    (seen ??= []).push(name);
  }
  return null;
}

/** Shortens a target with scheme and host, as sent to proxies, to its path. One for another host is left as it is, and rejected later. */
export function useOriginForm(request: IncomingMessage): void {
  const { url = "", headers } = request;
  if (url.startsWith("/")) return;
  const [, authority, path = ""] = ABSOLUTE_TARGET.exec(url) ?? [];
  if (authority === undefined || authority === "" || authority.toLowerCase() !== headers.host?.toLowerCase()) return;
  request.url = path.startsWith("/") ? path : `/${path}`;
}
