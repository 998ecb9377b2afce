import type { Citation } from "../answer/extractive.ts";
import { type Excerpt, readExcerpt, toTileSpan } from "../passage.ts";
import { createQuoteFinder } from "./find-quote.ts";
import type { NumberedSource } from "./prompt.ts";

/** Finds a quote in the source with a number from 1. Returns null for a quote that does not occur, undefined for an unknown number. */
export type SourceFinder = (number: number, quote: string) => Citation | null | undefined;

/**
 * Creates a finder of quotes. It searches the source that the model names, the text around it, and then the other sources of its tile,
 * since models mix up the passages of one tile.
 */
export function createSourceFinder(sources: readonly NumberedSource[]): SourceFinder {
  const tiles = Map.groupBy(sources, ({ tileId }) => tileId);
  const finders = new Map<Excerpt | NumberedSource, ReturnType<typeof createQuoteFinder>>();
  const findIn = (text: Excerpt | NumberedSource, quote: string) => {
    let find = finders.get(text);
    if (find === undefined) finders.set(text, (find = createQuoteFinder(text.text)));
    const span = find(quote);
    return span && toTileSpan(text, span);
  };
  return (number, quote) => {
    const named = sources[number - 1];
    if (named === undefined) return undefined;
    const { tileId, title, type, sourceUrl } = named;
    const toCitation = ({ around }: NumberedSource, span: NonNullable<ReturnType<typeof findIn>>): Citation => ({
      tileId,
      title,
      type,
      sourceUrl,
      quote: readExcerpt(around, span),
      ...span,
    });
    const inPassage = findIn(named, quote);
    if (inPassage !== null) return toCitation(named, inPassage);
    // A text that several sources share is searched once.
    const others = new Map([named, ...(tiles.get(tileId) ?? [])].map((source) => [source.around, source]));
    for (const source of others.values()) {
      const found = source.around.text === named.text ? null : findIn(source.around, quote);
      if (found !== null) return toCitation(source, found);
    }
    return null;
  };
}
