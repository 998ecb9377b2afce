import { type PageDocument, type PageElement, textOf } from "./dom.ts";

const NOISE = "script, style, noscript, template, svg, iframe, object, embed, canvas, dialog";
const AROUND = "figure, figcaption, aside, form, nav, footer";
const HOLDS_CONTENT = "pre, table, blockquote";
/** A frame that holds more of the page's words than this is the page, whatever its name. */
const SAFE_SHARE = 0.35;

/** Takes out what is never the article: code, captions, asides, forms, menus and footers. */
export function pruneBefore(page: PageDocument): void {
  for (const element of page.querySelectorAll(NOISE)) element.remove();
  const whole = textOf(page.documentElement).length;
  for (const element of page.querySelectorAll(AROUND)) {
    if (element.localName === "figure" && element.querySelector(HOLDS_CONTENT)) continue;
    if (textOf(element).length <= whole * SAFE_SHARE) element.remove();
  }
}

const CANDIDATES = "ul, ol, div, section, p, li, h2, h3, h4, h5, h6, header";

function linkShare(element: PageElement, length: number): number {
  let linked = 0;
  for (const link of element.querySelectorAll("a")) linked += textOf(link).length;
  return length === 0 ? 0 : linked / length;
}

/** Drops short blocks that are mostly links: lists of related pages, tags, sharing, bylines. */
function dropLinkBlocks(root: PageElement, whole: number): void {
  const shares = new Map<PageElement, number>();
  // A long list is asked about by each of its items, and measured once.
  const listShare = (list: PageElement): number => {
    const share = shares.get(list) ?? linkShare(list, textOf(list).length);
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
    if (linkShare(element, length) > (length < 200 ? 0.6 : 0.75)) element.remove();
  }
}

const BOILERPLATE: readonly RegExp[] = [
  /^(?:advertisement|advertisements|advertising|sponsored|promoted|ad|story continues(?: below)?.*|continue reading.*|read more\b.{0,100}|read also\b.{0,120}|also read\b.{0,120}|see also:.{0,120}|more:.{0,120}|related(?: (?:articles?|stories|posts?|content|topics|coverage|links?|news|reading))?(?::.{0,160})?)\.?$/i,
  /^(?:share|share this.{0,60}|share on .{0,40}|share (?:article|story|via).{0,40}|tweet|pin it|print|email|e-mail|save|copy link|like this:?.{0,20}|loading\.{0,3}|follow us.{0,100}|follow .{1,40} on (?:twitter|facebook|instagram|x).{0,60})\.?$/i,
  /^(?:sign up|subscribe|register)\b.{0,40}\b(?:newsletters?|updates|alerts|e-?mails?|inbox|channel|podcast|now|today|here)\b.{0,120}$/i,
  /^(?:get|receive)\b.{0,60}\b(?:inbox|newsletters?)\b.{0,80}$/i,
  /^(?:click|tap) (?:here|on|to)\b.{0,140}$/i,
  /^(?:download|get) (?:the|our) .{0,30}\bapp\b.{0,80}$/i,
  /^(?:©|\(c\) ?\d{4}|copyright\b).{0,200}$/i,
  /^.{0,60}\ball rights reserved\b.{0,120}$/i,
  /^(?:photo(?:graph)?s?|image|picture|photo credit|image credit|credit|source|foto|illustration)(?: by| credit| source| courtesy| via|:| ?\/).{0,140}$/i,
  /^(?:tags?|filed under|posted in|categories|category|topics?|keywords|labels)\s*:?(?:\s.{0,160})?$/i,
  /^(?:comments?|leave a (?:comment|reply)|no comments.{0,30}|\d+ comments?|view comments.{0,20}|join the (?:conversation|discussion).{0,60}|what do you think\?.{0,60})$/i,
  /^(?:(?:last )?(?:updated|published|posted|modified)(?: on| at)?|first published(?: on)?):?\s.{0,60}$/i,
  /^(?:\d{1,2} )?min(?:ute)?s? read$|^\d{1,2} min(?:ute)?s?(?: read)?$/i,
  /^(?:watch|video|listen|photos|gallery|in pictures):.{0,140}$/i,
  /^(?:most (?:read|popular|viewed)|trending(?: now)?|recommended(?: for you)?|you (?:may|might) (?:also )?(?:like|be interested in).{0,40}|up next|next article|previous article|don't miss.{0,60}|editor'?s picks?|top stories)\s*:?$/i,
  /^(?:skip (?:to|advert|ad)\b.{0,50}|back to top|show more|view more|load more|see more|expand|close|menu|search)$/i,
  /^(?:this (?:article|story|post) (?:was )?(?:first |originally )?(?:appeared|published)\b).{0,160}$/i,
  /^(?:teilen|drucken|anzeige|werbung|mehr zum thema.{0,80}|lesen sie auch.{0,120}|publicité|partager|à lire aussi.{0,120}|lire aussi.{0,120}|publicidad|compartir|lea también.{0,120}|leia também.{0,120}|pubblicità|condividi|leggi anche.{0,120}|реклама|поделиться|читайте также.{0,120})$/i,
];

const isBoilerplate = (text: string): boolean => text.length <= 220 && BOILERPLATE.some((pattern) => pattern.test(text));
const LINES = "p, div, li, h1, h2, h3, h4, h5, h6, span, section, ul, strong, em, b";
const alike = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Takes out of the article found: short blocks of links, boilerplate lines, and the title where it is said again. */
export function pruneAfter(root: PageElement, titles: readonly (string | null)[]): void {
  const whole = textOf(root).length;
  dropLinkBlocks(root, whole);
  const echoes = new Set(titles.filter((title) => title !== null).map(alike));
  const texts = new Map<PageElement, string>();
  const parentText = (parent: PageElement): string => {
    const text = texts.get(parent) ?? textOf(parent);
    texts.set(parent, text);
    return text;
  };
  for (const element of root.querySelectorAll(LINES)) {
    const text = textOf(element);
    if (text === "" || text.length > 500) continue;
    const inline = /^(?:span|strong|em|b)$/.test(element.localName);
    if (inline && element.parentNode && parentText(element.parentNode) !== text) continue;
    if (isBoilerplate(text)) element.remove();
    else if (/^(?:h1|h2|h3|div|p)$/.test(element.localName) && echoes.has(alike(text))) element.remove();
  }
}
