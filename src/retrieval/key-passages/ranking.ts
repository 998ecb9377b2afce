import { takeBest } from "../lexical/bm25.ts";
import { copyString } from "../text/characters.ts";
import type { Span } from "../text/spans.ts";
import { extractTerms, FRAGMENT_QUALITY } from "./candidates.ts";
import type { Collection } from "./collection.ts";
import type { Steps } from "./steps.ts";

/** A sentence that represents its text: `text.slice(start, end)`, in UTF-16 code units. */
export type KeySentence = Span & {
  /** Index of its text, in the order in which they were added. */
  readonly source: number;
  readonly text: string;
  /** The heading above it, without marks; null if there is none. */
  readonly heading: string | null;
  /** Its distinct terms without stop words. */
  readonly terms: readonly string[];
  /** Relevance to the subjects of all texts, or to the question; higher is better, never below 0. */
  readonly score: number;
};

export type KeyRanking = {
  /** The best `MAX_RANKED`, best first; ties in the order of the texts. */
  readonly sentences: readonly KeySentence[];
  /** Whether any text contains a content word of the question. */
  readonly matchesQuestion: boolean;
  /** Idf of a term over all sentences; 0 for an unknown term. */
  getWeight(term: string): number;
  /** How much a term is a subject of the texts: rare in general, but repeated. */
  getSalience(term: string): number;
  /** Indexes of the texts that contain all of these terms. */
  findSources(terms: readonly string[]): Steps<readonly number[]>;
};

/** Sentences that a ranking returns. */
const MAX_RANKED = 2_000;
const MAX_QUESTION_LENGTH = 20_000;
/** Sentences that are scored, and numbers that are added, in one step. */
const STEP_SENTENCES = 1_000;
const STEP_TEXTS = 100;

/** Weights of the subjects of all texts, the subjects of its own text, the position, and the title; set by hand. */
const BOARD_WEIGHT = 0.4;
const SOURCE_WEIGHT = 0.25;
const POSITION_WEIGHT = 0.2;
const TITLE_WEIGHT = 0.15;
/** Weight of a sentence's quality relative to its coverage of the question. */
const QUALITY_WEIGHT_WITH_QUESTION = 0.5;

/** Statistics of terms, by number. */
type Terms = {
  /** The number of ranked sentences that contain it, and its idf over them. */
  readonly sentenceCounts: Float64Array;
  readonly weights: Float64Array;
  /** The logarithm of the number of texts that contain it. */
  readonly spread: Float64Array;
  readonly isAsked: Uint8Array;
};

/**
 * Ranks sentences by centroid-based extractive summarisation (Radev et al. 2004), which also uses a sentence's position, the repeated
 * terms of its text, and the title. Deterministic; takes time linear in the length of the texts.
 */
export function* rankSentences(collection: Collection, question = ""): Steps<KeyRanking> {
  const { numbers, hasWhole, qualities, textTerms, texts } = collection;
  const ranked = Uint32Array.from(qualities.keys()).filter((at) => !hasWhole || (qualities[at] as number) > FRAGMENT_QUALITY);
  const asked = extractTerms(question.slice(0, MAX_QUESTION_LENGTH)).flatMap((term) => numbers.get(term) ?? []);
  const terms = yield* weighTerms(collection, ranked, asked);
  const idfSum = asked.reduce((sum, id) => sum + (terms.weights[id] as number), 0);
  const scores = yield* scoreSentences(collection, ranked, terms, idfSum);
  const sentences: KeySentence[] = [];
  for (const at of takeBest(scores, MAX_RANKED)) {
    sentences.push(readSentence(collection, ranked[at] as number, scores[at] as number));
    yield;
  }
  const getWeight = (term: string): number => terms.weights[numbers.get(term) ?? -1] ?? 0;
  return {
    sentences,
    matchesQuestion: idfSum > 0,
    getWeight,
    getSalience: (term) => getWeight(term) * Math.log(1 + (terms.sentenceCounts[numbers.get(term) ?? -1] ?? 0)),
    *findSources(wanted) {
      const ids = wanted.map((term) => numbers.get(term) ?? -1);
      const found: number[] = [];
      for (const source of texts.keys()) {
        if (source % STEP_TEXTS === 0) yield;
        const own = textTerms.get(source);
        if (ids.every((id) => own.includes(id))) found.push(source);
      }
      return found;
    },
  };
}

