import type { TileType } from "#domain/content/tile.ts";
import { getOwnScore, type Passage, readExcerpt, type Retrieval } from "../passage.ts";
import type { SentenceMatch } from "../rerank/match-passage.ts";
import type { Span } from "../text/spans.ts";
import { WEIGHTS } from "../weights.ts";
import { computeConfidence } from "./confidence.ts";
import { expandQuote, fitQuote, scoreSentence } from "./quote.ts";
import { formatTableRows } from "./table-rows.ts";

export type Citation = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  readonly sourceUrl: string | null;
  /** `extractedText.slice(start, end)` of the tile; UTF-16 code units. */
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  /** Offset of the sentence that answers, which gives the second of a recording. Internal; not part of the API. */
  readonly sentenceStart?: number;
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
type Candidate = { readonly passage: Passage; readonly sentence: number; readonly score: number };
type Quote = Span & { readonly passage: Passage; readonly text: string; readonly score: number; readonly sentenceStart: number };

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
  const sentence = best.passage.match.sentences[best.sentence] as SentenceMatch;
  if (computeConfidence(text, retrieval, best.passage, sentence) <= 0) {
    const nearest = selectDistinct(keepBestPerPassage(candidates).map(toQuote), Math.min(limit, MAX_NEAREST_CITATIONS));
    return { answer: ANSWER_NOT_FOUND, answered: false, citations: nearest.map(toCitation) };
  }
  const near = candidates.filter(({ score }) => score >= best.score - WEIGHTS.answer.maxCitationGap);
  const cited = selectDistinct(near.map(toQuote), Math.max(1, limit));
  const answer = selectAnswer(cited)
    .map(({ text: quoted, passage, start }) => formatTableRows(quoted, passage.around.text, start - passage.around.start))
    .join("\n\n");
  return { answer, answered: true, citations: cited.map(toCitation) };
}

/** Returns the sentences of the best passages, those first that match the question best and are in the best passages. */
function rankCandidates({ passages }: Retrieval): Candidate[] {
  const top = Math.max(...passages.map(getOwnScore));
  return passages
    .slice(0, MAX_PASSAGES_READ)
    .flatMap((passage) =>
      passage.match.sentences.map((match, sentence) => ({
        passage,
        sentence,
        score: scoreSentence(match) + WEIGHTS.sentence.passage * (getOwnScore(passage) - top),
      })),
    )
    .sort((a, b) => b.score - a.score);
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

function toQuote({ passage, sentence, score }: Candidate): Quote {
  const { start, end } = fitQuote(passage, expandQuote(passage, sentence));
  const sentenceStart = passage.start + (passage.match.sentences[sentence]?.start ?? 0);
  return { passage, score, start, end, sentenceStart, text: readExcerpt(passage.around, { start, end }) };
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

function toCitation({ passage, text, start, end, sentenceStart }: Quote): Citation {
  const { tileId, title, type, sourceUrl } = passage;
  return { tileId, title, type, sourceUrl, quote: text, start, end, sentenceStart };
}
