import { isLongerThan } from "../core/text.ts";

export const MAX_TAGS = 50;
/** In Unicode code points. */
export const MAX_TAG_LENGTH = 100;

/** A value that was read, or what is wrong with it: the rest of a sentence that begins with the name of the field. */
export type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

/** Returns the form in which tags are compared: spellings that differ only in case are the same tag. */
const foldTag = (tag: string): string => tag.normalize("NFC").toUpperCase().toLowerCase();

/** Reads a list of tags: trimmed, without duplicates. The first spelling of a tag wins. */
export function parseTags(value: unknown): Parsed<readonly string[]> {
  if (!Array.isArray(value)) return { problem: "must be an array of strings." };
  const tags = new Map<string, string>();
  for (const item of value as readonly unknown[]) {
    const parsed = parseTag(item);
    if ("problem" in parsed) return parsed;
    const folded = foldTag(parsed.value);
    if (!tags.has(folded)) tags.set(folded, parsed.value);
    if (tags.size > MAX_TAGS) return { problem: `has too many items. The maximum is ${MAX_TAGS}.` };
  }
  return { value: [...tags.values()] };
}

function parseTag(item: unknown): Parsed<string> {
  if (typeof item !== "string") return { problem: "must be an array of strings." };
  if (!isStorable(item)) return { problem: "must be valid Unicode without NUL." };
  const tag = item.trim();
  return tag === "" || isLongerThan(tag, MAX_TAG_LENGTH)
    ? { problem: `must have 1 to ${MAX_TAG_LENGTH} characters in each item.` }
    : { value: tag };
}

/** Whether every database stores the text as it is. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
