import type { TileType } from "#domain/content/tile.ts";
import type { WeightedQuestion } from "../lexical/weight-question.ts";
import { getOwnScore, type Passage, readExcerpt, type Retrieval } from "../passage.ts";
import type { Span } from "../text/spans.ts";
import { computeCoverage } from "../rerank/match-passage.ts";
import { WEIGHTS } from "../weights.ts";
import { computeConfidence } from "./confidence.ts";
import { type PassageSentence, readSentences } from "./quote/passage-sentences.ts";
import { fitQuote, quoteSentence } from "./quote/quote.ts";
import { type QuotedText, toAnswerText } from "./quote/answer-text.ts";

export type Citation = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  readonly sourceUrl: string | null;
  /** `extractedText.slice(start, end)` of the tile; UTF-16 code units. */
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  /** The sentences, rows or items that answer, in the quote. Not known of a model's citations. */
  readonly highlights?: readonly Span[];
};
export type ExtractiveAnswer = {
  readonly answer: string;
  /** False if the content does not seem to contain the answer; citations are then the nearest passages, if any. */
  readonly answered: boolean;
  readonly citations: readonly Citation[];
};
export type AnswerOptions = {
  /** Whether the board has connected content at all. */
  readonly connected: boolean;
  /** Values above 10 count as 10. */
  readonly maxCitations?: number;
};

export const NOTHING_CONNECTED =
  "No content on this board is connected to chat, so there is nothing to answer from. Add tiles or connect a zone, then ask again.";
export const NOTHING_FOUND = "The connected content of this board says nothing about this question.";
export const ANSWER_NOT_FOUND = "The connected content of this board does not seem to hold the answer. The nearest passages are cited.";

/** A sentence of a passage, by its index. */
type Candidate = {
  readonly passage: Passage;
  readonly sentences: readonly PassageSentence[];
  readonly at: number;
  readonly score: number;
};
type Quote = QuotedText & {
  readonly passage: Passage;
  readonly score: number;
  /** Keys of the question's words in it, and in the head of its block. */
  readonly words: ReadonlySet<string>;
};

/** Passages whose sentences are considered. */
const MAX_PASSAGES_READ = 10;
const MAX_CITATIONS = 10;
/** Passages cited when there is no answer. */
const MAX_NEAREST_CITATIONS = 5;
const MAX_QUOTES = 3;
/** UTF-16 code units. */
const MAX_ANSWER_LENGTH = 500;

/**
 * Answers a question with sentences of the passages, verbatim except for table rows, or says that they do not contain the answer.
 * `text` is the question as typed.
 */
export function answerExtractively(text: string, retrieval: Retrieval, options: AnswerOptions): ExtractiveAnswer {
  const limit = Math.min(options.maxCitations ?? MAX_CITATIONS, MAX_CITATIONS);
  if (!options.connected) return { answer: NOTHING_CONNECTED, answered: false, citations: [] };
  const candidates = rankCandidates(retrieval);
  const [best] = candidates;
  if (best === undefined) return { answer: NOTHING_FOUND, answered: false, citations: [] };
  const sentence = best.sentences[best.at] as PassageSentence;
  if (computeConfidence(text, retrieval, best.passage, sentence) <= 0) {
    const nearest = selectDistinct(
      keepBestPerPassage(candidates).map((each) => toQuote(retrieval.question, each)),
      Math.min(limit, MAX_NEAREST_CITATIONS),
    );
    return { answer: ANSWER_NOT_FOUND, answered: false, citations: nearest.flatMap(toCitations) };
  }
  const near = candidates.filter(({ score }) => score >= best.score - WEIGHTS.answer.maxCitationGap);
  const distinct = selectDistinct(
    near.map((each) => toQuote(retrieval.question, each)),
    Math.max(1, limit),
  );
  const cited = removeUnrelated(retrieval.question, distinct);
  const answer = selectAnswer(cited).map(toAnswerText).join("\n\n");
  return { answer, answered: true, citations: cited.flatMap(toCitations).slice(0, Math.max(1, limit)) };
}

