import { type ArticlePage, readArticles, readSegments, type SegmentPage } from "../../quality/data.ts";
import { readWcxb, type WcxbPage } from "../../quality/wcxb/data.ts";

/** The pages of all sets that are not composed. Those of WCXB are read while they are iterated over, once. */
type Sets = {
  readonly wcxb: Iterable<WcxbPage>;
  readonly articles: readonly ArticlePage[];
  readonly segments: readonly SegmentPage[];
};

/** Reads the sets that a model is fitted to and measured on. Throws if one is missing: the model would not know its kind of pages. */
export function readSets(data: string): Sets {
  const [wcxb, articles, segments] = [readWcxb(data), readArticles(data), readSegments(data)];
  if (wcxb !== null && articles !== null && segments !== null) return { wcxb: wcxb.pages, articles, segments };
  const missing = Object.entries({ wcxb, articles, segments }).flatMap(([name, pages]) => (pages === null ? [name] : []));
  throw new Error(
    `${data} does not have the data of ${missing.join(", ")}. Pass the folder of the evaluation data with --data or TESSERA_DATA.`,
  );
}