function* weighTerms({ numbers, sentenceTerms, textCounts }: Collection, ranked: Uint32Array, asked: readonly number[]): Steps<Terms> {
  const sentenceCounts = new Float64Array(numbers.size);
  for (const [at, sentence] of ranked.entries()) {
    if (at % STEP_SENTENCES === 0) yield;
    for (const id of sentenceTerms.get(sentence)) sentenceCounts[id] = (sentenceCounts[id] as number) + 1;
  }
  const weights = sentenceCounts.map((count) => (count === 0 ? 0 : Math.log(1 + ranked.length / count)));
  yield;
  const spread = Float64Array.from(textCounts, (count) => Math.log(Math.max(1, count)));
  const isAsked = new Uint8Array(numbers.size);
  for (const id of asked) isAsked[id] = 1;
  return { sentenceCounts, weights, spread, isAsked };
}

/** Returns the score of each ranked sentence. `idfSum` is that of the question's terms. */
function* scoreSentences(collection: Collection, ranked: Uint32Array, terms: Terms, idfSum: number): Steps<Float64Array> {
  const { positions, qualities } = collection;
  const createColumn = (): Float64Array => new Float64Array(ranked.length);
  const columns = { board: createColumn(), own: createColumn(), title: createColumn(), asked: createColumn() };
  yield* measureSentences(collection, ranked, terms, columns);
  const [maxBoard, maxOwn] = [findMax(columns.board), findMax(columns.own)];
  const scores = createColumn();
  for (const [at, sentence] of ranked.entries()) {
    if (at % STEP_SENTENCES === 0) yield;
    const [position, quality] = [positions[sentence] as number, qualities[sentence] as number];
    const subjects = (BOARD_WEIGHT * (columns.board[at] as number)) / maxBoard + (SOURCE_WEIGHT * (columns.own[at] as number)) / maxOwn;
    const relevance =
      (quality === FRAGMENT_QUALITY ? 1 : quality) *
      (subjects + (POSITION_WEIGHT * 4) / (4 + position) + TITLE_WEIGHT * (columns.title[at] as number));
    scores[at] = idfSum > 0 ? QUALITY_WEIGHT_WITH_QUESTION * relevance + (columns.asked[at] as number) / idfSum : relevance;
  }
  return scores;
}

/** Relevance to all texts and to its own, the share of its terms that are in the title, and the sum of the question's idf. */
type Columns = { readonly board: Float64Array; readonly own: Float64Array; readonly title: Float64Array; readonly asked: Float64Array };

function* measureSentences(collection: Collection, ranked: Uint32Array, terms: Terms, columns: Columns): Steps<void> {
  const { numbers, sources, sentenceTerms, titles, textTerms, textTermCounts } = collection;
  const { weights, spread, isAsked } = terms;
  /** The counts of the current text's terms, and the last text whose title contains a term. */
  const counts = new Uint32Array(numbers.size);
  const titleOf = new Int32Array(numbers.size).fill(-1);
  let current = -1;
  for (const [at, sentence] of ranked.entries()) {
    if (at % STEP_SENTENCES === 0) yield;
    const source = sources[sentence] as number;
    if (source !== current) {
      current = source;
      const own = textTermCounts.get(source);
      for (const [place, id] of textTerms.get(source).entries()) counts[id] = own[place] as number;
      for (const id of titles.get(source)) titleOf[id] = source;
    }
    const ids = sentenceTerms.get(sentence);
    let [squares, board, own, inTitle, asked] = [0, 0, 0, 0, 0];
    for (const id of ids) {
      const weight = weights[id] as number;
      squares += weight * weight;
      board += weight * (spread[id] as number);
      const count = counts[id] as number;
      if (count > 1) own += weight * Math.log(count);
      if (titleOf[id] === source) inTitle++;
      if (isAsked[id] === 1) asked += weight;
    }
    const length = Math.max(1e-9, Math.sqrt(squares));
    columns.board[at] = board / length;
    columns.own[at] = own / length;
    columns.title[at] = inTitle / Math.max(1, titles.get(source).length);
    columns.asked[at] = asked;
  }
}

/** Returns a sentence without references to its text, which would stay in memory with it. */
function readSentence(collection: Collection, at: number, score: number): KeySentence {
  const { texts, sources, starts, ends, headings, sentenceTerms, terms } = collection;
  const [source, start, end] = [sources[at] as number, starts[at] as number, ends[at] as number];
  const heading = headings[at] ?? null;
  return {
    source,
    start,
    end,
    text: copyString((texts[source] as string).slice(start, end)),
    heading: heading === null ? null : copyString(heading),
    terms: Array.from(sentenceTerms.get(at), (id) => terms[id] as string),
    score,
  };
}

/** Returns the largest value, or 1 if none is above 0, because scores are divided by it. */
function findMax(values: Float64Array): number {
  let max = 0;
  for (const value of values) if (value > max) max = value;
  return max > 0 ? max : 1;
}
