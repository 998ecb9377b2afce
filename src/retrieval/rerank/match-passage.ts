import type { TextContext } from "#domain/answers/search.ts";
import { tokeniseTitle, tokeniseTitleCompounds } from "../lexical/analyse.ts";
import type { WeightedQuestion } from "../lexical/weight-question.ts";
import { estimateCosine, computeHammingDistanceAt } from "../semantic/binary-embedding.ts";
import { splitForMatching } from "../semantic/split-for-embedding.ts";
import { chooseLanguage } from "../text/language/language.ts";
import { getPrefix } from "../text/prefixes.ts";
import { tokeniseCompounds, tokeniseMatching } from "../text/tokenise.ts";
import { WEIGHTS } from "../weights.ts";
import { computeNgramShare, computeNgramShareBetween, type PassageNgrams } from "./ngrams.ts";
import { computePairShare, countPairs } from "./pairs.ts";
import { computeProximity, type WordPosition } from "./proximity.ts";

/** How one sentence of a passage matches a question; shares are 0 to 1. */
export type SentenceMatch = {
  /** UTF-16 code units into the passage. */
  readonly start: number;
  readonly end: number;
  /** Keys of the question's words that it contains. */
  readonly words: ReadonlySet<string>;
  /** Their share of the question's idf sum. */
  readonly coverage: number;
  /** Share of the question's character n-grams. */
  readonly ngramShare: number;
  /** Cosine to the question; null if either has no vector. */
  readonly similarity: number | null;
};

export type PassageMatch = {
  readonly sentences: readonly SentenceMatch[];
  /** Largest share of the question's squared idf sum that one sentence and the title contain together. */
  readonly bestSentenceWithTitle: number;
  /** The same shares as of a sentence, for the whole passage. */
  readonly coverage: number;
  readonly ngramShare: number;
  /** Share of the question's adjacent words that occur close together. */
  readonly pairShare: number;
  /** How close to each other the question's words are, 0 to 1. */
  readonly proximity: number;
  readonly similarity: number | null;
  /** Similarity of the sentence with the highest coverage, including words that share only a prefix. */
  readonly fullestSimilarity: number | null;
  /** Number of terms. */
  readonly length: number;
  /** Language (ISO 639) of the hint or of the text; English if it was not detected. */
  readonly language: string;
};

/** Binary embeddings of the question, of the passage, and of its sentences one after the other. */
export type BinaryEmbeddings = { readonly question: Uint8Array; readonly passage: Uint8Array; readonly sentences: Uint8Array };

/** Data about a passage besides its text. */
export type MatchContext = {
  readonly tile?: TextContext;
  readonly embeddings?: BinaryEmbeddings | null;
  /** The question's n-grams that it contains. */
  readonly ngrams?: PassageNgrams | undefined;
};

/** Characters of a passage from which its language is detected. */
const LANGUAGE_SAMPLE_LENGTH = 400;
const NO_TILE: TextContext = { title: "" };
const NO_NGRAMS: PassageNgrams = { text: "", ngrams: [] };

