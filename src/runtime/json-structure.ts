const MAX_PARTS = 100_000;
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Counts values and nesting of JSON outside strings, in one pass and before it is parsed: parsing very many values would block the event
 * loop, and code that walks through very deep nesting could exceed the stack. In UTF-8, the counted bytes never occur inside longer
 * characters. Returns what there is too much of, or null.
 */
export function findExcessiveStructure(json: Buffer, maxParts = MAX_PARTS): "parts" | "depth" | null {
  let parts = 0;
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] as number;
    if (byte === QUOTE) {
      i = endOfString(json, i + 1);
    } else if (byte === 0x2c) {
      parts++;
    } else if (byte === 0x5b || byte === 0x7b) {
      parts++;
      if (++depth > MAX_DEPTH) return "depth";
    } else if (byte === 0x5d || byte === 0x7d) {
      depth--;
    }
    if (parts > maxParts) return "parts";
  }
  return null;
}

/** So many bytes after an escaped quote are looked at one by one. */
const BYTES_BETWEEN_SEARCHES = 64;

/**
 * Returns where the string ends. A search for the next quote is 20 times as fast as looking at each byte, but costs a call, and strings
 * can have millions of escaped quotes: between two searches, some bytes are looked at one by one.
 */
function endOfString(body: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const end = body.indexOf(QUOTE, at);
    if (end < 0) return body.length;
    if (!isEscaped(body, end, at)) return end;
    at = end + 1;
    for (const until = at + BYTES_BETWEEN_SEARCHES; at < until; at += body[at] === BACKSLASH ? 2 : 1)
      if (at >= body.length || body[at] === QUOTE) return at;
  }
}

/** Whether an odd number of backslashes precedes the byte `at`. The byte `from` is known not to be escaped. */
function isEscaped(body: Buffer, at: number, from: number): boolean {
  let before = at;
  while (before > from && body[before - 1] === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}
