import { isIP } from "node:net";
import type { UrlRejection } from "#domain/content/fetch.ts";
import { isLongerThan } from "#domain/core/text.ts";
import { isPublicAddress } from "./address.ts";
import { isWebPort } from "./port.ts";

/** Private `host:port` pairs that requests may be sent to. */
export type AllowList = ReadonlySet<string>;

/** Maps a requested origin to the origin that the request is sent to. */
export type Routes = ReadonlyMap<string, string>;

export type ReadUrl =
  | { readonly ok: true; readonly url: URL }
  /** `target` is the `host:port` to add to the allow list, for `inside`; otherwise null. */
  | { readonly ok: false; readonly refusal: UrlRejection; readonly target: string | null };

/** Maximum length of a URL from a user, in Unicode code points. */
const MAX_URL_CHARACTERS = 2048;

/** Schemes that could be mistaken for a host with a port, as in `tel:5551`. */
const OTHER_SCHEMES: ReadonlySet<string> = new Set([
  "about",
  "blob",
  "callto",
  "cid",
  "data",
  "dict",
  "dns",
  "file",
  "filesystem",
  "ftp",
  "ftps",
  "geo",
  "git",
  "gopher",
  "imap",
  "irc",
  "jar",
  "javascript",
  "ldap",
  "ldaps",
  "magnet",
  "mailto",
  "mid",
  "news",
  "nfs",
  "nntp",
  "pop",
  "rtsp",
  "sftp",
  "sip",
  "sips",
  "skype",
  "sms",
  "smb",
  "ssh",
  "tel",
  "telnet",
  "tftp",
  "urn",
  "vbscript",
  "view-source",
  "ws",
  "wss",
  "xmpp",
]);

/** Names that never belong to the public Internet, by RFC 6761, 6762, 8375 and ICANN's reservation of `.internal`. */
const INSIDE_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa)$/;

/**
 * Parses a URL for the HTTP layer and the fetcher: trims it, and adds `https://` if it has no scheme.
 * Refusals: `too_long` (over `maxCharacters` code points), `scheme` (not http or https, no host, not readable),
 * `credentials` (a user name or password), `inside` (a literal or name that is not public, a port that is no web
 * port), unless exactly `host:port` is in `allow`. Names are not looked up here: the guard checks what they resolve to.
 * Source: WHATWG URL.
 */
export const readUrl = (input: string, allow: AllowList, maxCharacters = MAX_URL_CHARACTERS): ReadUrl => {
  const read = readWebAddress(input, maxCharacters);
  if (!read.ok) return read;
  const { url } = read;
  const port = getPort(url);
  if (isAllowed(url.hostname, port, allow) || !isInside(url.hostname, port)) return read;
  return refuse("inside", hostPort(url.hostname, port));
};

/** As `readUrl`, for an address that is never requested, and so may be inside the network. */
export const readWebAddress = (input: string, maxCharacters = MAX_URL_CHARACTERS): ReadUrl => {
  if (isLongerThan(input.trim(), maxCharacters)) return refuse("too_long");
  const text = withScheme(cleanInput(input));
  if (text === null || !URL.canParse(text)) return refuse("scheme");
  const url = new URL(text);
  if ((url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") return refuse("scheme");
  return url.username !== "" || url.password !== "" ? refuse("credentials") : { ok: true, url };
};

const refuse = (refusal: UrlRejection, target: string | null = null): ReadUrl => ({ ok: false, refusal, target });

/** Returns the port of a URL, or the default port of its scheme. */
export const getPort = (url: URL): number => {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
};

/** Whether this host and port are in the list; IPv6 with or without brackets. */
export const isAllowed = (hostname: string, port: number, allow: AllowList): boolean => allow.has(hostPort(hostname, port));

/** Whether a host (canonical, as in `URL.hostname`) and port are refused without a DNS lookup. */
export const isInside = (hostname: string, port: number): boolean => {
  if (!isWebPort(port)) return true;
  const name = bareName(hostname);
  if (isIP(name) !== 0) return !isPublicAddress(name);
  return name === "" || INSIDE_NAME.test(name);
};

/** Formats `host:port` as in the allow list: lower case, IPv6 in brackets, no trailing dot. */
export const hostPort = (hostname: string, port: number): string => {
  const name = bareName(hostname);
  return name.includes(":") ? `[${name}]:${port}` : `${name}:${port}`;
};

/** Removes the brackets of IPv6 and the trailing dots of a fully qualified name. */
export const bareName = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/(?<!\.)\.+$/, "");

/**
 * Parses `host:port,host:port` (FETCH_ALLOW, WEBHOOK_ALLOW). Matches are exact; IPv6 is in brackets.
 * Throws an `Error` that names the invalid entry. Wildcards and networks are invalid.
 */
export const parseAllow = (text: string): AllowList => {
  const entries = new Set<string>();
  for (const entry of splitList(text)) {
    const match = /^(\[[0-9a-f:.]+\]|[^\s:/?#@*\\[\]]+):(\d{1,5})$/i.exec(entry);
    const [, host = "", port = ""] = match ?? [];
    const address = `http://${host}/`;
    if (match === null || Number(port) < 1 || Number(port) > 65_535 || !URL.canParse(address)) {
      throw new Error(`"${entry}" is not an exact host:port, such as 192.168.1.5:5678 or [fd00::5]:5678.`);
    }
    entries.add(hostPort(new URL(address).hostname, Number(port)));
  }
  return entries;
};

/**
 * Parses `origin=origin,…` (FETCH_ROUTES), such as `https://www.youtube.com=http://127.0.0.1:9001`.
 * Throws an `Error` that names the entry when a side is not an http or https origin, or when an origin has two routes.
 */
export const parseRoutes = (text: string): Routes => {
  const routes = new Map<string, string>();
  for (const entry of splitList(text)) {
    const parts = entry.split("=");
    const from = readOrigin(parts[0] ?? "");
    const to = readOrigin(parts[1] ?? "");
    if (parts.length !== 2 || from === null || to === null) {
      throw new Error(`"${entry}" is not a route, such as https://www.example.com=http://127.0.0.1:9001.`);
    }
    if (routes.has(from)) throw new Error(`"${from}" is routed twice.`);
    routes.set(from, to);
  }
  return routes;
};

const readOrigin = (text: string): string | null => {
  const trimmed = text.trim();
  if (!/^https?:\/\/[^/?#\\@]+\/?$/i.test(trimmed) || !URL.canParse(trimmed)) return null;
  return new URL(trimmed).origin;
};

const splitList = (text: string): string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

/** Removes the characters that the URL parser removes first, so that the scheme check sees the same text. */
const cleanInput = (input: string): string => {
  let text = "";
  for (const character of input.trim()) {
    if (character !== "\t" && character !== "\n" && character !== "\r") text += character;
  }
  // The URL standard strips exactly these.
  return text.replace(/^[\u0000-\u0020]+/, "").replace(/(?<![\u0000-\u0020])[\u0000-\u0020]+$/, "");
};

/** Adds `https://` to a URL without a scheme. Returns null for another scheme, or if it can't have a host. */
const withScheme = (text: string): string | null => {
  if (/^https?:/i.test(text)) return text;
  if (text === "" || /^[/\\?#.:]/.test(text)) return null;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1];
  if (scheme === undefined) return `https://${text}`;
  // A number after the colon is a port, unless the part before is a scheme whose URLs contain numbers.
  const isHostAndPort = /^:\d{1,5}(?:[/?#\\]|$)/.test(text.slice(scheme.length));
  return isHostAndPort && !OTHER_SCHEMES.has(scheme.toLowerCase()) ? `https://${text}` : null;
};
