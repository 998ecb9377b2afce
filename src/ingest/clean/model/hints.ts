import type { Measure } from "../measure/measure.ts";
import type { PageHints } from "./features/facts.ts";

const MAX_TYPES = 60;

/** Reads from a page's measure what its head tells about its content. */
export function readHints({ heading, title, meta, jsonLd }: Measure, url: string): PageHints {
  const types = jsonLd.flatMap((text) => [...text.matchAll(/"@type"\s*:\s*"(\w{1,40})"/g)].map((match) => match[1] as string));
  return {
    titles: [heading, title, meta.get("og:title") ?? null],
    description: meta.get("og:description") ?? meta.get("description") ?? null,
    types: types.slice(0, MAX_TYPES),
    url,
  };
}
