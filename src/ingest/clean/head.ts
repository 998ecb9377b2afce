import type { HtmlPage } from "./page.ts";
import { measurePage } from "./measure/measure.ts";

/** The metadata in a page's head, for extractors of known services. */
export type PageHead = {
  readonly title: string | null;
  /** The first value of each `meta` element, by name in lower case. */
  readonly meta: Readonly<Record<string, string>>;
  /** The JSON-LD blocks that can be parsed. */
  readonly jsonLd: readonly unknown[];
  readonly canonical: string | null;
  readonly language: string | null;
  /** Addresses of the page's feeds. */
  readonly feeds: readonly string[];
};

/** Deeper JSON is not page metadata, and can't be sent from the thread. */
const MAX_DEPTH = 100;

function isDeep(text: string): boolean {
  let depth = 0;
  for (const [mark] of text.matchAll(/[[{\]}]/g)) {
    depth += mark === "[" || mark === "{" ? 1 : -1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function readJson(text: string): unknown {
  if (isDeep(text)) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Reads the head of a page in one pass. Never throws because of a page's content. */
export function readHead({ html }: HtmlPage): PageHead {
  const measure = measurePage(html);
  return {
    title: measure.title?.replace(/\s+/g, " ").trim() ?? null,
    meta: Object.fromEntries(measure.meta),
    jsonLd: measure.jsonLd.map(readJson).filter((value) => value !== null),
    canonical: measure.canonical,
    language: measure.language,
    feeds: measure.feeds,
  };
}
