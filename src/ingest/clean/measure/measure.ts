import { Parser } from "htmlparser2";
import { type Cost, CostMeter } from "./cost.ts";

/** What one streaming pass over a page finds out, before anything builds a tree of it. */
export type Measure = {
  readonly elements: number;
  readonly depth: number;
  readonly cost: Cost;
  readonly links: number;
  /** Length of the longest run of text between two tags, of what is read. */
  readonly longestPiece: number;
  readonly scripts: number;
  readonly passwordFields: number;
  readonly title: string | null;
  readonly heading: string | null;
  readonly language: string | null;
  readonly canonical: string | null;
  readonly published: string | null;
  /** Names in lower case, the first value of each. */
  readonly meta: ReadonlyMap<string, string>;
  readonly jsonLd: readonly string[];
  /** Addresses of the feeds that the head names, as they are written. */
  readonly feeds: readonly string[];
  /** The page's words in the order of its source, block by block. */
  readonly linear: string;
};

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
const SILENT = new Set("script style noscript template svg title nav footer aside button select textarea iframe object math".split(" "));
const BLOCK = new Set(
  "p div section article main header li ul ol dl dt dd tr table thead tbody h1 h2 h3 h4 h5 h6 pre blockquote figure figcaption br hr address details summary center".split(
    " ",
  ),
);
/** The parser's own stack costs its depth for every element, so deep pages are parsed in stretches of this depth. */
const STRETCH = 512;
const MAX_META = 200;
const MAX_FEEDS = 10;
/** UTF-16 code units of words that are kept: more than a tile holds. */
const MAX_WORDS = 2_100_000;
const FEED_TYPE = /^application\/(?:rss|atom|rdf|feed)\+(?:xml|json)$/i;
const MAX_JSON_LD = 1_000_000;

class DepthLimitError extends Error {}

/**
 * Counts the elements of a page and their depth, and collects its head and its words, in one pass whose time is
 * in proportion to the page's length however it is nested.
 */
export function measurePage(html: string): Measure {
  const meta = new Map<string, string>();
  const jsonLd: string[] = [];
  const feeds: string[] = [];
  const words: string[] = [];
  const found = { title: null as string | null, heading: null as string | null, language: null as string | null };
  const links = { canonical: null as string | null, published: null as string | null };
  const counts = {
    elements: 0,
    depth: 0,
    deepest: 0,
    base: 0,
    longest: 0,
    scripts: 0,
    links: 0,
    passwords: 0,
    silent: 0,
    words: 0,
  };
  const meter = new CostMeter();
  let capture: { readonly name: string; readonly parts: string[] } | null = null;

  const openMeta = (attributes: Readonly<Record<string, string>>): void => {
    const name = (attributes["property"] ?? attributes["name"] ?? attributes["itemprop"] ?? "").toLowerCase();
    const content = attributes["content"]?.trim();
    if (name && content && !meta.has(name) && meta.size < MAX_META) meta.set(name, content);
  };
  const open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    counts.elements++;
    if (!VOID.has(name)) counts.deepest = Math.max(counts.deepest, ++counts.depth);
    meter.open(name, VOID.has(name) ? counts.depth + 1 : counts.depth, Object.keys(attributes).length);
    if (name === "html") found.language = attributes["lang"] ?? attributes["xml:lang"] ?? null;
    else if (name === "meta") openMeta(attributes);
    else if (name === "link" && /(?:^|\s)canonical(?:\s|$)/i.test(attributes["rel"] ?? "")) links.canonical ??= attributes["href"] ?? null;
    else if (name === "link" && FEED_TYPE.test(attributes["type"] ?? "") && attributes["href"] !== undefined && feeds.length < MAX_FEEDS)
      feeds.push(attributes["href"]);
    else if (name === "time") links.published ??= attributes["datetime"] ?? null;
    else if (name === "input" && attributes["type"]?.toLowerCase() === "password") counts.passwords++;
    else if (name === "a") counts.links++;
    else if (name === "script") counts.scripts++;
    const ld = name === "script" && /ld\+json/i.test(attributes["type"] ?? "");
    // An SVG picture has titles of its own, which come later than the page's.
    if (ld || (name === "title" && found.title === null) || (name === "h1" && found.heading === null)) capture = { name, parts: [] };
    if (BLOCK.has(name) && words.at(-1) !== "\n") words.push("\n");
    if (SILENT.has(name)) counts.silent++;
    if (counts.depth - counts.base >= STRETCH) throw new DepthLimitError();
  };
  const close = (name: string): void => {
    if (!VOID.has(name)) {
      meter.close(name);
      counts.depth = Math.max(0, counts.depth - 1);
    }
    if (SILENT.has(name)) counts.silent = Math.max(0, counts.silent - 1);
    if (BLOCK.has(name) && words.at(-1) !== "\n") words.push("\n");
    if (capture?.name !== name) return;
    const text = capture.parts.join("");
    capture = null;
    if (name === "title") found.title = text;
    else if (name === "h1") found.heading = text;
    else if (text.length <= MAX_JSON_LD) jsonLd.push(text);
  };
  const makeParser = (): Parser =>
    new Parser(
      {
        onopentag: open,
        onclosetag: close,
        oncomment: () => meter.comment(counts.depth),
        ontext: (text) => {
          meter.text(text, counts.depth);
          capture?.parts.push(text);
          // What a script holds is no text: pages carry megabytes of data in one, and are read in a tree all the same.
          if (counts.silent > 0) return;
          counts.longest = Math.max(counts.longest, text.length);
          if (counts.words > MAX_WORDS) return;
          counts.words += text.length;
          words.push(text);
        },
      },
      { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
    );
  let rest = html;
  for (;;) {
    const parser = makeParser();
    try {
      parser.end(rest);
      break;
    } catch (end) {
      if (!(end instanceof DepthLimitError)) throw end;
      // The elements left open are forgotten with their parser, and can't be closed any more.
      rest = rest.slice(parser.endIndex + 1);
      counts.base = counts.depth;
      counts.silent = 0;
      meter.restart();
      capture = null;
    }
  }
  return {
    elements: counts.elements,
    depth: counts.deepest,
    cost: meter.cost,
    longestPiece: counts.longest,
    links: counts.links,
    scripts: counts.scripts,
    passwordFields: counts.passwords,
    ...found,
    ...links,
    meta,
    jsonLd,
    feeds,
    linear: joinLines(words),
  };
}

function joinLines(words: readonly string[]): string {
  const lines = words.join("").split("\n");
  return lines
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}
