import { Parser } from "htmlparser2";

const BLOCK = new Set("p div section article li ul ol dl dt dd tr table h1 h2 h3 h4 h5 h6 pre blockquote hr header footer".split(" "));
const SKIPPED = new Set("script style template noscript svg".split(" "));

/**
 * Converts an HTML fragment such as a post to text: blocks and `br` end lines, paragraphs are separated by an empty line, list items
 * start with a dash. For short and simple fragments; whole pages are cleaned in a thread.
 */
export function htmlToText(html: string): string {
  if (isTooDeep(html)) return stripTags(html);
  const parts: string[] = [];
  const open = { skipped: 0, pre: 0 };
  const parser = new Parser(
    {
      onopentagname(name) {
        if (SKIPPED.has(name)) open.skipped++;
        if (name === "pre") open.pre++;
        if (name === "br") parts.push("\n");
        else if (name === "li") parts.push("\n- ");
        else if (BLOCK.has(name)) parts.push("\n\n");
      },
      onclosetag(name) {
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
  return parts
    .join("")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const MAX_DEPTH = 300;
const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

/** Whether elements are nested more deeply than in any post. The parser searches all open elements for each end tag. */
function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([A-Za-z][A-Za-z0-9]{0,20})/g)) {
    if (slash === "/") depth = Math.max(0, depth - 1);
    else if (!VOID.has(name.toLowerCase()) && ++depth > MAX_DEPTH) return true;
  }
  return false;
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
