import type { Extractor } from "../extract/extractor.ts";
import type { Kind } from "../extract/kind.ts";
import { feed } from "../formats/feed.ts";
import { file } from "../formats/file/file.ts";
import { webPage } from "../formats/web-page.ts";
import { SITES } from "./registry.ts";
import { extractorsOf } from "./site.ts";

/** Every extractor, specific ones first; the last accepts every kind. */
export const EXTRACTORS: readonly Extractor[] = [...SITES.flatMap(extractorsOf), feed, file, webPage];

/** The first extractor of the list that accepts the kind; the web page's where none does. */
export const chooseExtractor = (kind: Kind, extractors: readonly Extractor[] = EXTRACTORS): Extractor =>
  extractors.find((extractor) => extractor.accepts(kind)) ?? webPage;
