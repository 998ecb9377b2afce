import type { PageElement } from "../dom.ts";

/** Names that describe layout, state or the labels of a post, and not what the element is. */
const IGNORED_NAME =
  /^(?:has|no|with|without|hide|show|tag|category|post_tag|single|page|template|layout|theme|body|js|format|status|type|u|is|l|vc|wpb|elementor|td|menu-item)[-_]|(?:^|[-_])(?:with|has|no)(?:[-_]|$)/i;
/** Most names: the work for others would take a second for the classes of a large page. */
const SINGLE_WORD = /^[a-z]+$/;
const CONTENT_NAME = /^(?:entry|post|article|story|page|main|news)?[-_]*(?:entry|post|article|story|content|contents|text|body|main)$/i;
const MAX_LENGTH = 1_000;
/** A generated name such as "jXK9ad", which contains no words. */
const GENERATED_NAME = /[A-Za-z]\d+[A-Za-z]/;

/** Attributes with names of elements: for style sheets, tests and screen readers. */
const NAME_ATTRIBUTES = ["class", "id", "data-testid", "data-component", "aria-label"];

const joinNames = (element: PageElement): string => NAME_ATTRIBUTES.map((name) => element.getAttribute(name) ?? "").join(" ");

/** Splits an element's names into words in lower case: "author-bio" and "AuthorBio" both consist of "author" and "bio". */
export function splitNames(element: PageElement): readonly string[] {
  const names = joinNames(element);
  if (names.trim() === "" || names.length > MAX_LENGTH) return [];
  const words: string[] = [];
  for (const name of names.split(/\s+/)) {
    if (name === "" || IGNORED_NAME.test(name)) continue;
    if (SINGLE_WORD.test(name)) {
      words.push(name);
      continue;
    }
    // Two dashes precede a variant (BEM): "section--ads" is a section with advertisements, and not an advertisement.
    const normalised = name
      .replace(/--ads?\b/i, "")
      .replace(/news-letter/i, "newsletter")
      .replace(/pop-up/i, "popup")
      .replace(/([a-z])([A-Z])/g, "$1 $2");
    const parts = normalised
      .split(/[-_]+/)
      .filter((part) => !GENERATED_NAME.test(part))
      .flatMap((part) => part.split(/[^A-Za-z]+/))
      .filter((word) => word !== "");
    for (const word of parts) words.push(word.toLowerCase());
    // "siteSub" and "site-sub" also count as the single word "sitesub".
    if (parts.length === 2) words.push(parts.join("").toLowerCase());
  }
  return words;
}

/** Whether one of an element's names is that of a content container. */
export function isNamedContent(element: PageElement): boolean {
  const names = joinNames(element);
  return names.length <= MAX_LENGTH && names.split(/\s+/).some((name) => CONTENT_NAME.test(name));
}

export const isNamed = (element: PageElement, words: ReadonlySet<string>): boolean => splitNames(element).some((word) => words.has(word));

export const toSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Names of elements that are never part of the article. */
export const NON_CONTENT_NAMES = toSet(
  "share shares sharing shareblock teilen siguenos seguinos followus sitenotice shariff sharethis sharebar sharedaddy addthis addtoany social socials socialmedia related relatedposts recommended recommendation recommendations recirc recirculation outbrain taboola trending mostread mostpopular popular upnext comments comment commentlist commentform disqus respond livefyre newsletter newsletters subscribe subscription signup optin mailchimp tags taglist taglinks breadcrumb breadcrumbs crumbs crumb ad ads advert adverts advertisement advertising sponsor sponsored promo promos promotion anzeige werbung publicidad cookie cookies consent netiquette cta abowerbung appstores appstore survey recentcomments login signin signup chat vote noreviews wishlist reco assinatura suscripcion banner feedback noprint editsection printfooter catlinks sitesub gdpr paywall popup modal overlay tooltip popover nav navigation navbar navbox navboxes toc tableofcontents pagination pager sidebar toolbar",
);

/** Names of decorations that a site adds to headings and links. */
export const DECORATION_NAMES = toSet("editsection headerlink permalink anchorlink backref jump skiplink noprint viewcode");

/** Names of metadata within an article. */
export const METADATA_NAMES = toSet(
  "teaser teasers annotation utility entryfooter nextstory relatedlinks bylines dateline hits createdby pubdate postdate postmeta postmetadata entrymeta authorbio authorbox credit credits copyright rating ratings donate donation",
);
