import { getText, type PageElement } from "../dom.ts";

/** Pages with more elements around times are tables of data. */
const MAX_ELEMENTS = 8_000;
const MAX_CLASSES = 12;
/** What is known of a kind takes half a kilobyte. Pages have a few hundred. */
export const MAX_KINDS = 10_000;
/** A kind of mark that nearly as many posts have as the most frequent one is preferred if it has more values. */
const MIN_KIND_SHARE = 0.8;

/** Microdata of a post (schema.org). */
const PROPERTY = /^(?:author|dateCreated|datePublished)$/;
const MICRODATA = "@";

/**
 * Names by which equal parts of a page are recognised: the element's microdata, its type with each of its classes or its numbered id, or
 * else its parent's first class. State and number of a part, such as "first", are in other classes.
 */
export function listKinds(element: PageElement): readonly string[] {
  const classes = (element.getAttribute("class") ?? "").slice(0, 500).split(/\s+/);
  const names = classes.filter((name) => name !== "" && !/\d{2}/.test(name)).slice(0, MAX_CLASSES);
  const property = element.getAttribute("itemprop") ?? "";
  const kinds = [...(PROPERTY.test(property) ? [MICRODATA + property] : []), ...names.map((name) => `${element.localName}.${name}`)];
  const id = (element.getAttribute("id") ?? "").slice(0, 100);
  if (/\d/.test(id)) kinds.push(`${element.localName}#${id.replace(/[\da-f]*\d[\da-f]*/gi, "")}`);
  if (kinds.length > 0) return kinds;
  const outer = element.parentNode;
  const [parent] = (outer?.getAttribute?.("class") ?? "").slice(0, 200).trim().split(/\s+/);
  return [`${outer?.localName ?? ""}.${parent ?? ""}>${element.localName}`];
}

/** Groups the elements around the marks by kind, in document order. Returns nothing if there are too many. */
export function groupAround(root: PageElement, marks: readonly PageElement[]): ReadonlyMap<string, readonly PageElement[]> {
  const around = new Set<PageElement>();
  for (const mark of marks)
    for (let up: PageElement | null = mark; up && up !== root && !around.has(up); up = up.parentNode) around.add(up);
  const groups = new Map<string, PageElement[]>();
  if (around.size > MAX_ELEMENTS) return groups;
  for (const element of root.querySelectorAll("*")) {
    if (!around.has(element)) continue;
    for (const kind of listKinds(element)) {
      const group = groups.get(kind);
      if (group) group.push(element);
      else groups.set(kind, [element]);
    }
  }
  return groups;
}

/**
 * Chooses for each post one of its marks, the first of the same kind: microdata or a kind that most posts have, with most values, then
 * with least text.
 */
export function chooseKind(
  marks: readonly (readonly PageElement[])[],
  toValue: (mark: PageElement) => string,
): readonly (PageElement | undefined)[] {
  const kinds = new Map<
    string,
    {
      readonly isMicrodata: boolean;
      readonly byPost: Map<number, PageElement>;
      readonly values: Set<string>;
      length: number;
    }
  >();
  marks.forEach((own, at) => {
    for (const mark of own) {
      const [value, { length }] = [toValue(mark), getText(mark)];
      for (const kind of listKinds(mark)) {
        if (kinds.size >= MAX_KINDS && !kinds.has(kind)) continue;
        const found = kinds.get(kind) ?? {
          isMicrodata: kind.startsWith(MICRODATA),
          byPost: new Map<number, PageElement>(),
          values: new Set<string>(),
          length: 0,
        };
        kinds.set(kind, found);
        if (found.byPost.has(at)) continue;
        found.byPost.set(at, mark);
        found.values.add(value);
        found.length += length;
      }
    }
  });
  const most = [...kinds.values()].reduce((max, { byPost }) => Math.max(max, byPost.size), 0);
  const common = [...kinds.values()].filter(({ byPost }) => byPost.size >= most * MIN_KIND_SHARE);
  common.sort(
    (one, other) => Number(other.isMicrodata) - Number(one.isMicrodata) || other.values.size - one.values.size || one.length - other.length,
  );
  const [best, next] = common;
  // Pages give the first post other microdata than its replies.
  return marks.map((_, at) => best?.byPost.get(at) ?? (best?.isMicrodata ? next?.byPost.get(at) : undefined));
}
