import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { mutateBytes } from "./mutate.ts";
import type { Random } from "./random.ts";

const STATUSES = ["200 OK", "200 OK", "200 OK", "204 No Content", "206 Partial", "301 Moved", "302 Found", "304 Not Modified", "403 No", "404 Not Found", "429 Slow", "500 Oops", "503 Wait", "999 ?", "000 ?", "100 Continue", "101 Switching Protocols", "103 Early Hints"]; // prettier-ignore
const TYPES = ["text/html; charset=utf-8", "text/html; charset=utf-16", "text/plain", "application/json", "application/pdf", "application/rss+xml", "image/png", "application/octet-stream", "text/event-stream", "", "a/b;;;=\u00ff"]; // prettier-ignore
const ODD_HEADERS = [
  "Content-Length: -1",
  "Content-Length: 99999999999999999999",
  "Content-Length: 5",
  "Content-Length: 5\r\nContent-Length: 6",
  "Transfer-Encoding: chunked, chunked",
  "Transfer-Encoding: identity",
  "Connection: upgrade\r\nUpgrade: h2c",
  "Content-Encoding: gzip, br",
  "Content-Encoding: x-unknown",
  "Location: //",
  "Location: http://[",
  "Location: /again",
  "Location: \u00ff\u00fe",
  "Retry-After: soon",
  "Retry-After: 99999999999",
  "Keep-Alive: timeout=-1",
  `X-Long: ${"x".repeat(20_000)}`,
  "No colon at all",
  ": empty name",
  "Bad\0Name: x",
  " folded: line",
  "Link: <https://a>; rel=canonical",
  "Trailer: Expires",
];

const CODINGS: readonly (readonly [string, (body: Uint8Array) => Uint8Array])[] = [
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
];

function chunked(body: Uint8Array, random: Random): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < body.length;) {
    const size = 1 + random.int(2_000);
    const piece = body.subarray(at, at + size);
    parts.push(Buffer.from(`${piece.length.toString(16)}${random.chance(0.1) ? ";ext=1" : ""}\r\n`), piece, Buffer.from("\r\n"));
    at += size;
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}

/** An HTTP/1.1 response with this body, valid or corrupt in its head, encoding, framing or anywhere. */
export function randomResponse(body: Uint8Array, random: Random, statuses: readonly string[] = STATUSES): Uint8Array {
  const lines = [`HTTP/1.${random.chance(0.9) ? 1 : random.int(10)} ${random.pick(statuses)}`];
  lines.push(`Content-Type: ${random.pick(TYPES)}`);
  let sent = body;
  if (random.chance(0.35)) {
    const [name, encode] = random.pick(CODINGS);
    lines.push(`Content-Encoding: ${name}`);
    sent = encode(sent);
    if (random.chance(0.4)) sent = mutateBytes(sent, random);
  }
  if (random.chance(0.4)) {
    lines.push("Transfer-Encoding: chunked");
    sent = chunked(sent, random);
  } else if (random.chance(0.8)) lines.push(`Content-Length: ${sent.length + (random.chance(0.2) ? random.int(100) - 50 : 0)}`);
  while (random.chance(0.3)) lines.splice(1 + random.int(lines.length), 0, random.pick(ODD_HEADERS));
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  const whole = Buffer.concat([head, sent, ...(random.chance(0.1) ? [head, sent] : [])]);
  return random.chance(0.5) ? whole : mutateBytes(whole, random);
}
