import { BoundedParser } from "./bounded-parser.ts";
import { type Cost, CostMeter } from "./cost.ts";
import { type Credit, CreditCollector } from "./credits.ts";
import { LinearText } from "./linear-text.ts";

/** What one streaming pass finds in a page, before a DOM tree is built. */
export type Measure = {
  readonly elements: number;
  readonly depth: number;
  readonly cost: Cost;
  readonly links: number;
  /** Length of the longest text between two tags, outside of skipped elements. */
  readonly longestText: number;
  readonly scripts: number;
  readonly passwordFields: number;
  readonly title: string | null;
  readonly heading: string | null;
  readonly language: string | null;
  readonly canonical: string | null;
  /** What the body says about its title, author and date, in document order. */
  readonly credits: readonly Credit[];
  /** The first value of each `meta` element, by name in lower case. */
  readonly meta: ReadonlyMap<string, string>;
  readonly jsonLd: readonly string[];
  /** The state that forum software (Discourse) writes into an attribute for its scripts: JSON, or null. */
  readonly preloaded: string | null;
  /** Addresses of the page's feeds, as written in the page. */
  readonly feeds: readonly string[];
  /** The page's text in source order, one line for each block. */
  readonly linear: string;
};

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
const SKIPPED = new Set("script style noscript template svg title nav footer aside button select textarea iframe object math".split(" "));
const BLOCK = new Set(
  "p div section article main header li ul ol dl dt dd tr table thead tbody h1 h2 h3 h4 h5 h6 pre blockquote figure figcaption br hr address details summary center".split(
    " ",
  ),
);
/** The parser's time for each element grows with its stack, so deep pages are parsed in segments of this depth. */
const SEGMENT_DEPTH = 512;
const MAX_META = 200;
const MAX_FEEDS = 10;
/** Longer values are data for scripts, and everything that reads one copies it. */
const MAX_META_LENGTH = 20_000;
const MAX_TITLE_LENGTH = 20_000;
const FEED_TYPE = /^application\/(?:rss|atom|rdf|feed)\+(?:xml|json)$/i;
const MAX_JSON_LENGTH = 1_000_000;
/** Length of all blocks of JSON-LD: parsed, they take up to twelve times as much memory. */
const MAX_ALL_JSON_LENGTH = 2_000_000;

/** Thrown to continue in a new segment. */
export class DepthLimitError extends Error {}

type HtmlAttributes = Readonly<Record<string, string>>;

