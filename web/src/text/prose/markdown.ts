import { Marked, type Token, type Tokens } from "marked";
import { getSafeUrl } from "../links.ts";
import type { Span } from "../offset-map.ts";

/** One top-level block of a text, and where it stands there. */
export type Block = Span & { readonly token: Token };

/** The HTML of a block, which is not yet to be trusted. */
export const renderBlock = ({ token }: Block): string => MARKED.parser([token]);

/** The longest text that is rendered; longer ones are shown as they are. */
const MAX_TEXT_LENGTH = 120_000;
/** The parser takes the square of these: marks of emphasis, links and code in one paragraph, marks before a line, columns, and blanks in a row. */
const MAX_MARKS = 1_000;
const MAX_NESTING = 60;
const MAX_COLUMNS = 60;
const LONG_BLANK_RUN = /[^\S\n]{100}/;

/** Whether a text can be rendered in good time, whatever it was made for. */
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
 * The blocks of light Markdown (CommonMark with GitHub's tables). Tags of HTML and definitions of links are shown as the text they are,
 * pictures by their description, and only links to http and https are links; headings stand two levels lower, below the page's own.
 * Null where the text can't be rendered, or its blocks can't be found in it again.
 */
export function parseBlocks(markdown: string): readonly Block[] | null {
  if (!isRenderable(markdown)) return null;
  // One code unit for one, so that places stay.
  const text = markdown.replaceAll("\r\n", " \n").replaceAll("\r", "\n").replaceAll("\u0000", " ");
  const tokens = MARKED.lexer(text);
  const blocks: Block[] = [];
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
