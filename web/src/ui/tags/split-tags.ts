import { foldTag, hasTag } from "./tags.ts";

/** In Unicode code points, as on the server. */
export const MAX_TAG_LENGTH = 100;
/** The tags of a tile, and of one request. */
const MAX_TAGS = 50;

/** The tags of a text with commas, each once, or what is wrong with it, such as that none of these tiles can have so many. */
export function splitTags(
  text: string,
  tiles: readonly { readonly tags: readonly string[] }[],
): { readonly tags: readonly string[]; readonly problem: string | null } {
  const found = new Map<string, string>();
  for (const tag of text.split(",").map((one) => one.trim())) {
    const folded = foldTag(tag);
    if (tag !== "" && !found.has(folded)) found.set(folded, tag);
  }
  const tags = [...found.values()];
  return { tags, problem: findProblem(tags, tiles) };
}

function findProblem(tags: readonly string[], tiles: readonly { readonly tags: readonly string[] }[]): string | null {
  if (tags.length === 0) return "Enter a tag.";
  if (tags.length > MAX_TAGS) return `These are ${tags.length} tags. A tile has at most ${MAX_TAGS}.`;
  if (tags.some((tag) => [...tag].length > MAX_TAG_LENGTH)) return `A tag has at most ${MAX_TAG_LENGTH} characters.`;
  const isTooMany = (own: readonly string[]): boolean => own.length + tags.filter((tag) => !hasTag(own, tag)).length > MAX_TAGS;
  if (tiles.length === 0 || !tiles.every((tile) => isTooMany(tile.tags))) return null;
  return `A tile has at most ${MAX_TAGS} tags. Remove some first.`;
}
