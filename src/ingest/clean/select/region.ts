import type { PageDocument, PageElement } from "../dom.ts";
import { getText } from "../dom.ts";
import type { Anchors } from "./anchors.ts";
import { isNonContent } from "./evidence.ts";
import type { Placement } from "./placement.ts";

/** Minimum share of the anchors' text in the article; the rest may be in columns beside it. */
const MIN_ANCHOR_SHARE = 0.8;
/** The main part is widened to the parent element if at most this share of the added text is not content. */
const MAX_NON_CONTENT_SHARE = 0.5;
const MAIN = /^(?:main|article)$/;
const MAIN_NAME =
  /^(?:(?:page|site|main|primary|post|article|entry)[-_]?)?(?:content|main|article)(?:[-_]?(?:area|body|wrapper|container|inner))?$/i;
const REGION_ELEMENT = /^(?:div|section|article|main|body|td)$/;

export type Region = {
  /** The element that contains the article. */
  readonly article: PageElement;
  /** Returns the placement of an element whose parent is in the placement `outer`. */
  getPlacement(element: PageElement, outer: Placement): Placement;
};

const isMain = (element: PageElement): boolean =>
  MAIN.test(element.localName) ||
  element.getAttribute("role") === "main" ||
  [element.getAttribute("id") ?? "", ...(element.getAttribute("class") ?? "").slice(0, 500).split(/\s+/)].some((name) =>
    MAIN_NAME.test(name),
  );

/** Finds the innermost element with nearly all of the anchors' text. */
function findArticle(body: PageElement, lengths: ReadonlyMap<PageElement, number>): PageElement {
  const whole = lengths.get(body) ?? 0;
  let article = body;
  for (;;) {
    const next: PageElement | undefined = [...article.children].find((child) => (lengths.get(child) ?? 0) >= whole * MIN_ANCHOR_SHARE);
    if (!next || whole === 0) break;
    article = next;
  }
  // A paragraph or a list is too small: the text beside it belongs to the article.
  while (article !== body && article.parentNode && !REGION_ELEMENT.test(article.localName)) article = article.parentNode;
  return article;
}

/** Finds the innermost element that contains both. */
function findCommonAncestor(one: PageElement, other: PageElement): PageElement {
  const around = new Set<PageElement>();
  for (let up: PageElement | null = one; up; up = up.parentNode) around.add(up);
  let up = other;
  while (!around.has(up) && up.parentNode) up = up.parentNode;
  return up;
}

/**
 * Finds the main part: the element that the page marks as such. Otherwise it is the element that contains both the article and the title,
 * or an ancestor of it that is named as a main part. Without such a name, it is widened while most of the added text may be content,
 * unless the page has too little text to decide.
 */
function findMain(body: PageElement, article: PageElement, { title: heading, isSparse }: Anchors, host: string): PageElement {
  const title = heading?.container;
  const outer: PageElement[] = [];
  for (let up: PageElement | null = article; up && up !== body && up.getAttribute; up = up.parentNode) outer.push(up);
  const marked = outer.findLast((element) => element.localName === "main" || element.getAttribute("role") === "main");
  if (marked) return marked;
  if (title) {
    const common = findCommonAncestor(article, title);
    return outer.slice(outer.indexOf(common)).find(isMain) ?? (isSparse ? common : widen(body, common, host));
  }
  return outer.findLast(isMain) ?? widen(body, article, host);
}

/** Extends an element to its ancestors while at most half of the added text is evidently not content. */
function widen(body: PageElement, article: PageElement, host: string): PageElement {
  let inner = article;
  for (let up = article.parentNode; up && inner !== body && up.getAttribute; up = up.parentNode) {
    let [added, nonContent] = [0, 0];
    for (const child of up.children) {
      if (child === inner) continue;
      const { length } = getText(child);
      added += length;
      if (length > 0 && isNonContent(child, host)) nonContent += length;
    }
    if (nonContent > added * MAX_NON_CONTENT_SHARE) break;
    inner = up;
  }
  return inner;
}

/**
 * Finds the article and the main part of a page from the number of anchor characters in each element and from the page's own markup.
 * With few anchors the whole main part counts as the article.
 */
export function findRegion(page: PageDocument, lengths: ReadonlyMap<PageElement, number>, anchors: Anchors, host: string): Region {
  const inner = findArticle(page.body, lengths);
  const main = findMain(page.body, inner, anchors, host);
  const article = anchors.isSparse ? main : inner;
  return {
    article,
    getPlacement: (element, outer) => {
      if (outer === "article" || element === article) return "article";
      return outer === "main" || element === main ? "main" : "outside";
    },
  };
}
