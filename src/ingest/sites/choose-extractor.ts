import type { Extractor } from "../extract/extractor.ts";
import type { LinkKind } from "../extract/kind.ts";
import { feed } from "../formats/feed.ts";
import { file } from "../formats/file/file.ts";
import { webPage } from "../formats/web-page.ts";
import { SITES } from "./registry.ts";
import { createExtractors } from "./site.ts";

/** Every extractor, specific ones first; the last accepts every kind. */
export const EXTRACTORS: readonly Extractor[] = [...SITES.flatMap(createExtractors), feed, file, webPage];

/** Returns the first extractor of the list that accepts the kind, or that of web pages if none does. */
export const chooseExtractor = (kind: LinkKind, extractors: readonly Extractor[] = EXTRACTORS): Extractor =>
  extractors.find((extractor) => extractor.accepts(kind)) ?? webPage;
