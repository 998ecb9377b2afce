import { safeCut } from "./text/characters.ts";
import { isStopWord } from "./text/stop-words.ts";
import { tokenise } from "./text/tokenise.ts";

/** A question's reach: what stands beyond these bounds is not looked up. */
const MAX_CHARACTERS = 20_000;
const MAX_TERMS = 128;

/**
 * Terms to look up for a question, in its order; stop words are dropped unless there is nothing else. Repeats are kept:
 * what a long question says twice weighs twice (CISI nDCG@10 .40 against .31).
 */
export function queryTerms(question: string): string[] {
  const cut = question.length > MAX_CHARACTERS ? question.slice(0, safeCut(question, MAX_CHARACTERS)) : question;
  const terms = tokenise(cut);
  const telling = terms.filter((term) => !isStopWord(term));
  const kept = telling.length > 0 ? telling : terms;
  const distinct = new Set([...new Set(kept)].slice(0, MAX_TERMS));
  return kept.filter((term) => distinct.has(term));
}
