import type { QueryTerm, Question } from "../lexical/query.ts";
import { tokenise } from "../text/tokenise.ts";
import type { Vocabulary } from "../lexical/vocabulary.ts";

/** Terms that one beginning may stand for. */
const MAX_TERMS_PER_PREFIX = 64;

/** The question with the beginnings it was given, each standing for the board's terms that begin so. */
export async function addPrefixes(vocabulary: Vocabulary, question: Question, prefixes: readonly string[]): Promise<Question> {
  const words: QueryTerm[] = [...question.words];
  for (const prefix of prefixes) {
    const terms = await vocabulary.listWithPrefix(prefix, MAX_TERMS_PER_PREFIX);
    // What begins like a longer word than its stem is found by the stem: harbours* by harbour.
    const stem = tokenise(prefix)[0] ?? prefix;
    words.push({ key: `${prefix}*`, forms: [...new Set([...terms, stem])], count: 1 });
  }
  return { ...question, words };
}
