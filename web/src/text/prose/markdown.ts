import { Marked, type Token, type Tokens } from "marked";
import { getSafeUrl } from "../links.ts";
import type { Span } from "../offset-map.ts";

/** A top-level block and its span in the text. */
export type MarkdownBlock = Span & { readonly token: Token };

/** The unsanitised HTML of a block. */
export const renderBlock = ({ token }: MarkdownBlock): string => MARKED.parser([token]);

/** Longer texts are shown as plain text; in UTF-16 code units. */
const MAX_TEXT_LENGTH = 120_000;
/** The parser needs quadratic time for emphasis, links and code in one paragraph, for nesting, table columns and runs of blanks. */
const MAX_MARKS = 1_000;
const MAX_NESTING = 60;
const MAX_COLUMNS = 60;
const LONG_BLANK_RUN = /[^\S\n]{100}/;

/** Whether a text can be rendered in reasonable time, even if crafted. */
export function isRenderable(markdown: string): boolean {
  if (markdown.length > MAX_TEXT_LENGTH || LONG_BLANK_RUN.test(markdown)) return false;
  let marks = 0;
  for (const line of markdown.split("\n")) {
    if (line.trim() === "") marks = 0;
    let columns = 0;
    for (const letter of line) {
      if ("[]*_~<`\\!".includes(letter)) marks++;
      else if (letter === "|") columns++;
    }
    if (marks > MAX_MARKS || columns > MAX_COLUMNS || (/^(?:[\s>*+-]|\d{1,9}[.)])+/.exec(line)?.[0].length ?? 0) > MAX_NESTING)
      return false;
  }
  return true;
}

/**
 * Parses light Markdown (CommonMark with GitHub's tables) into blocks. HTML tags and link definitions are shown as text, images by their
 * description, and only http and https links are links. Headings are two levels lower than written. Null if the text cannot be rendered
 * or its blocks cannot be located.
 */
export function parseBlocks(markdown: string): readonly MarkdownBlock[] | null {
  if (!isRenderable(markdown)) return null;
  // Replacements keep the length, so that offsets stay valid.
  const text = markdown.replaceAll("\r\n", " \n").replaceAll("\r", "\n").replaceAll("\u0000", " ");
  const tokens = MARKED.lexer(text);
  const blocks: MarkdownBlock[] = [];
  let start = 0;
  for (const token of tokens) {
    const end = start + token.raw.length;
    if (text.slice(start, end) !== token.raw) return null;
    if (token.type !== "space") blocks.push({ start, end, token });
    start = end;
  }
  return start === text.length ? blocks : null;
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const MARKED = new Marked({
  gfm: true,
  breaks: true,
  tokenizer: { html: () => undefined, tag: () => undefined, def: () => undefined },
  renderer: {
    heading({ tokens, depth }: Tokens.Heading): string {
      const level = Math.min(6, depth + 2);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    code: ({ text }: Tokens.Code): string => `<pre><code>${escape(text)}</code></pre>\n`,
    codespan: ({ text }: Tokens.Codespan): string => `<code>${escape(text)}</code>`,
    checkbox: ({ checked }: Tokens.Checkbox): string => (checked ? "☑ " : "☐ "),
    image: ({ text }: Tokens.Image): string => escape(text),
    link({ href, tokens }: Tokens.Link): string {
      const [address, words] = [getSafeUrl(href), this.parser.parseInline(tokens)];
      return address === null ? words : `<a href="${escape(address)}">${words}</a>`;
    },
    text(token: Tokens.Text | Tokens.Escape): string {
      const inner: readonly Token[] | undefined = "tokens" in token ? token.tokens : undefined;
      return inner === undefined ? escape(token.text) : this.parser.parseInline([...inner]);
    },
  },
});
