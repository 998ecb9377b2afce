import { getText, type PageElement } from "../dom.ts";
import { getTypes, type LinkedData } from "../embedded/linked-data.ts";
import { toMarkdown } from "../markdown.ts";
import { isProse } from "../model/measures.ts";
import type { OutlinedPage } from "../model/outline.ts";
import { writePostHead } from "../text.ts";
import { readName } from "./authors.ts";
import { findBodies, removeHeadLines, removeNamedParts, removeRepeatedLines, removeRepeatedQuotes } from "./bodies.ts";
import { findPosts, type Post } from "./posts.ts";
import { findTimes, readTime } from "./times.ts";
import { weighElements } from "./weights.ts";

/** If fewer parts of a page have both an author and a time, each in the same kind of element, they are no posts. */
const MIN_SIGNED_SHARE = 0.6;
/**
 * If the paragraphs before the first post have a larger share of the length of the posts, they are an article with comments. A page that
 * says that it is a thread may have as much text in notices.
 */
const MAX_LEAD_SHARE = 0.1;
/** Posts of less weight on average are rows of a list. */
const MIN_MEAN_WEIGHT = 30;
/** With a smaller share of the page's text, the posts are beside the content. */
const MIN_PAGE_SHARE = 0.4;
/** Shorter links in headings lead to an author or the post itself. */
const MIN_TEASER_TITLE = 20;
/** Parts of more weight are texts of their own, whatever their headings link to. */
const MAX_TEASER_WEIGHT = 300;

/** Types of schema.org for pages whose comments are not their content, and for threads. */
const ARTICLE_TYPE = /Article|BlogPosting/;
const THREAD_TYPE = /DiscussionForumPosting/;

/**
 * Reads a thread: equal parts with an author and a time each that are the main content of the page. Returns the posts as Markdown in
 * order, each after a line with its author and time; null, with the page unchanged, if the page is not a thread. `outlined` is the outline
 * of its body. Linked data may say what it is.
 */
export function readThread(body: PageElement, outlined: OutlinedPage, linked: LinkedData): string | null {
  const types = linked.content.map(getTypes).join(" ");
  if (ARTICLE_TYPE.test(types)) return null;
  const times = findTimes(body);
  if (times.length < 2) return null;
  const weights = weighElements(outlined);
  const found = findPosts(body, times, weights);
  if (!found || found.weight < found.signed.length * MIN_MEAN_WEIGHT || found.signed.length < found.posts.length * MIN_SIGNED_SHARE)
    return null;
  if (found.weight < (weights.get(body) ?? 0) * MIN_PAGE_SHARE || isTeaserList(found.posts)) return null;
  if (found.signed.some(({ element, weight }) => weight > found.weight / 2 && element.querySelector("h1"))) return null;
  if (computeLeadShare(outlined, found.posts) > (THREAD_TYPE.test(types) ? 1 : MAX_LEAD_SHARE)) return null;
  return writePosts(found.posts.filter(({ author, time }) => author !== undefined || time !== undefined));
}

/** Whether parts are teasers of other pages: short, and with linked headings. */
function isTeaserList(posts: readonly Post[]): boolean {
  const weights = posts.map(({ weight }) => weight).sort((one, other) => one - other);
  if ((weights[Math.floor(weights.length / 2)] ?? 0) >= MAX_TEASER_WEIGHT) return false;
  const titles = posts.flatMap(({ parts, author }) => parts.filter((part) => isLinkedTitle(part, author)));
  return titles.length >= Math.max(2, posts.length / 2);
}

function isLinkedTitle(part: PageElement, author: PageElement | undefined): boolean {
  if (!/^h[1-6]$/.test(part.localName)) return false;
  const link = part.parentNode?.localName === "a" ? part.parentNode : part.querySelector("a[href]");
  const text = link ? getText(link) : "";
  return text.length >= MIN_TEASER_TITLE && text !== (author ? getText(author) : "") && !link?.getAttribute("href")?.includes("#");
}

/** Computes the length of the paragraphs before the first post, as a share of those in posts. */
function computeLeadShare({ outline: { blocks }, sources }: OutlinedPage, posts: readonly Post[]): number {
  const inPosts = new Set(posts.flatMap(({ parts }) => parts));
  let [before, inside] = [0, 0];
  for (const block of blocks) {
    if (!isProse(block)) continue;
    if (inPosts.has(sources[block.element] as PageElement)) inside += block.text.length;
    else if (inside === 0) before += block.text.length;
  }
  return before / inside;
}

function writeHead({ author, time }: Post): string {
  const [name, written] = [author ? readName(author) : "", time ? readTime(time) : ""];
  return writePostHead([written.includes(name) ? "" : name, written]);
}

function writePosts(posts: readonly Post[]): string {
  const heads = posts.map(writeHead);
  // Replies are posts of their own, after the post that they answer.
  for (const { element } of posts) element.remove();
  for (const { element, author, time } of posts) {
    removeHeadLines(element, [author, time]);
    removeNamedParts(element);
  }
  const elements = posts.map(({ element }) => element);
  removeRepeatedQuotes(elements);
  removeRepeatedLines(elements);
  const texts = findBodies(elements).map(toMarkdown);
  return heads
    .map((head, at) => (texts[at] ? `${head}\n\n${texts[at]}` : ""))
    .filter((post) => post !== "")
    .join("\n\n");
}
