import type { Measure } from "../measure/measure.ts";
import type { PageMetadata } from "../metadata/metadata.ts";
import { normaliseText } from "../text.ts";
import type { PageHints } from "./features/facts.ts";

const MAX_TYPES = 60;
/** A type of schema.org or a list of types, of a node at any depth. */
const TYPE = /"@type"\s*:\s*("\w{1,40}"|\[[^\]]{0,200}\])/g;
const MIN_NAME_LENGTH = 6;
const DAY_MS = 86_400_000;

/** Reads from a page's measure and metadata what tells about its content. */
export function readHints(measure: Measure, { author, publishedAt }: Pick<PageMetadata, "author" | "publishedAt">, url: string): PageHints {
  const { heading, title, meta, jsonLd } = measure;
  const types = jsonLd.flatMap((text) => [...text.matchAll(TYPE)].flatMap(([, value]) => (value ?? "").match(/\w{1,40}/g) ?? []));
  const published = publishedAt === null ? Number.NaN : Date.parse(publishedAt);
  return {
    titles: [heading, title, meta.get("og:title") ?? null],
    description: meta.get("og:description") ?? meta.get("description") ?? null,
    authors: (author ?? "")
      .split(", ")
      .map(normaliseText)
      .filter((name) => name.length >= MIN_NAME_LENGTH),
    // The page may be written in another time zone.
    days: Number.isNaN(published) ? [] : [-1, 0, 1].map((days) => new Date(published + days * DAY_MS)),
    types: types.slice(0, MAX_TYPES),
    url,
  };
}
