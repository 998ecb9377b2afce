import { formatCount } from "../../text/plural.ts";

export type InputEntry = { readonly kind: "link"; readonly url: string } | { readonly kind: "text"; readonly text: string };

/** Maximum number of links added at once. */
export const MAX_LINKS = 200;

/** Parses typed, pasted or dropped text: links if every line is one, otherwise a single text. Empty for blank input. */
export function parseEntries(input: string): readonly InputEntry[] {
  const text = input.trim();
  if (text === "") return [];
  const lines = text.split(/\r?\n/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  if (lines.length > MAX_LINKS || !lines.every(isLink)) return [{ kind: "text", text }];
  return [...new Set(lines)].map((url) => ({ kind: "link", url }));
}

/** What will be added. A single word may have been meant as an address, so it says that it is none. */
export function describeEntries(entries: readonly InputEntry[]): string {
  const [first] = entries;
  if (first === undefined) return "";
  if (first.kind === "link") return formatCount(entries.length, "link");
  return /\s/.test(first.text) ? "One note" : "One note, not a link";
}

/** Whether a line is a web address, with a scheme or recognisable without one: by `www.` or a path. */
export function isLink(line: string): boolean {
  if (line.length > 2_048 || /\s/.test(line)) return false;
  if (/^https?:\/\//i.test(line)) return URL.canParse(line) && new URL(line).hostname !== "";
  const host = /^[a-z0-9.-]+/i.exec(line)?.[0] ?? "";
  const rest = line.slice(host.length);
  if (!/^(?:[/?#]|$)/.test(rest) || !/\.[a-z]{2,}$/i.test(host) || host.includes("..") || /^[.-]/.test(host)) return false;
  return /^www\./i.test(host) || rest.startsWith("/");
}

/** The text of a drop or paste; a list of URLs takes precedence over plain text. */
export function readTransferText(data: { getData(format: string): string }): string {
  const list = data.getData("text/uri-list");
  const links = list.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  return links.length > 0 ? links.join("\n") : data.getData("text/plain");
}
