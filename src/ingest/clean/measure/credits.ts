/** What marks an element as a credit: microdata, a link to the author, a `time` element, or its name. */
export type CreditKind = "author" | "author-name" | "date" | "time" | "date-name" | "heading";
/** A name within an author's element, beside their picture, reputation or biography. */
type OpenKind = CreditKind | "name";

/** The text of an element that tells the page's title, author or date. `value` is its machine-readable form, or null. */
export type Credit = {
  readonly kind: CreditKind;
  readonly text: string;
  readonly value: string | null;
};

type HtmlAttributes = Readonly<Record<string, string>>;
type Capture = {
  readonly kind: OpenKind;
  readonly value: string | null;
  readonly depth: number;
  text: string;
  name: string | null;
};

const MAX_CREDITS = 60;
const MAX_OPEN = 8;
const MAX_TEXT = 400;
const MAX_NAMES_LENGTH = 300;

/** Parts of a page about other things than its content. */
const ASIDE_ELEMENT = new Set(["nav", "script", "style", "template", "svg", "iframe"]);
const ASIDE_NAME =
  /(?:^|\s)(?:(?:post-?|article-?)?comments?(?:-?(?:list|area|section|wrapper|container))?|disqus\w*|respond|related(?:-?(?:posts?|articles?|content|stories))?|recommended|(?:primary-|right-|left-)?sidebar|footer|popular-?posts|trending|recent-?posts|latest-?(?:posts|news))(?:\s|$)/i;
/** Microdata of what others say about the content. */
const REPLY = /^(?:reviews?|comment|suggestedAnswer|acceptedAnswer)$/i;
const ASIDE_HOLDER = new Set(["div", "section", "ol", "ul", "li", "table"]);
/** Elements that contain more than a credit, whatever their names: themes write names of all kinds there, infoboxes are a `vcard`. */
const STRUCTURE = new Set(["html", "body", "main", "article", "table"]);
const AUTHOR_NAME = /(?:^|[\s_-]|[a-z](?=[A-Z]))(?:byline|author|authors|authorname|vcard|contributor|writer|username)(?:[\s_-]|$)/i;
const DATE_NAME =
  /(?:^|[\s_-])(?:date|dateline|datetime|pubdate|published|posted|post-?meta|entry-?meta|article-?meta|byline|meta|timestamp|time|created|submitted)(?:[\s_-]|$)/i;

/** Elements within a word or a sentence; any other one separates its text from what precedes it. */
const EMPHASIS = new Set(["b", "i", "em", "strong", "sup", "sub", "u", "font", "mark", "wbr"]);

const hasToken = (list: string | undefined, token: RegExp): boolean =>
  list !== undefined && list.split(/\s+/).some((one) => token.test(one));

const isAuthorsName = (name: string, { itemprop, rel, href }: HtmlAttributes): boolean =>
  hasToken(itemprop, /^name$/i) ||
  (name === "a" && (hasToken(rel, /^author$/i) || /\/(?:authors?|users?|members?|profile|people|u)\//i.test(href ?? "")));

function findKind(name: string, attributes: HtmlAttributes): CreditKind | null {
  if (name === "h1") return "heading";
  const { itemprop, rel } = attributes;
  if (hasToken(itemprop, /^(?:datePublished|dateCreated)$/i) || attributes["pubdate"] !== undefined) return "date";
  if (name === "time") return hasToken(itemprop, /^dateModified$/i) ? null : "time";
  if (hasToken(itemprop, /^author$/i) || (name === "a" && hasToken(rel, /^author$/i))) return "author";
  if (STRUCTURE.has(name)) return null;
  const names = `${attributes["class"] ?? ""} ${attributes["id"] ?? ""}`.slice(0, MAX_NAMES_LENGTH);
  if (AUTHOR_NAME.test(names)) return "author-name";
  return DATE_NAME.test(names) ? "date-name" : null;
}

/** Collects the credits of a page from the events of a parser, outside of comments, menus and sidebars. */
export class CreditCollector {
  /** In document order. */
  readonly credits: Credit[] = [];
  #open: Capture[] = [];
  /** Depth of the outermost open element about other things. */
  #asideDepth: number | null = null;

  open(name: string, attributes: HtmlAttributes, depth: number): void {
    if (this.#asideDepth !== null) return;
    if (!EMPHASIS.has(name)) this.text(" ");
    const names = `${attributes["class"] ?? ""} ${attributes["id"] ?? ""}`.slice(0, MAX_NAMES_LENGTH);
    if (ASIDE_ELEMENT.has(name) || hasToken(attributes["itemprop"], REPLY) || (ASIDE_HOLDER.has(name) && ASIDE_NAME.test(names))) {
      this.#asideDepth = depth;
      return;
    }
    const isInAuthor = this.#open.some((one) => one.kind === "author" || one.kind === "author-name");
    const kind = isInAuthor && isAuthorsName(name, attributes) ? "name" : findKind(name, attributes);
    if (kind === null || this.credits.length >= MAX_CREDITS || this.#open.length >= MAX_OPEN) return;
    const value = (attributes["datetime"] ?? attributes["content"])?.slice(0, MAX_TEXT) ?? null;
    this.#open.push({ kind, value, depth, text: "", name: null });
  }

  text(text: string): void {
    if (this.#asideDepth !== null) return;
    for (const capture of this.#open) if (capture.text.length < MAX_TEXT) capture.text += text.slice(0, MAX_TEXT);
  }

  /** Ends the elements deeper than `depth`. */
  close(depth: number): void {
    if (this.#asideDepth !== null && depth < this.#asideDepth) this.#asideDepth = null;
    while (this.#open.length > 0 && (this.#open.at(-1) as Capture).depth > depth) this.#end(this.#open.pop() as Capture);
  }

  restart(): void {
    this.#open = [];
    this.#asideDepth = null;
  }

  #end({ kind, value, text, name }: Capture): void {
    const line = text.replace(/\s+/g, " ").trim();
    if (line === "" && value === null) return;
    if (kind === "name") {
      const author = this.#open.findLast((one) => one.kind !== "name");
      if (author !== undefined) author.name ??= value ?? line;
      return;
    }
    this.credits.push({ kind, value: name ?? value, text: line });
  }
}