/** Collects the measure of a page from the events of one or more parsers. */
export class PageMeasurer {
  readonly #costMeter = new CostMeter();
  readonly #credits = new CreditCollector();
  readonly #meta = new Map<string, string>();
  readonly #jsonLd: string[] = [];
  readonly #feeds: string[] = [];
  readonly #text = new LinearText();
  readonly #found = {
    title: null as string | null,
    heading: null as string | null,
    language: null as string | null,
    canonical: null as string | null,
    preloaded: null as string | null,
  };
  readonly #counts = { elements: 0, maxDepth: 0, longestText: 0, scripts: 0, links: 0, passwordFields: 0 };
  #depth = 0;
  /** Depth at which the current segment began. */
  #segmentDepth = 0;
  #skipDepth = 0;
  /** Depth of the outermost open hidden element. Pages keep hidden forms for their scripts. */
  #hiddenDepth: number | null = null;
  #jsonLength = 0;
  /** Collects the text of the title, the first heading or a JSON-LD script. `length` includes what is left out. */
  #capture: { readonly name: string; readonly parts: string[]; length: number } | null = null;

  createParser(): BoundedParser {
    return new BoundedParser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        onclosetag: (name) => this.#close(name),
        oncomment: () => this.#costMeter.comment(this.#depth),
        ontext: (text) => this.#addText(text),
      },
      { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
    );
  }

  /** Continues with a new parser, which does not know the open elements and will not report their end. */
  startSegment(): void {
    this.#segmentDepth = this.#depth;
    this.#skipDepth = 0;
    this.#hiddenDepth = null;
    this.#costMeter.restart();
    this.#credits.restart();
    this.#capture = null;
  }

  result(): Measure {
    const { maxDepth, ...counts } = this.#counts;
    return {
      ...counts,
      depth: maxDepth,
      cost: this.#costMeter.cost,
      ...this.#found,
      credits: this.#credits.credits,
      meta: this.#meta,
      jsonLd: this.#jsonLd,
      feeds: this.#feeds,
      linear: this.#text.toString(),
    };
  }

  #open(name: string, attributes: HtmlAttributes): void {
    const isVoid = VOID.has(name);
    this.#counts.elements++;
    if (!isVoid) this.#counts.maxDepth = Math.max(this.#counts.maxDepth, ++this.#depth);
    const depth = isVoid ? this.#depth + 1 : this.#depth;
    this.#costMeter.open(name, depth, attributes);
    this.#credits.open(name, attributes, depth);
    if (!isVoid && isHidden(attributes)) this.#hiddenDepth ??= depth;
    this.#collectAttributes(name, attributes);
    if (this.#isCaptured(name, attributes)) this.#capture = { name, parts: [], length: 0 };
    if (BLOCK.has(name)) this.#text.breakLine();
    if (SKIPPED.has(name)) this.#skipDepth++;
    if (this.#depth - this.#segmentDepth >= SEGMENT_DEPTH) throw new DepthLimitError();
  }

  #close(name: string): void {
    if (!VOID.has(name)) {
      this.#costMeter.close(name);
      this.#depth = Math.max(0, this.#depth - 1);
      if (this.#hiddenDepth !== null && this.#depth < this.#hiddenDepth) this.#hiddenDepth = null;
    }
    this.#credits.close(this.#depth);
    if (SKIPPED.has(name)) this.#skipDepth = Math.max(0, this.#skipDepth - 1);
    if (BLOCK.has(name)) this.#text.breakLine();
    if (this.#capture?.name === name) this.#endCapture(name, this.#capture.parts.join(""), this.#capture.length);
  }

  #addText(text: string): void {
    this.#costMeter.text(text, this.#depth);
    this.#captureText(text);
    this.#credits.text(text);
    // Text of skipped elements does not count for the limits: pages contain megabytes of data in a script.
    if (this.#skipDepth > 0) return;
    this.#counts.longestText = Math.max(this.#counts.longestText, text.length);
    this.#text.add(text);
  }

  #captureText(text: string): void {
    if (this.#capture === null) return;
    const max = this.#capture.name === "script" ? MAX_JSON_LENGTH : MAX_TITLE_LENGTH;
    if (this.#capture.length < max) this.#capture.parts.push(text.slice(0, max - this.#capture.length));
    this.#capture.length += text.length;
  }

  #collectAttributes(name: string, attributes: HtmlAttributes): void {
    const counts = this.#counts;
    const found = this.#found;
    const preloaded = attributes["data-preloaded"];
    if (preloaded !== undefined && preloaded.length <= MAX_JSON_LENGTH) found.preloaded ??= preloaded;
    if (name === "html") found.language = attributes["lang"] ?? attributes["xml:lang"] ?? null;
    else if (name === "meta") this.#collectMeta(attributes);
    else if (name === "link") this.#collectLink(attributes);
    else if (name === "input" && attributes["type"]?.toLowerCase() === "password" && this.#hiddenDepth === null) counts.passwordFields++;
    else if (name === "a") counts.links++;
    else if (name === "script") counts.scripts++;
  }

  #collectMeta(attributes: HtmlAttributes): void {
    const name = (attributes["property"] ?? attributes["name"] ?? attributes["itemprop"] ?? "").toLowerCase();
    const content = attributes["content"]?.trim().slice(0, MAX_META_LENGTH);
    if (name && content && !this.#meta.has(name) && this.#meta.size < MAX_META) this.#meta.set(name, content);
  }

  #collectLink({ rel = "", type = "", href }: HtmlAttributes): void {
    if (/(?:^|\s)canonical(?:\s|$)/i.test(rel)) this.#found.canonical ??= href ?? null;
    else if (FEED_TYPE.test(type) && href !== undefined && this.#feeds.length < MAX_FEEDS) this.#feeds.push(href);
  }

  /** Only the first title counts, because SVG drawings have titles too. */
  #isCaptured(name: string, attributes: HtmlAttributes): boolean {
    if (name === "script") return /ld\+json/i.test(attributes["type"] ?? "");
    return (name === "title" && this.#found.title === null) || (name === "h1" && this.#found.heading === null);
  }

  #endCapture(name: string, text: string, length: number): void {
    this.#capture = null;
    if (name === "title") this.#found.title = text;
    else if (name === "h1") this.#found.heading = text;
    else if (length <= Math.min(MAX_JSON_LENGTH, MAX_ALL_JSON_LENGTH - this.#jsonLength)) {
      this.#jsonLength += length;
      this.#jsonLd.push(text);
    }
  }
}

const isHidden = ({ hidden, style }: HtmlAttributes): boolean =>
  hidden !== undefined || (style !== undefined && /\b(?:display:\s*none|visibility:\s*hidden)/i.test(style.slice(0, 1_000)));
