import { getBOMEncoding, normalizeEncoding, TextDecoder } from "@exodus/bytes/encoding.js";
import { scanUtf8, type Utf8Scan } from "./utf8-scan.ts";

/** A body's text, and the WHATWG name of the encoding it was read with, in lower case. */
export type DecodedBody = { readonly text: string; readonly charset: string };

/** Bytes at the start of a page that are searched for its declaration. The standard's 1,024 miss declarations after long inline scripts. */
const PRESCAN_BYTES = 8192;

/** Encodings with invalid byte sequences: text that decodes without error is very likely in that encoding. */
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

/** Text in an East Asian encoding may contain a few valid UTF-8 sequences by chance, but not this many. */
const MIN_UTF8_SEQUENCES = 4;

/**
 * Decodes an HTML body. A byte order mark determines the encoding. Otherwise the bytes (valid UTF-8, zero bytes of UTF-16) are compared
 * with the charset of the Content-Type header and the page's own declaration, because declarations may be wrong. The default is
 * windows-1252. Never throws: invalid bytes become U+FFFD.
 * Sources: HTML, "determining the character encoding"; the WHATWG Encoding standard for names and decoders.
 */
export const decodeBody = (body: Uint8Array, contentType: string | undefined): DecodedBody => {
  const charset = getBOMEncoding(body) ?? chooseEncoding(body, contentType ?? "");
  return { text: new TextDecoder(charset).decode(body), charset };
};

const chooseEncoding = (body: Uint8Array, contentType: string): string => {
  const utf16 = guessUtf16(body);
  if (utf16 !== null) return utf16;
  const header = readLabel(/charset\s*=\s*["']?\s*([^\s"';,]+)/i.exec(contentType)?.[1]);
  const page = readPageLabel(body);
  // Without zero bytes the body is not UTF-16, whatever is declared; the HTML standard treats such a declaration as UTF-8.
  const declared = [header, page].filter((label) => label !== null).map((label) => (label.startsWith("utf-16") ? "utf-8" : label));
  const legacy = declared.filter((label) => label !== "utf-8");
  const scan = scanUtf8(body);
  if (isUtf8(body, scan, legacy)) return "utf-8";
  if (legacy.length === 0) return declared.length > 0 && scan.valid >= scan.invalid ? "utf-8" : guessEncoding(scan);
  return chooseLegacy(body, legacy);
};

const isUtf8 = (body: Uint8Array, scan: Utf8Scan, legacy: readonly string[]): boolean => {
  if (scan.invalid > 0) return scan.valid >= MIN_UTF8_SEQUENCES && scan.valid >= scan.invalid * 8;
  // ISO-2022-JP consists of ASCII bytes, so it is always valid UTF-8.
  if (legacy.includes("iso-2022-jp") && body.includes(0x1b)) return false;
  if (scan.valid === 0) return legacy.length === 0;
  if (scan.valid >= MIN_UTF8_SEQUENCES || !legacy.some((label) => MULTI_BYTE.has(label))) return true;
  return legacy.every((label) => !MULTI_BYTE.has(label) || countErrors(body, label) > 0);
};

/** Returns the encoding if none is declared: UTF-8 if most non-ASCII bytes are valid sequences, otherwise windows-1252. */
const guessEncoding = (scan: Utf8Scan): string => (scan.valid > scan.invalid ? "utf-8" : "windows-1252");

/** Chooses between two declared encodings. The header's takes precedence, unless the bytes match only the page's, or it is a server default. */
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

/** Detects UTF-16 without a byte order mark: in markup every ASCII character has a zero byte, always on the same side. */
const guessUtf16 = (body: Uint8Array): "utf-16le" | "utf-16be" | null => {
  const start = body.subarray(0, 1024);
  const zeros = [0, 0];
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const minZeros = Math.max(2, start.length / 20);
  if (odd >= minZeros && even * 8 <= odd) return "utf-16le";
  return even >= minZeros && odd * 8 <= even ? "utf-16be" : null;
};
