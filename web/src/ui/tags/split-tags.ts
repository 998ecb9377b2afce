import { hasTag } from "./tags.ts";

/** In Unicode code points, as on the server. */
export const MAX_TAG_LENGTH = 100;

/** The tags of a text with commas, each once, or what is wrong with it. */
export function splitTags(text: string): { readonly tags: readonly string[]; readonly problem: string | null } {
  const tags = text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag, index, all) => tag !== "" && !hasTag(all.slice(0, index), tag));
  if (tags.length === 0) return { tags, problem: "Enter a tag." };
  const isTooLong = tags.some((tag) => [...tag].length > MAX_TAG_LENGTH);
  return { tags, problem: isTooLong ? `A tag has at most ${MAX_TAG_LENGTH} characters.` : null };
}
