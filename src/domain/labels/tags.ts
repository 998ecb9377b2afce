import { isLongerThan } from "../core/text.ts";

export const MAX_TAGS = 50;
/** In Unicode code points. */
export const MAX_TAG_LENGTH = 100;

/** A value that was read, or what is wrong with it: the rest of a sentence that begins with the name of the field. */
export type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

/** Returns the form in which tags are compared: spellings that differ only in case are the same tag. */
export const foldTag = (tag: string): string => tag.normalize("NFC").toUpperCase().toLowerCase();

/** Reads a list of tags: trimmed, without duplicates. The first spelling of a tag wins. */
export function parseTags(value: unknown): Parsed<readonly string[]> {
  if (!Array.isArray(value)) return { problem: "must be an array." };
  const tags = new Map<string, string>();
  for (const item of value as readonly unknown[]) {
    const parsed = parseTag(item);
    if ("problem" in parsed) return parsed;
    addTag(tags, parsed.value);
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
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Returns the tags with others after them. Tags that are there already keep their spelling. */
export function addTags(tags: readonly string[], added: readonly string[]): readonly string[] {
  const all = new Map<string, string>();
  for (const tag of [...tags, ...added]) addTag(all, tag);
  return [...all.values()];
}

/** Returns the tags without some of them, in whatever case those are. */
export function removeTags(tags: readonly string[], removed: readonly string[]): readonly string[] {
  const folded = new Set(removed.map(foldTag));
  return tags.filter((tag) => !folded.has(foldTag(tag)));
}

function addTag(tags: Map<string, string>, tag: string): void {
  const folded = foldTag(tag);
  if (!tags.has(folded)) tags.set(folded, tag);
}
