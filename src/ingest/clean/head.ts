import type { HtmlPage } from "./page.ts";
import { parseJson } from "./embedded/json.ts";
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

/** Reads the head of a page in one pass. Never throws because of a page's content. */
export function readHead({ html }: HtmlPage): PageHead {
  const measure = measurePage(html);
  return {
    title: measure.title?.replace(/\s+/g, " ").trim() ?? null,
    meta: Object.fromEntries(measure.meta),
    jsonLd: measure.jsonLd.map(parseJson).filter((value) => value !== null),
    canonical: measure.canonical,
    language: measure.language,
    feeds: measure.feeds,
  };
}
