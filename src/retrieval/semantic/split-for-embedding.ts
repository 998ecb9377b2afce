import { splitSentences } from "../text/sentences.ts";
import { splitLong, type Span } from "../text/spans.ts";

/** The longest stretch that one vector stands for, in UTF-16 code units, and most of them in a passage. */
const MAX_SENTENCE_LENGTH = 400;
const MAX_SENTENCES = 40;

/** The stretches of a passage that get a vector each, in its order; the same for the same passage whenever it is asked. */
export function splitForEmbedding(passage: string): Span[] {
  return splitSentences(passage)
    .flatMap((sentence) => splitLong(passage, sentence, MAX_SENTENCE_LENGTH))
    .slice(0, MAX_SENTENCES);
}
