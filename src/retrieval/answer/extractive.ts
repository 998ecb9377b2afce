import type { TileType } from "#domain/content/tile.ts";
import { type Passage, type Retrieval, getOwnScore } from "../passage.ts";
import { computeConfidence } from "./confidence.ts";
import { PASSAGE_WEIGHT, expandQuote, scoreSentence } from "./quote.ts";
import type { SentenceMatch } from "../rerank/match-passage.ts";
import { formatTableRows } from "./table-rows.ts";
import type { Span } from "../text/spans.ts";

export type Citation = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  readonly sourceUrl: string | null;
  /** `extractedText.slice(start, end)` of the tile; UTF-16 code units. */
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  /** Where in it the sentence begins that answers, so that a recording is cited at the second it is said; not for callers. */
  readonly sentenceStart?: number;
};
export type ExtractiveAnswer = {
  readonly answer: string;
  /** False where the content does not seem to hold the answer; citations are then the nearest passages, if any. */
  readonly answered: boolean;
  readonly citations: readonly Citation[];
};
export type AnswerOptions = {
  /** Whether anything on the board may be read for chat at all. */
  readonly connected: boolean;
  /** At most 10, whatever is asked for. */
  readonly maxCitations?: number;
};

export const NOTHING_CONNECTED =
  "No content on this board is connected to chat, so there is nothing to answer from. Add tiles or connect a zone, then ask again.";
export const NOTHING_FOUND = "The connected content of this board says nothing about this question.";
export const ANSWER_NOT_FOUND = "The connected content of this board does not seem to hold the answer. The nearest passages are cited.";

type Candidate = { readonly passage: Passage; readonly sentence: number; readonly score: number };
type Quote = Span & { readonly passage: Passage; readonly text: string; readonly score: number; readonly sentenceStart: number };

/** Passages whose sentences are looked at. */
const MAX_PASSAGES_READ = 10;
const MAX_CITATIONS = 10;
const MAX_NEAREST_CITATIONS = 5;
/** Quotes in an answer, its length in UTF-16 code units, and how much less than the best a further quote may be worth. */
const MAX_QUOTES = 3;
const MAX_ANSWER_LENGTH = 500;
const MAX_QUOTE_SCORE_GAP = 0.25;
const MAX_CITATION_SCORE_GAP = 1;

/**
 * Answers with sentences of the passages, word for word (rows of tables are written out), or says honestly that they do not hold the answer. `text` is the question
 * as it was asked.
 */
export function answerExtractively(text: string, retrieval: Retrieval, options: AnswerOptions): ExtractiveAnswer {
  const limit = Math.min(options.maxCitations ?? MAX_CITATIONS, MAX_CITATIONS);
  if (!options.connected) return { answer: NOTHING_CONNECTED, answered: false, citations: [] };
  const candidates = rankCandidates(retrieval);
  const [best] = candidates;
  if (best === undefined) return { answer: NOTHING_FOUND, answered: false, citations: [] };
  const sentence = best.passage.match.sentences[best.sentence] as SentenceMatch;
  if (computeConfidence(text, retrieval, best.passage, sentence) <= 0) {
    const nearest = selectDistinct(keepBestPerPassage(candidates).map(toQuote), Math.min(limit, MAX_NEAREST_CITATIONS));
    return { answer: ANSWER_NOT_FOUND, answered: false, citations: nearest.map(toCitation) };
  }
  const near = candidates.filter(({ score }) => score >= best.score - MAX_CITATION_SCORE_GAP);
  const cited = selectDistinct(near.map(toQuote), Math.max(1, limit));
  const [first, ...others] = cited as [Quote, ...Quote[]];
  const quotes = [first];
  let length = first.text.length;
  for (const quote of others.slice(0, MAX_QUOTES - 1)) {
    if (quote.score < best.score - MAX_QUOTE_SCORE_GAP || length + quote.text.length + 2 > MAX_ANSWER_LENGTH) continue;
    quotes.push(quote);
    length += quote.text.length + 2;
  }
  const answer = quotes.map(({ text: quoted, passage, start }) => formatTableRows(quoted, passage.tileText, start)).join("\n\n");
  return { answer, answered: true, citations: cited.map(toCitation) };
}

/** Sentences of the best passages, those first that hold most of the question and stand in the best of them. */
function rankCandidates({ passages }: Retrieval): Candidate[] {
  const top = Math.max(...passages.map(getOwnScore));
  return passages
    .slice(0, MAX_PASSAGES_READ)
    .flatMap((passage) =>
      passage.match.sentences.map((match, sentence) => ({
        passage,
        sentence,
        score: scoreSentence(match) + PASSAGE_WEIGHT * (getOwnScore(passage) - top),
      })),
    )
    .sort((a, b) => b.score - a.score);
}

function keepBestPerPassage(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<Passage>();
  return candidates.filter(({ passage }) => !seen.has(passage) && seen.add(passage));
}

function toQuote({ passage, sentence, score }: Candidate): Quote {
  const { start, end } = expandQuote(passage, sentence);
  const sentenceStart = passage.start + (passage.match.sentences[sentence]?.start ?? 0);
  return { passage, score, start, end, sentenceStart, text: passage.tileText.slice(start, end) };
}

/** The first `most` that neither overlap in one tile nor say the same words. */
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

function toCitation({ passage, text, start, end, sentenceStart }: Quote): Citation {
  const { tileId, title, type, sourceUrl } = passage;
  return { tileId, title, type, sourceUrl, quote: text, start, end, sentenceStart };
}
