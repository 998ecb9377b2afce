import { CitationReader, type CitationResult } from "./citations.ts";
import type { NumberedSource } from "./prompt.ts";
import { createPromptLeakFilter } from "./prompt-leak-filter.ts";
import { createSafeTextFilter } from "./safe-text.ts";

/** Reads a model's answer as it streams. `push` and `end` return what may be shown next; joined, they are the answer. */
export type AnswerReader = { push(chunk: string): string; end(): string; readonly result: CitationResult };

/** Verifies citations and the facts of their sentences, removes addresses and tags, and removes repetitions of the instructions. */
export function createAnswerReader(
  sources: readonly NumberedSource[],
  given: { readonly system: string; readonly nonce: string; readonly question: string },
): AnswerReader {
  const citations = new CitationReader(sources, given.question);
  const allowed = new Set(sources.flatMap(({ sourceUrl }) => (sourceUrl === null ? [] : [sourceUrl])));
  const safeText = createSafeTextFilter(allowed);
  const promptLeaks = createPromptLeakFilter(given.system, given.nonce);
  return {
    push: (chunk) => promptLeaks.push(safeText.push(citations.push(chunk))),
    end() {
      const last = safeText.push(citations.end()) + safeText.end();
      return promptLeaks.push(last) + promptLeaks.end();
    },
    get result() {
      return citations.result;
    },
  };
}
