const ROOT = /<(rss|feed|rdf:rdf)[\s>]/i;
const NAMES = [
  ["rss", "</item>", "</channel></rss>"],
  ["feed", "</entry>", "</feed>"],
  ["rdf:rdf", "</item>", "</rdf:RDF>"],
] as const;

/**
 * An XML feed without the entries beyond the first `most`, before anything is built of it: a hundred thousand take 200 MB. Answers
 * how many it had.
 */
export function truncateFeed(text: string, most: number): { readonly text: string; readonly total: number } | null {
  const root = ROOT.exec(text);
  const form = NAMES.find(([name]) => name === root?.[1]?.toLowerCase());
  if (form === undefined) return null;
  const [, entryEnd, ends] = form;
  let total = 0;
  let cut = text.length;
  for (let at = text.indexOf(entryEnd); at >= 0; at = text.indexOf(entryEnd, at + entryEnd.length))
    if (++total === most) cut = at + entryEnd.length;
  return total <= most ? null : { text: text.slice(0, cut) + ends, total };
}

/**
 * An XML feed that can't be read, without what stands before its root or after its last whole entry, as cut answers and the warnings of
 * the programs that write feeds leave it; null where there is no such thing in it.
 */
export function repairFeed(text: string): string | null {
  const root = ROOT.exec(text);
  if (root === null) return null;
  const form = NAMES.find(([name]) => name === root[1]?.toLowerCase());
  if (form === undefined) return null;
  const [, entryEnd, ends] = form;
  const last = Math.max(text.lastIndexOf(entryEnd), text.lastIndexOf(entryEnd.toUpperCase()));
  if (last < root.index) return null;
  // In RSS 1.0 the items stand beside the channel, which is closed before them.
  return `<?xml version="1.0"?>${text.slice(root.index, last + entryEnd.length)}${ends}`;
}
