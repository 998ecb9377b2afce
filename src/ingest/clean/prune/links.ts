import { type PageElement, getText } from "../dom.ts";

const CANDIDATE_SELECTOR = "ul, ol, div, section, p, li, header";
/** Hosts of share buttons and profiles; links to them count as navigation. */
const SHARING_HOST =
  /(?:^|\.)(?:facebook|twitter|x|linkedin|pinterest|whatsapp|instagram|reddit|telegram|t|youtube|google|flipboard|tumblr)\.\w+$/i;

const getSite = (host: string): string => host.toLowerCase().split(".").slice(-2).join(".");

/** Whether a link leads to another site. Such links are usually part of the text and not navigation. */
function isExternal(link: PageElement, host: string): boolean {
  // Telephone numbers and e-mail addresses are content.
  if (/^(?:mailto|tel|sms|geo):/i.test(link.getAttribute("href") ?? "")) return true;
  const other = /^(?:https?:)?\/\/([^/?#:]+)/i.exec(link.getAttribute("href") ?? "")?.[1];
  return host !== "" && other !== undefined && !SHARING_HOST.test(other) && getSite(other) !== getSite(host);
}

/** Computes the share of an element's text, which has `length` characters, that is in links within the site. */
export function computeLinkShare(element: PageElement, length: number, host: string): number {
  let linked = 0;
  for (const link of element.querySelectorAll("a")) if (!isExternal(link, host)) linked += getText(link).length;
  return length === 0 ? 0 : linked / length;
}

/** Removes short blocks that are mostly links: lists of related pages, tags, share buttons, bylines. */
export function removeLinkBlocks(root: PageElement, whole: number, host: string): void {
  const shares = new Map<PageElement, number>();
  // Each item needs the share of its list, which is computed once.
  const getListShare = (list: PageElement): number => {
    const share = shares.get(list) ?? computeLinkShare(list, getText(list).length, host);
    shares.set(list, share);
    return share;
  };
  for (const element of root.querySelectorAll(CANDIDATE_SELECTOR)) {
    if (element === root.firstElementChild) continue;
    const length = getText(element).length;
    if (length === 0 || length > 600 || length > whole * 0.5) continue;
    // Items are removed only from lists that consist mostly of links.
    const list = element.localName === "li" ? element.parentNode : null;
    if (list && getListShare(list) < 0.5) continue;
    if (computeLinkShare(element, length, host) > (length < 200 ? 0.6 : 0.75)) element.remove();
  }
}
