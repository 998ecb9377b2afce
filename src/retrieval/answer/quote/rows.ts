import type { Span } from "../../text/spans.ts";
import type { PassageSentence } from "./passage-sentences.ts";

/**
 * Returns the rows of a sentence's table that matter: those with the same words of the question as its row, beside the words of the
 * head. If no word distinguishes a row, all of them do.
 */
export function chooseRows(sentences: readonly PassageSentence[], sentence: PassageSentence): readonly Span[] {
  const { block, ownWords, headWords, isHead } = sentence;
  if (block === null) return [];
  const wanted = [...ownWords].filter((word) => !headWords.has(word));
  if (isHead || wanted.length === 0) return block.items;
  const matching = sentences.filter((each) => each.block === block && !each.isHead && wanted.every((word) => each.ownWords.has(word)));
  return block.items.filter((row) => matching.some(({ start }) => start >= row.start && start < row.end));
}
