import { getBOMEncoding, normalizeEncoding, TextDecoder } from "@exodus/bytes/encoding.js";
import { scanUtf8, type Utf8Scan } from "./utf8-scan.ts";

/** A body's text, and the WHATWG name of the encoding it was read with, in lower case. */
export type DecodedBody = { readonly text: string; readonly charset: string };

/** Where a page's own declaration is looked for: the standard's 1,024 bytes miss those below long inline scripts. */
const PRESCAN_BYTES = 8192;

/** Encodings whose bytes check themselves: text that reads without an error was hardly meant otherwise. */
const MULTI_BYTE: ReadonlySet<string> = new Set([
  "big5",
  "euc-jp",
  "euc-kr",
  "gb18030",
  "gbk",
  "iso-2022-jp",
  "shift_jis",
  "utf-16be",
  "utf-16le",
]);

/** Few sequences may be valid UTF-8 by chance in an East Asian encoding; this many are not. */
const SURE_SEQUENCES = 4;

/**
 * Decodes an HTML body. A byte order mark decides; else what the bytes are (valid UTF-8, UTF-16 by its zero bytes)
 * is weighed against the Content-Type header's charset and the page's own declaration (meta or XML prolog), so that
 * a wrong one of them does no harm; else windows-1252. Never throws: what doesn't decode becomes U+FFFD.
 * Sources: HTML, "determining the character encoding"; the WHATWG Encoding standard for names and decoders.
 */
export const decodeBody = (body: Uint8Array, contentType: string | undefined): DecodedBody => {
  const charset = getBOMEncoding(body) ?? chooseEncoding(body, contentType ?? "");
  return { text: new TextDecoder(charset).decode(body), charset };
};

const chooseEncoding = (body: Uint8Array, contentType: string): string => {
  const wide = guessUtf16(body);
  if (wide !== null) return wide;
  const header = readLabel(/charset\s*=\s*["']?\s*([^\s"';,]+)/i.exec(contentType)?.[1]);
  const page = readPageLabel(body);
  // No zero byte means no UTF-16, whatever is claimed; the HTML standard reads such a meta as UTF-8.
  const claims = [header, page].filter((claim) => claim !== null).map((claim) => (claim.startsWith("utf-16") ? "utf-8" : claim));
  const legacy = claims.filter((claim) => claim !== "utf-8");
  const scan = scanUtf8(body);
  if (isUtf8(body, scan, legacy)) return "utf-8";
  if (legacy.length === 0) return claims.length > 0 && scan.valid >= scan.invalid ? "utf-8" : fallback(scan);
  return chooseLegacy(body, legacy);
};

const isUtf8 = (body: Uint8Array, scan: Utf8Scan, legacy: readonly string[]): boolean => {
  if (scan.invalid > 0) return scan.valid >= SURE_SEQUENCES && scan.valid >= scan.invalid * 8;
  // ISO-2022-JP is all ASCII bytes, so that being valid UTF-8 says nothing.
  if (legacy.includes("iso-2022-jp") && body.includes(0x1b)) return false;
  if (scan.valid === 0) return legacy.length === 0;
  if (scan.valid >= SURE_SEQUENCES || !legacy.some((claim) => MULTI_BYTE.has(claim))) return true;
  return legacy.every((claim) => !MULTI_BYTE.has(claim) || countErrors(body, claim) > 0);
};

/** Some stray bytes in what is mostly UTF-8 are damage; without any sequence the text was Western all along. */
const fallback = (scan: Utf8Scan): string => (scan.valid > scan.invalid ? "utf-8" : "windows-1252");

/** The header's claim comes first; the page's own wins where the bytes speak for it, or the header is a server's default. */
const chooseLegacy = (body: Uint8Array, legacy: readonly string[]): string => {
  const [first = "windows-1252", second = first] = legacy;
  if (first === second) return first;
  const firstErrors = countErrors(body, first);
  const secondErrors = countErrors(body, second);
  if (firstErrors !== secondErrors && MULTI_BYTE.has(first) && MULTI_BYTE.has(second)) {
    return firstErrors < secondErrors ? first : second;
  }
  if (MULTI_BYTE.has(first)) return firstErrors === 0 ? first : second;
  if (MULTI_BYTE.has(second)) return secondErrors === 0 ? second : first;
  return first === "windows-1252" ? second : first;
};

const countErrors = (body: Uint8Array, charset: string): number => {
  const text = new TextDecoder(charset).decode(body, { stream: true });
  let count = 0;
  for (let at = text.indexOf("\uFFFD"); at !== -1; at = text.indexOf("\uFFFD", at + 1)) count += 1;
  return count;
};

const readLabel = (label: string | undefined): string | null => {
  const name = label === undefined ? null : normalizeEncoding(label);
  if (name === "x-user-defined") return "windows-1252";
  return name === "replacement" ? null : name;
};

/** Reads the charset of the first meta element that names a known one, or of the XML declaration. */
const readPageLabel = (body: Uint8Array): string | null => {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, PRESCAN_BYTES)).toString("latin1");
  const xml = readLabel(/^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"'>]{1,40})["']/i.exec(start)?.[1]);
  const markup = start.replaceAll(/<!--.*?-->/gs, "");
  for (const [tag] of markup.matchAll(/<meta[\s/][^>]{0,1000}/gi)) {
    const charset = readLabel(/\bcharset\s*=\s*["']?\s*([^\s"'/>;]{1,40})/i.exec(tag)?.[1]);
    if (charset !== null) return charset;
  }
  return xml;
};

/** UTF-16 without a mark shows in markup: every ASCII character has a zero byte, always on the same side. */
const guessUtf16 = (body: Uint8Array): "utf-16le" | "utf-16be" | null => {
  const start = body.subarray(0, 1024);
  const zeros = [0, 0];
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const enough = Math.max(2, start.length / 20);
  if (odd >= enough && even * 8 <= odd) return "utf-16le";
  return even >= enough && odd * 8 <= even ? "utf-16be" : null;
};
