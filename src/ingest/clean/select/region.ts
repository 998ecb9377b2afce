import type { PageDocument, PageElement } from "../dom.ts";
import { textOf } from "../dom.ts";
import type { Anchors } from "./anchors.ts";
import { isNonContent } from "./evidence.ts";
import type { Zone } from "./zone.ts";

/** Share of the anchors that the article holds; the rest may stand in columns beside it. */
const MIN_SHARE = 0.8;
/** Of what an element adds to the article inside it, the share that may be evidently something else. */
const MAX_AROUND_SHARE = 0.5;
const MAIN = /^(?:main|article)$/;
const MAIN_NAME =
  /^(?:(?:page|site|main|primary|post|article|entry)[-_]?)?(?:content|main|article)(?:[-_]?(?:area|body|wrapper|container|inner))?$/i;
const HOLDS_REGION = /^(?:div|section|article|main|body|td)$/;

export type Region = {
  /** The element that holds the article. */
  readonly article: PageElement;
  /** The zone of an element whose parent is in the zone `outer`. */
  zoneOf(element: PageElement, outer: Zone): Zone;
};

const isMain = (element: PageElement): boolean =>
  MAIN.test(element.localName) ||
  element.getAttribute("role") === "main" ||
  [element.getAttribute("id") ?? "", ...(element.getAttribute("class") ?? "").slice(0, 500).split(/\s+/)].some((name) =>
    MAIN_NAME.test(name),
  );

/** The deepest element with nearly all of the anchors' text. */
function findArticle(body: PageElement, lengths: ReadonlyMap<PageElement, number>): PageElement {
  const whole = lengths.get(body) ?? 0;
  let article = body;
  for (;;) {
    const next: PageElement | undefined = [...article.children].find((child) => (lengths.get(child) ?? 0) >= whole * MIN_SHARE);
    if (!next || whole === 0) break;
    article = next;
  }
  // A paragraph or a list is no region: what stands beside it belongs to it.
  while (article !== body && article.parentNode && !HOLDS_REGION.test(article.localName)) article = article.parentNode;
  return article;
}

/** The innermost element around both. */
function commonAncestor(one: PageElement, other: PageElement): PageElement {
  const around = new Set<PageElement>();
  for (let up: PageElement | null = one; up; up = up.parentNode) around.add(up);
  let up = other;
  while (!around.has(up) && up.parentNode) up = up.parentNode;
  return up;
}

/**
 * The main part: what the page marks as such, or else what holds both the article and the title, or a little more where that has the name
 * of a main part. Without such a name it goes as far out as most of what is added may be content, unless there is too little text to tell.
 */
function findMain(body: PageElement, article: PageElement, { title: heading, isSparse }: Anchors, host: string): PageElement {
  const title = heading?.holder;
  const outer: PageElement[] = [];
  for (let up: PageElement | null = article; up && up !== body && up.getAttribute; up = up.parentNode) outer.push(up);
  const marked = outer.findLast((element) => element.localName === "main" || element.getAttribute("role") === "main");
  if (marked) return marked;
  if (title) {
    const common = commonAncestor(article, title);
    return outer.slice(outer.indexOf(common)).find(isMain) ?? (isSparse ? common : widen(body, common, host));
  }
  return outer.findLast(isMain) ?? widen(body, article, host);
}

function widen(body: PageElement, article: PageElement, host: string): PageElement {
  let inner = article;
  for (let up = article.parentNode; up && inner !== body && up.getAttribute; up = up.parentNode) {
    let [added, around] = [0, 0];
    for (const child of up.children) {
      if (child === inner) continue;
      const { length } = textOf(child);
      added += length;
      if (length > 0 && isNonContent(child, host)) around += length;
    }
    if (around > added * MAX_AROUND_SHARE) break;
    inner = up;
  }
  return inner;
}

/**
 * Where the anchors stand in their page, by how many characters of them each element holds, and what the page calls its main part; with
 * few anchors all of that is the article.
 */
export function findRegion(page: PageDocument, lengths: ReadonlyMap<PageElement, number>, anchors: Anchors, host: string): Region {
  const inner = findArticle(page.body, lengths);
  const main = findMain(page.body, inner, anchors, host);
  const article = anchors.isSparse ? main : inner;
  return {
    article,
    zoneOf: (element, outer) => {
      if (outer === "article" || element === article) return "article";
      return outer === "main" || element === main ? "main" : "outside";
    },
  };
}
