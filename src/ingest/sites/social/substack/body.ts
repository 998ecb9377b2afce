import { getArray, getNumber, getString, getValue } from "../../../read/json-access.ts";
import { getUrl, joinParagraphs } from "../../../extract/posts/post-text.ts";

const MAX_DEPTH = 20;
const MAX_NODES = 10_000;
const MAX_CHARACTERS = 200_000;

/** Nodes that may still be visited. The limit bounds the time for a huge document. */
type Budget = { nodes: number };

/** Yields the node's children until the budget is used up. */
function* iterateChildren(node: unknown, budget: Budget): Generator {
  for (const child of getArray(node, "content")) {
    if (budget.nodes <= 0) return;
    budget.nodes--;
    yield child;
  }
}

/** Formats a text node. The address of a link follows its text in brackets, unless the text contains it. */
function formatText(node: unknown): string {
  const text = getValue(node, "text");
  if (typeof text !== "string") return "";
  const link = getArray(node, "marks").find((mark) => getString(mark, "type") === "link");
  const url = getUrl(link, "attrs", "href");
  if (url === null || text.includes(url)) return text;
  return url.includes(text.trim()) ? url : `${text} (${url})`;
}

function formatInline(node: unknown, depth: number, budget: Budget): string {
  switch (getString(node, "type")) {
    case "text":
      return formatText(node);
    case "hardBreak":
    case "hard_break":
      return "\n";
    case "substack_mention":
      return `@${getString(node, "attrs", "label") ?? ""}`;
    default:
      return depth > MAX_DEPTH ? "" : Array.from(iterateChildren(node, budget), (child) => formatInline(child, depth + 1, budget)).join("");
  }
}

const indent = (text: string): string => text.replaceAll("\n", "\n  ");

function formatList(node: unknown, depth: number, budget: Budget, marker: (index: number) => string): string {
  return Array.from(
    iterateChildren(node, budget),
    (item, index) => `${marker(index)} ${indent(formatBlocks(item, depth + 1, budget, "\n"))}`,
  ).join("\n");
}

function formatBlock(node: unknown, depth: number, budget: Budget): string {
  switch (getString(node, "type")) {
    case "bulletList":
    case "bullet_list":
      return formatList(node, depth, budget, () => "-");
    case "orderedList":
    case "ordered_list":
      return formatList(node, depth, budget, (index) => `${index + 1}.`);
    case "blockquote":
      return formatBlocks(node, depth + 1, budget, "\n\n").replace(/^/gm, "> ");
    case "heading":
      return `${"#".repeat(Math.min(6, Math.max(1, getNumber(node, "attrs", "level") ?? 1)))} ${formatInline(node, depth, budget)}`;
    default:
      return formatInline(node, depth, budget);
  }
}

function formatBlocks(node: unknown, depth: number, budget: Budget, separator: string): string {
  if (depth > MAX_DEPTH) return "";
  return Array.from(iterateChildren(node, budget), (child) => formatBlock(child, depth, budget).trimEnd())
    .filter((block) => block.trim() !== "")
    .join(separator);
}

/** Formats a note's text as light Markdown: its document (`body_json`, ProseMirror), or else its plain text (`body`). */
export function formatBody(comment: unknown): string {
  const formatted = formatBlocks(getValue(comment, "body_json"), 0, { nodes: MAX_NODES }, "\n\n");
  const text = formatted === "" ? (getString(comment, "body") ?? "").replace(/\n{3,}/g, "\n\n") : formatted;
  return text.slice(0, MAX_CHARACTERS);
}

/** Formats the links and posts that a note shares, with their titles. Pictures have no text. */
export function formatAttachments(comment: unknown): string {
  const lines = getArray(comment, "attachments")
    .slice(0, 20)
    .map((attachment) => {
      const post = getValue(attachment, "post");
      const link = getValue(attachment, "linkMetadata");
      const title = getString(post, "title") ?? getString(link, "title");
      const url = getUrl(post, "canonical_url") ?? getUrl(link, "url");
      return [title, url].filter((part) => part !== null).join("\n");
    });
  return joinParagraphs(lines);
}
