import type { PageElement } from "../dom.ts";

/** Names that say what an element has or how it is laid out, and a post's own labels; none says what the element is. */
const OF_OTHER_THINGS =
  /^(?:has|no|with|without|hide|show|tag|category|post_tag|single|page|template|layout|theme|body|js|format|status|type|u|is|l|vc|wpb|elementor|td|menu-item)[-_]|(?:^|[-_])(?:with|has|no)(?:[-_]|$)/i;
const CONTENT = /^(?:entry|post|article|story|page|main|news)?[-_]*(?:entry|post|article|story|content|contents|text|body|main)$/i;
const MAX_LENGTH = 1_000;
/** A name that a program made, such as "jXK9ad"; what stands in it is no word. */
const HASH = /[A-Za-z]\d+[A-Za-z]/;

/** Attributes in which pages name their parts, for style sheets, for tests, and for screen readers. */
const NAMING = ["class", "id", "data-testid", "data-component", "aria-label"];

const namesOf = (element: PageElement): string => NAMING.map((name) => element.getAttribute(name) ?? "").join(" ");

/** The words of an element's class and id, in lower case: "author-bio" and "AuthorBio" are both author and bio. */
export function wordsOf(element: PageElement): readonly string[] {
  const names = namesOf(element);
  if (names.trim() === "" || names.length > MAX_LENGTH) return [];
  const words: string[] = [];
  for (const name of names.split(/\s+/)) {
    if (name === "" || OF_OTHER_THINGS.test(name)) continue;
    // After two dashes stands a variant, by custom: a section that has advertisements is not one.
    const said = name
      .replace(/--ads?\b/i, "")
      .replace(/news-letter/i, "newsletter")
      .replace(/pop-up/i, "popup")
      .replace(/([a-z])([A-Z])/g, "$1 $2");
    const parts = said
      .split(/[-_]+/)
      .filter((part) => !HASH.test(part))
      .flatMap((part) => part.split(/[^A-Za-z]+/))
      .filter((word) => word !== "");
    for (const word of parts) words.push(word.toLowerCase());
    // "siteSub" and "site-sub" are also one word.
    if (parts.length === 2) words.push(parts.join("").toLowerCase());
  }
  return words;
}

/** Whether an element is named as what holds the text, whatever else it is named. */
export function isNamedContent(element: PageElement): boolean {
  const names = namesOf(element);
  return names.length <= MAX_LENGTH && names.split(/\s+/).some((name) => CONTENT.test(name));
}

export const isNamed = (element: PageElement, words: ReadonlySet<string>): boolean => wordsOf(element).some((word) => words.has(word));

export const toSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Parts of a page that are never its article. */
export const NON_CONTENT_NAMES = toSet(
  "share shares sharing shareblock teilen siguenos seguinos followus sitenotice shariff sharethis sharebar sharedaddy addthis addtoany social socials socialmedia related relatedposts recommended recommendation recommendations recirc recirculation outbrain taboola trending mostread mostpopular popular upnext comments comment commentlist commentform disqus respond livefyre newsletter newsletters subscribe subscription signup optin mailchimp tags taglist taglinks breadcrumb breadcrumbs crumbs crumb ad ads advert adverts advertisement advertising sponsor sponsored promo promos promotion anzeige werbung publicidad cookie cookies consent netiquette cta abowerbung appstores appstore survey recentcomments login signin signup chat vote noreviews wishlist reco assinatura suscripcion banner feedback noprint editsection printfooter catlinks sitesub gdpr paywall popup modal overlay tooltip popover nav navigation navbar navbox navboxes toc tableofcontents pagination pager sidebar toolbar",
);

/** Marks of a site beside its headings and links. */
export const DECORATION_NAMES = toSet("editsection headerlink permalink anchorlink backref jump skiplink noprint");

/** Parts inside an article that are not its text. */
export const METADATA_NAMES = toSet(
  "teaser teasers annotation utility entryfooter nextstory relatedlinks bylines dateline hits createdby pubdate postdate postmeta postmetadata entrymeta authorbio authorbox credit credits copyright rating ratings donate donation",
);

/** Parts that say who wrote an article and when; of an event, a thread or a record they are what it is about. */
export const BYLINE_NAMES = toSet("byline author authors bio date dates datetime timestamp published updated posted meta metadata legend");

/** What opens an article before its first paragraph. */
export const LEAD_NAMES = toSet(
  "lead lede leader intro introduction teaser subtitle subheadline subhead subheading deck dek standfirst summary excerpt abstract chapo chapeau bajada entradilla sapo strapline preamble ingress vorspann anriss description",
);
