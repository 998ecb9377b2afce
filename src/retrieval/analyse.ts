import type { Analysis, Chunk, TermEntry } from "#domain/search.ts";
import { chunkText } from "./text/chunk.ts";
import { tokenise } from "./text/tokenise.ts";

/** Title terms that count, so that an endless title does not weigh down every chunk. */
const MAX_TITLE_TERMS = 50;
const MAX_TITLE_CHARACTERS = 1_000;

/**
 * What the index needs to know of a tile: its passages and, for each term, the passages that hold it. The title's
 * terms count in every passage (as though it headed each), in frequencies and in lengths, so that a passage deep in a
 * long text is still found by what the tile is called. A tile without text has no passage, whatever its title.
 */
export function analyse(title: string, text: string): Analysis {
  const chunks: Chunk[] = [];
  const terms = new Map<string, TermEntry[]>();
  const titleTerms = tokenise(title.slice(0, MAX_TITLE_CHARACTERS)).slice(0, MAX_TITLE_TERMS);
  for (const { start, end } of chunkText(text)) {
    const bodyTerms = tokenise(text.slice(start, end));
    const frequencies = new Map<string, number>();
    for (const term of titleTerms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    for (const term of bodyTerms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    const chunk = chunks.length;
    for (const [term, frequency] of frequencies) {
      const entries = terms.get(term);
      if (entries === undefined) terms.set(term, [{ chunk, frequency }]);
      else entries.push({ chunk, frequency });
    }
    chunks.push({ start, end, length: titleTerms.length + bodyTerms.length });
  }
  return { chunks, terms };
}