/** Measures, sentence by sentence, how a passage matches a question. */
export function matchPassage(question: WeightedQuestion, text: string, context: MatchContext = {}): PassageMatch {
  const { tile = NO_TILE, embeddings = null, ngrams = NO_NGRAMS } = context;
  const language = chooseLanguage(tile, [text.slice(0, LANGUAGE_SAMPLE_LENGTH)]);
  const titleKeys = findKeys(question, [...tokeniseTitle(tile.title, language), ...tokeniseTitleCompounds(tile.title, language)]);
  const passageKeys = new Set<string>();
  const pairCounts = new Map<string, number>();
  const positions: WordPosition[] = [];
  let bestSentenceWithTitle = computeSquaredCoverage(question, titleKeys);
  let fullest: { readonly coverage: number; readonly similarity: number | null } = { coverage: -1, similarity: null };
  let length = 0;
  const sentences = splitForMatching(text).map(({ start, end }, at): SentenceMatch => {
    const found = findWords(question, text.slice(start, end), language, length);
    const { words } = found;
    length += found.length;
    positions.push(...found.positions);
    countPairs(question, found.keys, pairCounts);
    for (const word of words) passageKeys.add(word);
    bestSentenceWithTitle = Math.max(bestSentenceWithTitle, computeSquaredCoverage(question, titleKeys.union(words)));
    const coverage = computeCoverage(question, words);
    const similarity = computeSimilarityAt(embeddings, at);
    const coverageWithPrefixes = coverage + WEIGHTS.bm25.prefix * computeCoverage(question, found.prefixOnly);
    if (coverageWithPrefixes > fullest.coverage) fullest = { coverage: coverageWithPrefixes, similarity };
    return { start, end, words, coverage, ngramShare: computeNgramShareBetween(ngrams, start, end), similarity };
  });
  return {
    sentences,
    bestSentenceWithTitle,
    coverage: computeCoverage(question, passageKeys),
    ngramShare: computeNgramShare(ngrams),
    pairShare: computePairShare(question, pairCounts),
    proximity: computeProximity(question, positions),
    similarity: embeddings === null ? null : computeSimilarity(embeddings.question, embeddings.passage, 0),
    fullestSimilarity: fullest.similarity,
    length,
    language,
  };
}

type FoundWords = {
  /** Keys of the question's words in the sentence. */
  readonly words: ReadonlySet<string>;
  /** Keys of words of which it contains only the prefix. */
  readonly prefixOnly: ReadonlySet<string>;
  /** For each term, the key of the word it is; undefined for other terms. */
  readonly keys: readonly (string | undefined)[];
  readonly positions: readonly WordPosition[];
  /** Number of terms. */
  readonly length: number;
};

/** Finds the question's words in a sentence whose first term has the position `offset` in its passage. */
function findWords(question: WeightedQuestion, sentence: string, language: string, offset: number): FoundWords {
  const terms = tokeniseMatching(question.prefixFilter, sentence, language);
  const keys = terms.map((term) => (term === null ? undefined : question.keyOfForm.get(term)));
  const words = new Set(keys.filter((key) => key !== undefined));
  const prefixOnly = new Set<string>();
  const positions: WordPosition[] = [];
  for (const [i, term] of terms.entries()) {
    if (term === null) continue;
    const key = keys[i] ?? question.keyOfPrefix.get(getPrefix(term));
    if (key === undefined) continue;
    positions.push({ key, position: offset + i });
    if (!words.has(key)) prefixOnly.add(key);
  }
  for (const term of tokeniseCompounds(sentence, language)) {
    const key = question.keyOfForm.get(term);
    if (key !== undefined) words.add(key);
  }
  return { words, prefixOnly, keys, positions, length: terms.length };
}

/** Share of the question's idf sum of the words with these keys. */
export function computeCoverage(question: WeightedQuestion, keys: ReadonlySet<string>): number {
  if (question.idfSum <= 0) return 0;
  let idf = 0;
  for (const key of keys) idf += question.weights.get(key) ?? 0;
  return idf / question.idfSum;
}

export const findKeys = ({ keyOfForm }: WeightedQuestion, terms: readonly string[]): ReadonlySet<string> =>
  new Set(terms.map((term) => keyOfForm.get(term)).filter((key) => key !== undefined));

function computeSquaredCoverage({ weights, squaredIdfSum }: WeightedQuestion, keys: ReadonlySet<string>): number {
  if (squaredIdfSum <= 0) return 0;
  let sum = 0;
  for (const key of keys) sum += (weights.get(key) ?? 0) ** 2;
  return sum / squaredIdfSum;
}

const computeSimilarity = (one: Uint8Array, many: Uint8Array, at: number): number =>
  estimateCosine(computeHammingDistanceAt(one, many, at), one.length * 8);

function computeSimilarityAt(embeddings: BinaryEmbeddings | null, sentence: number): number | null {
  if (embeddings === null) return null;
  const { question, sentences } = embeddings;
  const at = sentence * question.length;
  return at + question.length <= sentences.length ? computeSimilarity(question, sentences, at) : null;
}
