/** A tag in the form in which the server compares tags: spellings that differ only in case are the same tag. */
export const foldTag = (tag: string): string => tag.normalize("NFC").toUpperCase().toLowerCase();

export const hasTag = (tags: readonly string[], tag: string): boolean => tags.some((one) => foldTag(one) === foldTag(tag));

/** What is done to the tags of tiles. */
export type TagChange = { readonly kind: "add" | "remove"; readonly tags: readonly string[] };

export const formatTags = (tags: readonly string[]): string => tags.map((tag) => `“${tag}”`).join(", ");

export type TagCount = { readonly tag: string; readonly count: number };

/** The tags, each once, with the number of tiles that have it; the most frequent first. */
export function countTags(tiles: readonly { readonly tags: readonly string[] }[]): readonly TagCount[] {
  const counts = new Map<string, { readonly tag: string; count: number }>();
  for (const tag of tiles.flatMap(({ tags }) => tags)) {
    const found = counts.get(foldTag(tag));
    if (found === undefined) counts.set(foldTag(tag), { tag, count: 1 });
    else found.count += 1;
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || a.tag.localeCompare(b.tag, undefined, { numeric: true }));
}

/** Tailwind finds class names only as whole words. */
const COLOR_CLASSES = [
  "border-zone-red/60 bg-zone-red/12",
  "border-zone-orange/60 bg-zone-orange/12",
  "border-zone-yellow/60 bg-zone-yellow/12",
  "border-zone-green/60 bg-zone-green/12",
  "border-zone-teal/60 bg-zone-teal/12",
  "border-zone-blue/60 bg-zone-blue/12",
  "border-zone-purple/60 bg-zone-purple/12",
  "border-zone-pink/60 bg-zone-pink/12",
] as const;

/** The classes of a tag's colour. The same tag has the same colour everywhere, in whatever case. */
export function getTagColor(tag: string): string {
  let hash = 0x811c9dc5;
  for (const character of foldTag(tag)) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  // Otherwise, tags that differ in their last character, such as "label 1" and "label 2", would have the same colour.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return COLOR_CLASSES[(hash >>> 16) % COLOR_CLASSES.length] ?? COLOR_CLASSES[0];
}