/** Returns the sentences of the best passages, those first that match the question best and are in the best passages. */
function rankCandidates({ passages, question }: Retrieval): Candidate[] {
  const top = Math.max(...passages.map(getOwnScore));
  const read = passages.slice(0, MAX_PASSAGES_READ).map((passage) => ({ passage, sentences: readSentences(passage, question) }));
  const blockScores = scoreBlocks(read);
  return read
    .flatMap(({ passage, sentences }) =>
      sentences.map(({ score, block }, at) => {
        const passageScore = block === null ? getOwnScore(passage) : (blockScores.get(toBlockKey(passage, block)) ?? 0);
        return { passage, sentences, at, score: score + WEIGHTS.sentence.passage * (passageScore - top) };
      }),
    )
    .sort((a, b) => b.score - a.score);
}

type ReadPassage = Pick<Candidate, "passage" | "sentences">;

const toBlockKey = ({ tileId }: Passage, { start }: Span): string => `${tileId} ${start}`;

/**
 * Returns the score of the best passage of each block. A long table is in several passages, of which only the first has its head, and
 * so most words of the question.
 */
function scoreBlocks(read: readonly ReadPassage[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const { passage, sentences } of read) {
    for (const { block } of sentences) {
      if (block === null) continue;
      const key = toBlockKey(passage, block);
      scores.set(key, Math.max(scores.get(key) ?? -Infinity, getOwnScore(passage)));
    }
  }
  return scores;
}

/** Returns the first quote and those of the next that are nearly as good and fit into the answer. */
function selectAnswer(cited: readonly Quote[]): Quote[] {
  const [first, ...others] = cited as readonly [Quote, ...Quote[]];
  const quotes = [first];
  let length = first.text.length;
  for (const quote of others.slice(0, MAX_QUOTES - 1)) {
    if (quote.score < first.score - WEIGHTS.answer.maxQuoteGap || length + quote.text.length + 2 > MAX_ANSWER_LENGTH) continue;
    quotes.push(quote);
    length += quote.text.length + 2;
  }
  return quotes;
}

function keepBestPerPassage(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<Passage>();
  return candidates.filter(({ passage }) => !seen.has(passage) && seen.add(passage));
}

function toQuote(question: WeightedQuestion, { passage, sentences, at, score }: Candidate): Quote {
  const quoted = quoteSentence(question, sentences, at);
  const { start, end } = fitQuote(passage, quoted);
  const { block = null } = sentences[at] ?? {};
  const inQuote = sentences.filter((sentence) => sentence.start < end && start < sentence.end);
  const words = inQuote.reduce<ReadonlySet<string>>((all, sentence) => all.union(sentence.words), new Set());
  return { ...quoted, passage, block, score, words, start, end, text: readExcerpt(passage.around, { start, end }) };
}

/**
 * Removes the quotes with half of the question or less if the first one has all of it: they add nothing, and share only a common word.
 * Where the first lacks a part of the question, others are as likely to answer.
 */
function removeUnrelated(question: WeightedQuestion, quotes: readonly Quote[]): readonly Quote[] {
  const [first] = quotes;
  const isWhole = first !== undefined && question.words.every(({ key }) => first.words.has(key));
  if (!isWhole) return quotes;
  return quotes.filter((quote) => quote === first || computeCoverage(question, quote.words) > WEIGHTS.answer.minFurtherCoverage);
}

/** Returns the first `limit` quotes that neither overlap in one tile nor have the same text. */
function selectDistinct(quotes: readonly Quote[], limit: number): Quote[] {
  const kept: Quote[] = [];
  for (const quote of quotes) {
    if (kept.length >= limit) break;
    if (!kept.some((other) => repeats(quote, other))) kept.push(quote);
  }
  return kept;
}

function repeats(a: Quote, b: Quote): boolean {
  if (a.text === b.text) return true;
  return a.passage.tileId === b.passage.tileId && a.start < b.end && b.start < a.end;
}

/** Returns the citation of a quote, and that of the head of its table or list if that is not in the quote. */
function toCitations({ passage, text, start, end, marks, head }: Quote): Citation[] {
  const { tileId, title, type, sourceUrl } = passage;
  const source = { tileId, title, type, sourceUrl };
  const highlights = marks.map((mark) => ({ start: Math.max(0, mark.start - start), end: Math.min(end, mark.end) - start }));
  const quote = { ...source, quote: text, start, end, highlights };
  return head === null ? [quote] : [quote, { ...source, quote: readExcerpt(passage.around, head), ...head, highlights: [] }];
}
