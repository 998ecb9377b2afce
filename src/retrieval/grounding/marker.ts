/** What a "[" in a model's answer begins. */
export type Marker =
  /** A citation; items are empty if it has only a number. */
  | { readonly kind: "marker"; readonly end: number; readonly items: readonly MarkerItem[] }
  | { readonly kind: "text" }
  /** More text is needed. */
  | { readonly kind: "incomplete" };

export type MarkerItem = { readonly source: number; readonly quote: string };

const BLANKS = /[ \t\n]{0,4}/y;
/** Words that models add before the number. */
const NAME = /(?:sources?|src|#)[ \t]{0,2}/iy;
const INCOMPLETE_NAME = /^(?:s|so|sou|sour|sourc|sr)$/i;
const NUMBER = /\d{1,4}/y;
const BARE_REST = /[\d ,;–-]{0,40}/y;
/** The start of another citation in the same brackets. */
const NEXT_ITEM = /[ \t\n]{0,4}[,;，；][ \t\n]{0,4}(\d{1,4})[ \t\n]{0,4}[:：]/y;
const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['"', '"“”'],
  ["“", '”"“'],
  ["„", '“”"'],
  ["”", '”"'],
  ["«", "»"],
  ["»", "«"],
  ["'", "'’"],
  ["‘", "’'"],
  ["「", "」"],
  ["『", "』"],
]);

/**
 * Reads a citation such as `[2: "exact words"]` at the "[" at `at`. Several citations may share brackets; typographic quotation marks,
 * and after a blank missing ones, are accepted. A time such as [12:30] is text.
 */
export function readMarker(text: string, at: number): Marker {
  let position = skip(NAME, text, skip(BLANKS, text, at + 1));
  const digits = match(NUMBER, text, position);
  if (digits === "")
    return position === text.length || INCOMPLETE_NAME.test(text.slice(position)) ? { kind: "incomplete" } : { kind: "text" };
  position = skip(BLANKS, text, position + digits.length);
  if (position >= text.length) return { kind: "incomplete" };
  const mark = text.charAt(position);
  if (mark !== ":" && mark !== "：") {
    const end = skip(BARE_REST, text, position);
    if (end >= text.length) return { kind: "incomplete" };
    return text.charAt(end) === "]" ? { kind: "marker", end: end + 1, items: [] } : { kind: "text" };
  }
  return readItems(text, position + 1, Number(digits));
}

function readItems(text: string, from: number, first: number): Marker {
  const items: MarkerItem[] = [];
  let source = first;
  let position = from;
  for (;;) {
    const start = skip(BLANKS, text, position);
    if (start >= text.length) return { kind: "incomplete" };
    const closers = CLOSERS.get(text.charAt(start));
    if (closers === undefined) {
      if (start === position) return { kind: "text" };
      const end = text.indexOf("]", start);
      if (end < 0) return { kind: "incomplete" };
      return { kind: "marker", end: end + 1, items: [...items, { source, quote: text.slice(start, end) }] };
    }
    const close = findClose(text, start + 1, closers);
    if (close === null) return { kind: "incomplete" };
    items.push({ source, quote: text.slice(start + 1, close.at) });
    if (close.next === null) return { kind: "marker", end: close.end, items };
    source = close.next;
    position = close.end;
  }
}

/** Finds the first closing mark before "]" or another citation; earlier ones belong to the quote. */
function findClose(
  text: string,
  from: number,
  closers: string,
): { readonly at: number; readonly end: number; readonly next: number | null } | null {
  for (let at = from; at < text.length; at++) {
    if (!closers.includes(text.charAt(at))) continue;
    const after = skip(BLANKS, text, at + 1);
    if (text.charAt(after) === "]") return { at, end: after + 1, next: null };
    NEXT_ITEM.lastIndex = at + 1;
    const next = NEXT_ITEM.exec(text);
    if (next !== null) return { at, end: NEXT_ITEM.lastIndex, next: Number(next[1]) };
  }
  return null;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

const skip = (pattern: RegExp, text: string, at: number): number => at + match(pattern, text, at).length;
