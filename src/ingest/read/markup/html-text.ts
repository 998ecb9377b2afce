import { Parser } from "htmlparser2";

const BLOCK = new Set("p div section article li ul ol dl dt dd tr table h1 h2 h3 h4 h5 h6 pre blockquote hr header footer".split(" "));
const SKIPPED = new Set("script style template noscript svg".split(" "));
/** No post has more elements in each other. The parser searches all open elements for each end tag. */
const MAX_DEPTH = 300;

/**
 * Converts an HTML fragment such as a post to text: blocks and `br` end lines, paragraphs are separated by an empty line, list items
 * start with a dash. For short and simple fragments; whole pages are cleaned in a thread.
 */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  const open = { all: 0, skipped: 0, pre: 0 };
  let isTooDeep = false;
  const parser = new Parser(
    {
      onopentagname(name) {
        if (++open.all > MAX_DEPTH) {
          isTooDeep = true;
          parser.pause();
        }
        if (SKIPPED.has(name)) open.skipped++;
        if (name === "pre") open.pre++;
        if (name === "br") parts.push("\n");
        else if (name === "li") parts.push("\n- ");
        else if (BLOCK.has(name)) parts.push("\n\n");
      },
      onclosetag(name) {
        open.all--;
        if (SKIPPED.has(name)) open.skipped--;
        if (name === "pre") open.pre--;
        if (BLOCK.has(name) && name !== "li") parts.push("\n\n");
      },
      ontext(text) {
        if (open.skipped === 0) parts.push(open.pre > 0 ? text : text.replace(/\s+/g, " "));
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  if (isTooDeep) return stripTags(html);
  return parts
    .join("")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const stripTags = (html: string): string =>
  decodeEntities(html.replace(/<[^<>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim();

/** Decodes the character references of HTML; angle brackets are kept as text. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  const parts: string[] = [];
  const parser = new Parser({ ontext: (part) => void parts.push(part) }, { decodeEntities: true });
  parser.end(text.replaceAll("<", "&lt;"));
  return parts.join("");
}
