const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const IMAGE = /!\[[^[\]\n]{0,500}\](?:\([^()\s]{0,4000}(?:\s"[^"\n]{0,500}")?\)|\[[^[\]\n]{0,200}\])/g;
const EMPTY_LINK = /\[\s*\](?:\([^()\n]{0,4000}\)|\[[^[\]\n]{0,200}\])/g;
const LINK = /\[([^[\]\n]{1,500})\]\((?:[^()\s]|\([^()\s]{0,500}\)){0,2000}(?:\s"[^"\n]{0,500}")?\)/g;
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:\s*<?(?:https?:|data:|\/|#|\.)/;
const TAG =
  /<\/?(?:a|p|div|img|br|picture|source|center|h[1-6]|span|sub|sup|b|i|em|strong|kbd|details|summary|table|thead|tbody|tr|td|th|ul|ol|li|hr|video|font|samp|align)(?:\s[^<>]{0,4000})?\/?>/gi;

const CODE_SPAN = /(`[^`\n]+`)/;

/** Removes images, link targets and HTML tags from a line, except inside code spans. */
function simplifyLine(line: string): string {
  if (!/[<[]/.test(line)) return line;
  const parts = line.split(CODE_SPAN);
  const plain = parts.map((part, index) =>
    index % 2 === 1 ? part : part.replace(TAG, "").replace(IMAGE, "").replace(EMPTY_LINK, "").replace(LINK, "$1"),
  );
  // The text of a link may contain code, which splits the line between its brackets.
  return parts.length === 1 ? plain.join("") : plain.join("").replace(LINK, "$1");
}

/** A line without its HTML comments. `isOpen` says that a comment continues in the next line. */
type StrippedLine = { readonly rest: string; readonly isOpen: boolean };

/** Removes the HTML comments of a line; `isOpen` says that it begins inside a comment. */
function stripComments(line: string, isOpen: boolean): StrippedLine {
  const parts: string[] = [];
  let index = 0;
  let isInComment = isOpen;
  while (index < line.length) {
    const mark = line.indexOf(isInComment ? "-->" : "<!--", index);
    if (!isInComment) parts.push(line.slice(index, mark < 0 ? line.length : mark));
    if (mark < 0) break;
    index = mark + (isInComment ? 3 : 4);
    isInComment = !isInComment;
  }
  return { rest: parts.join(""), isOpen: isInComment };
}

/**
 * Removes images, badges, link targets, HTML comments and tags from Markdown, so that it reads like a cleaned page. Keeps code,
 * headings, lists, quotes and tables.
 */
export function simplifyMarkdown(markdown: string): string {
  const source = markdown
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n");
  // Text after an unterminated comment is shown.
  const lastEnd = source.findLastIndex((line) => line.includes("-->"));
  const lines: string[] = [];
  let fence: string | null = null;
  let isInComment = false;
  for (const [index, line] of source.entries()) {
    const mark = isInComment ? undefined : FENCE.exec(line)?.[0].trim();
    if (fence !== null) {
      lines.push(line);
      if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      lines.push(line);
      continue;
    }
    if (!isInComment && DEFINITION.test(line)) continue;
    const stripped: StrippedLine = index > lastEnd ? { rest: line, isOpen: false } : stripComments(line, isInComment);
    isInComment = stripped.isOpen && index < lastEnd;
    const text = simplifyLine(stripped.rest).trimEnd();
    // Drop lines that contained only badges, tags or comments.
    if (text.trim() !== "" || line.trim() === "") lines.push(text.trim() === "" ? "" : text);
  }
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Fences code with more backticks than it contains. */
export function fenceCode(code: string, language: string): string {
  const longestRun = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const ticks = "`".repeat(longestRun + 1);
  return `${ticks}${language}\n${code.trimEnd()}\n${ticks}`;
}
