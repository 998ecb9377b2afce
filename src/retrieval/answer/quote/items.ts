import type { WeightedQuestion } from "../../lexical/weight-question.ts";
import { computeCoverage } from "../../rerank/match-passage.ts";
import type { Span } from "../../text/spans.ts";
import { WEIGHTS } from "../../weights.ts";
import type { PassageSentence } from "./passage-sentences.ts";

const MAX_ADDED = 4;

/**
 * Returns the rows or items of a sentence's block that answer, in order: those with the same words of the question as the sentence,
 * beside the words of the head, and those with other parts of the question. If no word distinguishes a row, all of them answer.
 */
export function chooseItems(question: WeightedQuestion, sentences: readonly PassageSentence[], sentence: PassageSentence): readonly Span[] {
  const { block, ownWords, headWords, isHead } = sentence;
  if (block === null) return [sentence];
  const wanted = ownWords.difference(headWords);
  const isWhole =
    wanted.size === 0 && (block.kind === "table" || computeCoverage(question, headWords) >= WEIGHTS.confidenceBounds.fullCoverage);
  if (isHead || block.kind === "code" || isWhole) return block.items;
  if (wanted.size === 0) return [sentence];
  const others = sentences.filter((each) => each.block === block && !each.isHead);
  const matching = others.filter((each) => wanted.isSubsetOf(each.ownWords));
  return mergeUnits([...matching, ...selectAdding(question, sentence.words, others)].map(toUnit));
}

/** Returns what is quoted or marked of a sentence: the whole row, a definition with its term, and otherwise the sentence. */
export function toUnit({ start, end, block, isHead }: PassageSentence): Span {
  if (block?.kind === "paragraph" && isHead) return block;
  const row = block?.kind === "table" ? block.items.find((item) => start >= item.start && start < item.end) : undefined;
  return row ?? { start, end };
}

/** Sorts units and removes those inside others. */
export function mergeUnits(units: readonly Span[]): readonly Span[] {
  const sorted = units.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const unit of sorted) if (unit.start >= (merged.at(-1)?.end ?? -1)) merged.push({ start: unit.start, end: unit.end });
  return merged;
}

/** Returns the sentences that have parts of the question beside `covered`, those first that add most. */
export function selectAdding(
  question: WeightedQuestion,
  covered: ReadonlySet<string>,
  sentences: readonly PassageSentence[],
): readonly PassageSentence[] {
  const added: PassageSentence[] = [];
  let words = covered;
  while (added.length < MAX_ADDED) {
    let best: { readonly sentence: PassageSentence; readonly gain: number } | null = null;
    for (const sentence of sentences) {
      const gain = computeCoverage(question, sentence.ownWords.difference(words));
      if (gain < WEIGHTS.answer.minAddedCoverage) continue;
      if (best === null || gain > best.gain || (gain === best.gain && sentence.score > best.sentence.score)) best = { sentence, gain };
    }
    if (best === null) return added;
    added.push(best.sentence);
    words = words.union(best.sentence.ownWords);
  }
  return added;
}
