import type { Kind } from "../detect.ts";
import type { Extractor } from "./extractor.ts";
import { webPage } from "./web-page.ts";

/** Every extractor, the particular before the general; the last takes what nobody else does. */
export const EXTRACTORS: readonly Extractor[] = [webPage];

/** The first extractor of the list that accepts the kind; the web page where none does. */
export const chooseExtractor = (kind: Kind, extractors: readonly Extractor[] = EXTRACTORS): Extractor =>
  extractors.find((extractor) => extractor.accepts(kind)) ?? webPage;
