import type { QueryTerm, Question } from "../lexical/query.ts";
import { tokenise } from "../text/tokenise.ts";
import type { Vocabulary } from "../lexical/vocabulary.ts";

/** Terms searched for one prefix. */
const MAX_TERMS_PER_PREFIX = 64;

/** Adds prefixes to a question, each as a word whose forms are the board's terms with that prefix. */
export async function addPrefixes(vocabulary: Vocabulary, question: Question, prefixes: readonly string[]): Promise<Question> {
  const words: QueryTerm[] = [...question.words];
  for (const prefix of prefixes) {
    const terms = await vocabulary.listWithPrefix(prefix, MAX_TERMS_PER_PREFIX);
    // A prefix longer than a stem is found by the stem: harbours* by harbour.
    const stem = tokenise(prefix)[0] ?? prefix;
    words.push({ key: `${prefix}*`, typed: prefix, forms: [...new Set([...terms, stem])], count: 1 });
  }
  return { ...question, words };
}
