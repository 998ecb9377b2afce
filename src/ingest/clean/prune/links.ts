import { type PageElement, textOf } from "../dom.ts";

const CANDIDATES = "ul, ol, div, section, p, li, header";
const SHARERS =
  /(?:^|\.)(?:facebook|twitter|x|linkedin|pinterest|whatsapp|instagram|reddit|telegram|t|youtube|google|flipboard|tumblr)\.\w+$/i;

const siteOf = (host: string): string => host.toLowerCase().split(".").slice(-2).join(".");

/** Links to another site are the author's more often than links around the page's own. */
function leadsAway(link: PageElement, host: string): boolean {
  // Numbers and addresses of mail are what a page tells, not where it leads.
  if (/^(?:mailto|tel|sms|geo):/i.test(link.getAttribute("href") ?? "")) return true;
  const other = /^(?:https?:)?\/\/([^/?#:]+)/i.exec(link.getAttribute("href") ?? "")?.[1];
  return host !== "" && other !== undefined && !SHARERS.test(other) && siteOf(other) !== siteOf(host);
}

export function linkShare(element: PageElement, length: number, host: string): number {
  let linked = 0;
  for (const link of element.querySelectorAll("a")) if (!leadsAway(link, host)) linked += textOf(link).length;
  return length === 0 ? 0 : linked / length;
}

/** Drops short blocks that are mostly links: lists of related pages, tags, sharing, bylines. */
export function removeLinkBlocks(root: PageElement, whole: number, host: string): void {
  const shares = new Map<PageElement, number>();
  // A long list is asked about by each of its items, and measured once.
  const listShare = (list: PageElement): number => {
    const share = shares.get(list) ?? linkShare(list, textOf(list).length, host);
    shares.set(list, share);
    return share;
  };
  for (const element of root.querySelectorAll(CANDIDATES)) {
    if (element === root.firstElementChild) continue;
    const length = textOf(element).length;
    if (length === 0 || length > 600 || length > whole * 0.5) continue;
    // A list with some linked items is part of the article; one of mostly links goes as a whole.
    const list = element.localName === "li" ? element.parentNode : null;
    if (list && listShare(list) < 0.5) continue;
    if (linkShare(element, length, host) > (length < 200 ? 0.6 : 0.75)) element.remove();
  }
}
