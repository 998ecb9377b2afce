import { type CitationReader, createCitationReader, type Reading } from "./citations.ts";
import { createEchoGuard } from "./prompt-leak-filter.ts";
import type { Source } from "./prompt.ts";
import { createSafeTextFilter } from "./safe-text.ts";

/** Reads a model's answer as it comes. `push` and `end` give what may be shown next; joined, they are the answer. */
export type AnswerReader = { push(piece: string): string; end(): string; readonly reading: Reading };

/** Every step between a model's words and a reader's eyes: citations checked, addresses and tags out, instructions not repeated. */
export function createAnswerReader(sources: readonly Source[], given: { readonly system: string; readonly nonce: string }): AnswerReader {
  const citations: CitationReader = createCitationReader(sources);
  const allowed = new Set(sources.flatMap(({ sourceUrl }) => (sourceUrl === null ? [] : [sourceUrl])));
  const safe = createSafeTextFilter(allowed);
  const guard = createEchoGuard(given.system, given.nonce);
  return {
    push: (piece) => guard.push(safe.push(citations.push(piece))),
    end() {
      const last = safe.push(citations.end()) + safe.end();
      return guard.push(last) + guard.end();
    },
    get reading() {
      return citations.reading;
    },
  };
}
