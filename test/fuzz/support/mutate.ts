import type { Random } from "./random.ts";

/** Truncates the bytes, or changes some of them. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const kind = random.int(4);
  if (kind === 0 || copy.length === 0) return copy.subarray(0, random.int(copy.length + 1));
  if (kind === 1) {
    // Copies a range to another position.
    const from = random.int(copy.length);
    const piece = copy.subarray(from, from + 1 + random.int(200));
    const at = random.int(copy.length);
    return Buffer.concat([copy.subarray(0, at), piece, copy.subarray(at)]);
  }
  for (let left = 1 + random.int(kind === 2 ? 3 : 40); left > 0; left--) {
    const at = random.int(copy.length);
    copy[at] = random.chance(0.5) ? (copy[at] ?? 0) ^ (1 << random.int(8)) : random.int(256);
  }
  return copy;
}

const TOKEN = /<[^<>]{0,200}>|"[^"]{0,100}"|[\p{L}\p{N}_]+|\s+|[^\s\p{L}\p{N}_]/gu;
const ODD_TOKENS = [
  "",
  "\0",
  "\uD800",
  "\uFFFF",
  "&#x110000;",
  "&amp;&lt;",
  "<![CDATA[",
  "]]>",
  "<!--",
  "-->",
  '"',
  "\\u0000",
  "null",
  "-1",
  "1e999",
  "99999999999999999999",
  "[]",
  "{}",
  "\n\n",
  "\r",
  "--> ",
  "00:00:00.000",
  "data: ",
  "🌊".repeat(3),
  "ا",
  "%00",
  "https://[::1]/",
  "javascript:alert(1)",
];

/** Drops, repeats, swaps and replaces tokens of a text, which keeps more structure than changing bytes. */
export function mutateText(text: string, random: Random): string {
  const tokens = text.match(TOKEN) ?? [];
  for (let left = 1 + random.int(12); left > 0 && tokens.length > 0; left--) {
    const at = random.int(tokens.length);
    switch (random.int(6)) {
      case 0:
        tokens.splice(at, 1 + random.int(4));
        break;
      case 1:
        tokens.splice(at, 0, ...tokens.slice(at, at + 1 + random.int(8)));
        break;
      case 2:
        tokens[at] = (tokens[at] ?? "").slice(0, 200).repeat(1 + random.int(500));
        break;
      case 3:
        tokens.splice(at, 0, tokens[random.int(tokens.length)] ?? "");
        break;
      case 4:
        tokens.length = at;
        break;
      default:
        tokens[at] = random.pick(ODD_TOKENS);
    }
  }
  return tokens.join("").slice(0, 1_000_000);
}

/** A JSON value whose property names come from `keys`. */
export function randomJson(random: Random, keys: readonly string[], texts: readonly string[], depth = 0): unknown {
  const kind = random.int(depth > 5 ? 5 : 9);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.pick([0, -1, 1, 0.5, 1e21, 1_700_000_000, 1_700_000_000_000, Number.MAX_SAFE_INTEGER]);
  if (kind <= 4) return random.pick(texts);
  const size = random.int(depth === 0 ? 12 : 6);
  if (kind === 5) return Array.from({ length: size }, () => randomJson(random, keys, texts, depth + 1));
  return Object.fromEntries(Array.from({ length: size + 1 }, () => [random.pick(keys), randomJson(random, keys, texts, depth + 1)]));
}
