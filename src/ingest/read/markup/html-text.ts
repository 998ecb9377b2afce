import { Parser } from "htmlparser2";

const BLOCK = new Set("p div section article li ul ol dl dt dd tr table h1 h2 h3 h4 h5 h6 pre blockquote hr header footer".split(" "));
const SILENT = new Set("script style template noscript svg".split(" "));

/**
 * The words of a piece of HTML such as a post: blocks and `br` end lines, paragraphs have an empty line between them, list
 * items a dash. For pieces that are short and simple; whole pages are cleaned in a thread.
 */
export function htmlToText(html: string): string {
  if (isNested(html)) return strip(html);
  const parts: string[] = [];
  const open = { silent: 0, pre: 0 };
  const parser = new Parser(
    {
      onopentagname(name) {
        if (SILENT.has(name)) open.silent++;
        if (name === "pre") open.pre++;
        if (name === "br") parts.push("\n");
        else if (name === "li") parts.push("\n- ");
        else if (BLOCK.has(name)) parts.push("\n\n");
      },
      onclosetag(name) {
        if (SILENT.has(name)) open.silent--;
        if (name === "pre") open.pre--;
        if (BLOCK.has(name) && name !== "li") parts.push("\n\n");
      },
      ontext(text) {
        if (open.silent === 0) parts.push(open.pre > 0 ? text : text.replace(/\s+/g, " "));
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

/** Whether more elements stand open than any post has: each tag that closes is looked for among all of them. */
function isNested(html: string): boolean {
  let depth = 0;
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([A-Za-z][A-Za-z0-9]{0,20})/g)) {
    if (slash === "/") depth = Math.max(0, depth - 1);
    else if (!VOID.has(name.toLowerCase()) && ++depth > MAX_DEPTH) return true;
  }
  return false;
}

const strip = (html: string): string =>
  decodeEntities(html.replace(/<[^<>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim();

/** Text with the character references of HTML put in; its angle brackets stay what they are. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  const parts: string[] = [];
  const parser = new Parser({ ontext: (part) => void parts.push(part) }, { decodeEntities: true });
  parser.end(text.replaceAll("<", "&lt;"));
  return parts.join("");
}
