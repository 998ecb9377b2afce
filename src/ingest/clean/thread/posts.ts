import type { PageElement } from "../dom.ts";
import { findAuthors, readName, sortByDistance } from "./authors.ts";
import { chooseKind, groupAround } from "./groups.ts";
import { toTimeKey } from "./times.ts";
import type { Weights } from "./weights.ts";

const MIN_POSTS = 2;
const MAX_POSTS = 2_000;
/** A group with more posts is preferred to one with more text, if it has at least this share of its text. */
const MIN_TEXT_SHARE = 0.75;
/** Groups with most text of which the posts are chosen. */
const MAX_GROUPS = 12;

/** A post of a thread. `parts` are its elements without those of replies inside it, `weight` is that of their text. */
export type Post = {
  readonly element: PageElement;
  readonly parts: readonly PageElement[];
  readonly author: PageElement | undefined;
  readonly time: PageElement | undefined;
  readonly weight: number;
};

/** Equal parts of a page, in document order. A reply may be inside the post that it answers. `weight` is that of the signed ones. */
export type Posts = { readonly posts: readonly Post[]; readonly signed: readonly Post[]; readonly weight: number };

const sum = (posts: readonly Post[]): number => posts.reduce((all, { weight }) => all + weight, 0);

/** Finds the equal parts of a page of which most have an author and a time each, in the same kinds of elements; null if there are none. */
export function findPosts(root: PageElement, times: readonly PageElement[], weights: Weights): Posts | null {
  const marks = { authors: findAuthors(root, new Set(times)), times: new Set(times) };
  const groups = listGroups(root, times, weights).map((group) => describePosts(root, group, marks, weights));
  const most = groups.reduce((max, { weight }) => Math.max(max, weight), 0);
  const large = groups.filter(({ weight }) => weight >= most * MIN_TEXT_SHARE);
  return large.reduce<Posts | null>((best, group) => (best && best.signed.length >= group.signed.length ? best : group), null);
}

/** Lists different groups of equal elements around the times, those with most text first. */
function listGroups(root: PageElement, times: readonly PageElement[], weights: Weights): (readonly PageElement[])[] {
  const different = new Map<string, { readonly group: readonly PageElement[]; readonly weight: number }>();
  const numbers = new Map([...root.querySelectorAll("*")].map((element, at) => [element, at]));
  for (const group of groupAround(root, times).values()) {
    if (group.length < MIN_POSTS || group.length > MAX_POSTS) continue;
    const members = new Set(group);
    // The text of a reply is counted with the post that contains it.
    const outer = group.filter((element) => !isInside(element, members));
    const weight = outer.reduce((all, one) => all + (weights.get(one) ?? 0), 0);
    different.set(`${group.length} ${group.map((one) => numbers.get(one)).join(" ")}`, { group, weight });
  }
  const sorted = [...different.values()].toSorted((one, other) => other.weight - one.weight);
  return sorted.slice(0, MAX_GROUPS).map(({ group }) => group);
}

function isInside(element: PageElement, group: ReadonlySet<PageElement>): boolean {
  for (let up = element.parentNode; up; up = up.parentNode) if (group.has(up)) return true;
  return false;
}

type Marks = { readonly authors: ReadonlySet<PageElement>; readonly times: ReadonlySet<PageElement> };

function describePosts(root: PageElement, group: readonly PageElement[], marks: Marks, weights: Weights): Posts {
  const own = listOwnParts(root, group);
  const authors = chooseKind(
    own.map((parts) => parts.filter((part) => marks.authors.has(part))),
    readName,
  );
  const chosen = chooseKind(
    own.map((parts, at) =>
      sortByDistance(
        parts.filter((part) => marks.times.has(part)),
        authors[at],
      ),
    ),
    toTimeKey,
  );
  const members = new Set(group);
  const posts = group.map((element, at) => {
    const parts = own[at] ?? [];
    const inner = parts.flatMap((part) => [...part.children].filter((child) => members.has(child)));
    const weight = inner.reduce((rest, child) => rest - (weights.get(child) ?? 0), weights.get(element) ?? 0);
    return { element, parts, author: authors[at], time: chosen[at], weight };
  });
  const signed = posts.filter(({ author, time, weight }) => author !== undefined && time !== undefined && weight > 0);
  return { posts, signed, weight: sum(signed) };
}

/** Lists the elements of each post of a group, without those of posts inside it. */
function listOwnParts(root: PageElement, group: readonly PageElement[]): readonly (readonly PageElement[])[] {
  const parts = new Map<PageElement, PageElement[]>(group.map((element) => [element, []]));
  const owners = new Map<PageElement, PageElement>();
  for (const element of root.querySelectorAll("*")) {
    const owner = parts.has(element) ? element : element.parentNode && owners.get(element.parentNode);
    if (!owner) continue;
    owners.set(element, owner);
    parts.get(owner)?.push(element);
  }
  return group.map((element) => parts.get(element) ?? []);
}
