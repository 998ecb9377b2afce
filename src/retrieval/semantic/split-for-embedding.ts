import { splitSentences } from "../text/sentences.ts";
import { splitLong, type Span } from "../text/spans.ts";

/** Maximum length of the text of one vector, in UTF-16 code units, and maximum number of vectors of one passage. */
const MAX_SENTENCE_LENGTH = 400;
const MAX_SENTENCES = 40;

/** Splits a passage into the ranges that get a vector each, in order. Deterministic: stored embeddings are matched by position. */
export function splitForEmbedding(passage: string): Span[] {
  return splitSentences(passage)
    .flatMap((sentence) => splitLong(passage, sentence, MAX_SENTENCE_LENGTH))
    .slice(0, MAX_SENTENCES);
}
