export type Entry = { readonly kind: "link"; readonly url: string } | { readonly kind: "text"; readonly text: string };

/** Most links taken at once; the rest would be a list to import. */
export const MAX_LINKS = 200;

/** What somebody typed, pasted or dropped: links where every line is one, else one text. Nothing where it is blank. */
export function parseEntries(input: string): readonly Entry[] {
  const text = input.trim();
  if (text === "") return [];
  const lines = text.split(/\r?\n/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  if (lines.length > MAX_LINKS || !lines.every(isLink)) return [{ kind: "text", text }];
  return [...new Set(lines)].map((url) => ({ kind: "link", url }));
}

/** An address with its scheme, or one that only lacks it: `www.` in front, or a path behind. */
export function isLink(line: string): boolean {
  if (line.length > 2_048 || /\s/.test(line)) return false;
  if (/^https?:\/\//i.test(line)) return URL.canParse(line) && new URL(line).hostname !== "";
  const host = /^[a-z0-9.-]+/i.exec(line)?.[0] ?? "";
  const rest = line.slice(host.length);
  if (!/^(?:[/?#]|$)/.test(rest) || !/\.[a-z]{2,}$/i.test(host) || host.includes("..") || /^[.-]/.test(host)) return false;
  return /^www\./i.test(host) || rest.startsWith("/");
}

/** What a drop or a paste carries as words: a list of addresses before plain text. */
export function readTransferText(data: { getData(format: string): string }): string {
  const list = data.getData("text/uri-list");
  const links = list.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  return links.length > 0 ? links.join("\n") : data.getData("text/plain");
}
