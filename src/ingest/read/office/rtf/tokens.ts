/** A token of an RTF file: a brace, a control word with its parameter, or a byte of text (plain or hexadecimal). */
export type Token =
  | { readonly kind: "open" | "close" }
  | { readonly kind: "word"; readonly word: string; readonly number: number | null }
  | { readonly kind: "byte"; readonly byte: number };

const BACKSLASH = 0x5c;
const isLetter = (byte: number): boolean => (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const MAX_LETTERS = 32;

/** Yields the tokens of an RTF file (RTF 1.9.1, "Basic entities"). Binary data after `\bin` is skipped. */
export function* readTokens(bytes: Uint8Array): Generator<Token, undefined> {
  let at = 0;
  const take = (matches: (byte: number) => boolean, maxLength: number): string => {
    const start = at;
    while (at < bytes.length && at - start < maxLength && matches(bytes[at] as number)) at++;
    return String.fromCharCode(...bytes.subarray(start, at));
  };
  while (at < bytes.length) {
    const byte = bytes[at++] as number;
    if (byte === 0x7b || byte === 0x7d) yield { kind: byte === 0x7b ? "open" : "close" };
    else if (byte === 0x0a || byte === 0x0d || byte === 0) continue;
    else if (byte !== BACKSLASH) yield { kind: "byte", byte };
    else if (!isLetter(bytes[at] ?? 0)) {
      const symbol = bytes[at++] ?? 0;
      if (symbol !== 0x27) yield { kind: "word", word: String.fromCharCode(symbol), number: null };
      else {
        const value = Number.parseInt(String.fromCharCode(bytes[at] ?? 0x30, bytes[at + 1] ?? 0x30), 16);
        at += 2;
        if (Number.isFinite(value)) yield { kind: "byte", byte: value };
      }
    } else {
      const word = take(isLetter, MAX_LETTERS);
      const sign = bytes[at] === 0x2d ? "-" : "";
      if (sign !== "") at++;
      const digits = take(isDigit, 10);
      if (bytes[at] === 0x20) at++;
      const number = digits === "" ? null : Number(sign + digits);
      if (word === "bin") at += Math.max(0, number ?? 0);
      else yield { kind: "word", word, number };
    }
  }
}
