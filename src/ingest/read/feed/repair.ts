const ROOT = /<(rss|feed|rdf:rdf)[\s>]/i;
/** For each format: the root element, the end tag of an entry, and the end tags of the document. */
const FORMATS = [
  ["rss", "</item>", "</channel></rss>"],
  ["feed", "</entry>", "</feed>"],
  ["rdf:rdf", "</item>", "</rdf:RDF>"],
] as const;

/**
 * Removes the entries after the first `maxEntries` from an XML feed before it is parsed, because 100,000 entries take 200 MB of memory.
 * Returns the shortened feed and the original number of entries, or null if nothing was removed.
 */
export function truncateFeed(text: string, maxEntries: number): { readonly text: string; readonly total: number } | null {
  const root = ROOT.exec(text);
  const format = FORMATS.find(([name]) => name === root?.[1]?.toLowerCase());
  if (format === undefined) return null;
  const [, entryEnd, ends] = format;
  let total = 0;
  let cut = text.length;
  for (let at = text.indexOf(entryEnd); at >= 0; at = text.indexOf(entryEnd, at + entryEnd.length))
    if (++total === maxEntries) cut = at + entryEnd.length;
  return total <= maxEntries ? null : { text: text.slice(0, cut) + ends, total };
}

/**
 * Repairs an XML feed that can't be parsed: removes the text before its root element, such as PHP warnings, and after its last complete
 * entry, as in a truncated response. Returns null if it has no root or no complete entry.
 */
export function repairFeed(text: string): string | null {
  const root = ROOT.exec(text);
  if (root === null) return null;
  const format = FORMATS.find(([name]) => name === root[1]?.toLowerCase());
  if (format === undefined) return null;
  const [, entryEnd, ends] = format;
  const last = Math.max(text.lastIndexOf(entryEnd), text.lastIndexOf(entryEnd.toUpperCase()));
  if (last < root.index) return null;
  // In RSS 1.0 the items follow the channel element, so only the root is closed.
  return `<?xml version="1.0"?>${text.slice(root.index, last + entryEnd.length)}${ends}`;
}
