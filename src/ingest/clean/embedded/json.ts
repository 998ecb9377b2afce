/** An object in the JSON of a page. Nothing in it is trusted: its values may have any type. */
export type Json = Readonly<Record<string, unknown>>;

/** Deeper JSON is no data about a page, and can't be sent from the thread. */
const MAX_DEPTH = 100;

/** An escaped soft hyphen or zero-width space, as PHP writes it. */
const BREAK_MARK = /(?<!\\)\\u(?:00ad|200b|2060|feff)/gi;

export const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a value as a list: the items of an array, the value itself, or nothing. */
export const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

function isDeep(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += mark === "\\" ? 1 : 0;
    else if (mark === "[" || mark === "{") depth++;
    else if (mark === "]" || mark === "}") depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Parses a block of JSON in a page, which may stand in a comment; null if it is invalid or nested more than 100 times. */
export function parseJson(source: string): unknown {
  const start = source.search(/[{[]/);
  const end = Math.max(source.lastIndexOf("}"), source.lastIndexOf("]"));
  // Brackets and quotes before the JSON would hide its depth.
  const json = source.slice(Math.max(0, start), end + 1);
  if (isDeep(json)) return null;
  try {
    // Line breaks inside strings are the most frequent error in JSON-LD.
    return JSON.parse(json.replace(/[\r\n\t]+/g, " ").replace(BREAK_MARK, "")) as unknown;
  } catch {
    return null;
  }
}
