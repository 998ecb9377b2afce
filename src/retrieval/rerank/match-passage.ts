import { hammingDistanceAt, estimateCosine } from "../semantic/binary-embedding.ts";
import { splitForEmbedding } from "../semantic/split-for-embedding.ts";
import { detectLanguage } from "../text/language.ts";
import { getPrefix, tokeniseCompounds, tokeniseMatching } from "../text/tokenise.ts";
import { tokeniseTitleCompounds, tokeniseTitle } from "../lexical/analyse.ts";
import { PREFIX_WEIGHT } from "../lexical/query.ts";
import type { WeightedQuestion } from "../lexical/weight-question.ts";
import { type WordPosition, computeProximity } from "./proximity.ts";
import { countPairs, computePairShare } from "./pairs.ts";
import { type PassageNgrams, computeNgramShareBetween, computeNgramShare } from "./ngrams.ts";

/** How one sentence of a passage meets a question; shares are 0 to 1. */
export type SentenceMatch = {
  /** UTF-16 code units into the passage. */
  readonly start: number;
  readonly end: number;
  /** Keys of the question's words that it holds. */
  readonly words: ReadonlySet<string>;
  /** The share of the question's idf mass that they are. */
  readonly coverage: number;
  /** What it has of the question's runs of characters. */
  readonly ngramShare: number;
  /** Cosine to the question; null where either has no vector. */
  readonly similarity: number | null;
};

export type PassageMatch = {
  readonly sentences: readonly SentenceMatch[];
  /** The largest share of the question's squared idf mass that a sentence and the title hold together. */
  readonly bestSentenceWithTitle: number;
  /** The same shares for the passage as a whole. */
  readonly coverage: number;
  readonly ngramShare: number;
  /** The share of the question's neighbouring words that stand together here. */
  readonly pairShare: number;
  /** How close to one another its words stand, 0 to 1. */
  readonly proximity: number;
  readonly similarity: number | null;
  /** That of the sentence which holds most of its words, those that only begin like them counted in part. */
  readonly fullestSimilarity: number | null;
  /** Terms in it. */
  readonly length: number;
  /** Its language (ISO 639-1) as far as it is told; English where it is not. */
  readonly language: string;
};

/** The signatures of a passage and its sentences, and the question's own. */
export type BinaryEmbeddings = { readonly question: Uint8Array; readonly passage: Uint8Array; readonly sentences: Uint8Array };

/** So much of a passage tells its language. */
const LANGUAGE_SAMPLE_LENGTH = 400;

/** What is known beside a passage's text. */
export type MatchContext = {
  readonly embeddings?: BinaryEmbeddings | null;
  /** The title of its tile. */
  readonly title?: string;
  /** The question's runs that it holds. */
  readonly ngrams?: PassageNgrams | undefined;
};

const NO_NGRAMS: PassageNgrams = { text: "", ngrams: [] };

/** Reads a passage sentence by sentence for what it has of a question. */
export function matchPassage(question: WeightedQuestion, text: string, context: MatchContext = {}): PassageMatch {
  const { embeddings = null, title = "", ngrams = NO_NGRAMS } = context;
  const language = detectLanguage(text.slice(0, LANGUAGE_SAMPLE_LENGTH)) ?? "en";
  const seen = new Set<string>();
  const pairs = new Map<string, number>();
  const titleKeys = findKeys(question, [...tokeniseTitle(title, language), ...tokeniseTitleCompounds(title, language)]);
  const positions: WordPosition[] = [];
  let bestSentenceWithTitle = computeSquaredCoverage(question, titleKeys);
  let fullest: { readonly held: number; readonly similarity: number | null } = { held: -1, similarity: null };
  let length = 0;
  const sentences = splitForEmbedding(text).map(({ start, end }, at): SentenceMatch => {
    const sentence = text.slice(start, end);
    const terms = tokeniseMatching(question.prefixFilter, sentence, language);
    const keys = terms.map((term) => (term === null ? undefined : question.keyOfForm.get(term)));
    const words = new Set(keys.filter((key) => key !== undefined));
    const prefixKeys = new Set<string>();
    for (const [i, term] of terms.entries()) {
      if (term === null) continue;
      const key = keys[i] ?? question.keyOfPrefix.get(getPrefix(term));
      if (key === undefined) continue;
      positions.push({ key, position: length + i });
      if (!words.has(key)) prefixKeys.add(key);
    }
    for (const term of tokeniseCompounds(sentence, language)) {
      const key = question.keyOfForm.get(term);
      if (key !== undefined) words.add(key);
    }
    length += terms.length;
    const coverage = computeCoverage(question, words);
    const similarity = computeSimilarityAt(embeddings, at);
    const held = coverage + PREFIX_WEIGHT * computeCoverage(question, prefixKeys);
    if (held > fullest.held) fullest = { held, similarity };
    bestSentenceWithTitle = Math.max(bestSentenceWithTitle, computeSquaredCoverage(question, titleKeys.union(words)));
    for (const word of words) seen.add(word);
    countPairs(question, keys, pairs);
    return {
      start,
      end,
      words,
      coverage,
      ngramShare: computeNgramShareBetween(ngrams, start, end),
      similarity,
    };
  });
  return {
    sentences,
    bestSentenceWithTitle,
    coverage: computeCoverage(question, seen),
    ngramShare: computeNgramShare(ngrams),
    pairShare: computePairShare(question, pairs),
    proximity: computeProximity(question, positions),
    similarity: embeddings === null ? null : computeSimilarity(embeddings.question, embeddings.passage, 0),
    fullestSimilarity: fullest.similarity,
    length,
    language,
  };
}

export function computeCoverage(question: WeightedQuestion, keys: ReadonlySet<string>): number {
  if (question.idfSum <= 0) return 0;
  let idf = 0;
  for (const key of keys) idf += question.weights.get(key) ?? 0;
  return idf / question.idfSum;
}

const findKeys = ({ keyOfForm }: WeightedQuestion, terms: readonly string[]): ReadonlySet<string> =>
  new Set(terms.map((term) => keyOfForm.get(term)).filter((key) => key !== undefined));

function computeSquaredCoverage({ weights, squaredIdfSum }: WeightedQuestion, keys: ReadonlySet<string>): number {
  if (squaredIdfSum <= 0) return 0;
  let sum = 0;
  for (const key of keys) sum += (weights.get(key) ?? 0) ** 2;
  return sum / squaredIdfSum;
}

const computeSimilarity = (one: Uint8Array, many: Uint8Array, at: number): number =>
  estimateCosine(hammingDistanceAt(one, many, at), one.length * 8);

function computeSimilarityAt(embeddings: BinaryEmbeddings | null, sentence: number): number | null {
  if (embeddings === null) return null;
  const at = sentence * embeddings.question.length;
  return at + embeddings.question.length <= embeddings.sentences.length
    ? computeSimilarity(embeddings.question, embeddings.sentences, at)
    : null;
}
