import { splitSentences } from "../text/sentences.ts";
import { splitLong, type Span } from "../text/spans.ts";

/** Maximum length of the text of one vector, in UTF-16 code units, and maximum number of vectors of one passage. */
const MAX_SENTENCE_LENGTH = 400;
const MAX_SENTENCES = 40;

/** Splits a passage into sentences short enough for a vector, in order. Deterministic: stored embeddings are matched by position. */
export const splitForMatching = (passage: string): Span[] =>
  splitSentences(passage).flatMap((sentence) => splitLong(passage, sentence, MAX_SENTENCE_LENGTH));

/** Returns the sentences of a passage that get a vector each: the first ones of a passage with many short lines, such as rows. */
export const splitForEmbedding = (passage: string): Span[] => splitForMatching(passage).slice(0, MAX_SENTENCES);
