import { getText, type PageElement, type PageNode, removeNodes } from "../dom.ts";
import { findCells } from "../model/measures.ts";
import { outlinePage } from "../model/outline.ts";
import { isBoilerplate } from "../prune/boilerplate.ts";
import { normaliseText } from "../text.ts";
import { isNamed, isNamedContent, NON_CONTENT_NAMES, toSet } from "../prune/names.ts";
import { listKinds, MAX_KINDS } from "./groups.ts";
import { weighElements } from "./weights.ts";

/** A part that has this share of the posts' text is their body. */
const MIN_BODY_SHARE = 0.9;
const MIN_BODIES_SHARE = 0.6;
/** A paragraph of a post is not its body, even if most posts have one only. */
const PARAGRAPH = /^(?:p|pre|ul|ol|blockquote|h[1-6])$/;
const MAX_REPEATED_LENGTH = 80;
const MAX_HEAD_LENGTH = 160;
/** Shorter quotes are part of the answer to them. */
const MAX_QUOTE_LENGTH = 150;
const MAX_QUOTES = 20;
/** Each quote that is looked for costs a search of the posts before it. */
const MAX_ALL_QUOTES = 2_000;
const MAX_COMPARED = 200_000;

/** A part of a post with a larger share of its text is not beside it, whatever its name. */
const MAX_BESIDE_SHARE = 0.5;

const SIGNATURE_NAMES = toSet("signature signatures sig");
const isBeside = (part: PageElement): boolean =>
  isNamed(part, SIGNATURE_NAMES) || (isNamed(part, NON_CONTENT_NAMES) && !isNamedContent(part));

/** Removes the parts of a post that are named as comments on it, tags, votes, the author's signature and the like. */
export function removeNamedParts(post: PageElement): void {
  const weights = weighElements(outlinePage(post));
  const whole = weights.get(post) ?? 0;
  for (const part of post.querySelectorAll("[class]"))
    if ((weights.get(part) ?? 0) <= whole * MAX_BESIDE_SHARE && isBeside(part)) part.remove();
}

/** A line of a post, with its text nodes. */
type Line = { readonly text: string; readonly nodes: readonly PageNode[]; readonly isInCell: boolean };

function listLines(post: PageElement): readonly Line[] {
  const { outline, nodes } = outlinePage(post);
  const cells = findCells(outline);
  return outline.blocks.map(({ element, text }, at) => ({ text, nodes: nodes[at] ?? [], isInCell: cells[element] === true }));
}

/** Removes the lines with author and time of a post, which are written before it. */
export function removeHeadLines(post: PageElement, marks: readonly (PageElement | undefined)[]): void {
  for (const { text, nodes } of listLines(post))
    if (text.length <= MAX_HEAD_LENGTH && marks.some((mark) => mark && nodes.some((node) => isWithin(node, mark)))) removeNodes(nodes);
}

function isWithin(node: PageNode, element: PageElement): boolean {
  for (let up: PageNode | null = node; up; up = up.parentNode) if (up === element) return true;
  return false;
}

/** Removes long quotes of earlier posts, which the thread itself contains. */
export function removeRepeatedQuotes(posts: readonly PageElement[]): void {
  let [letters, count] = ["", 0];
  for (const post of posts) {
    const quotes = [...post.querySelectorAll("blockquote")].slice(0, Math.min(MAX_QUOTES, MAX_ALL_QUOTES - count));
    count += quotes.length;
    for (const quote of quotes) {
      const own = normaliseText(getText(quote));
      if (own.length > MAX_QUOTE_LENGTH && letters.includes(own.slice(-MAX_QUOTE_LENGTH))) quote.remove();
    }
    if (letters.length < MAX_COMPARED) letters += normaliseText(getText(post));
  }
}

/** Whether a line is one of the site's, or without letters a count of votes or the like. Cells and code may have any text. */
const isLabel = ({ text, isInCell }: Line): boolean => !isInCell && (isBoilerplate(text) || !/\p{L}/u.test(text));

/** Removes lines that most posts have, such as "Reply", but for their numbers, and labels. */
export function removeRepeatedLines(posts: readonly PageElement[]): void {
  const lines = posts.map((post) => listLines(post).filter(({ text }) => text.length <= MAX_REPEATED_LENGTH));
  const toKey = ({ text }: Line): string => text.toLowerCase().replace(/\d+/g, "0");
  const counts = new Map<string, number>();
  for (const own of lines) for (const key of new Set(own.map(toKey))) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const line of lines.flat())
    if (isLabel(line) || (counts.get(toKey(line)) ?? 0) > Math.max(1, posts.length / 2)) removeNodes(line.nodes);
}

/**
 * Finds the body of each post: the smallest kind of part with nearly all of the posts' text, and some of its own. A post without such a
 * part is its own body.
 */
export function findBodies(posts: readonly PageElement[]): readonly PageElement[] {
  const weights = posts.map((post) => weighElements(outlinePage(post)));
  const whole = posts.reduce((sum, post, at) => sum + (weights[at]?.get(post) ?? 0), 0);
  const kinds = new Map<string, { readonly bodies: Map<number, PageElement>; weight: number; length: number }>();
  posts.forEach((post, at) => {
    const seen = new Set<string>();
    for (const part of post.querySelectorAll("*")) {
      const weight = weights[at]?.get(part);
      if (weight === undefined || PARAGRAPH.test(part.localName)) continue;
      const { length } = getText(part);
      for (const kind of listKinds(part)) {
        if (seen.has(kind) || (kinds.size >= MAX_KINDS && !kinds.has(kind))) continue;
        seen.add(kind);
        const found = kinds.get(kind) ?? { bodies: new Map<number, PageElement>(), weight: 0, length: 0 };
        found.bodies.set(at, part);
        found.weight += weight;
        found.length += length;
        kinds.set(kind, found);
      }
    }
  });
  const bodies = [...kinds.values()].filter(
    ({ weight, bodies: { size } }) => weight >= whole * MIN_BODY_SHARE && size >= posts.length * MIN_BODIES_SHARE,
  );
  bodies.sort((one, other) => one.length - other.length);
  return posts.map((post, at) => {
    const own = bodies.flatMap((kind) => kind.bodies.get(at) ?? []);
    return own.find((part) => (weights[at]?.get(part) ?? 0) > 0) ?? own[0] ?? post;
  });
}
