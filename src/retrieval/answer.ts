import type { TileType } from "#domain/tile.ts";
import type { Passage, Retrieval } from "./passage.ts";
import { rankQuotes, type Quote } from "./quote.ts";

export type Citation = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  readonly sourceUrl: string | null;
  /** `extractedText.slice(start, end)` of the tile; UTF-16 code units. */
  readonly quote: string;
  readonly start: number;
  readonly end: number;
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
export const NOT_HELD = "The connected content of this board does not seem to hold the answer. The nearest passages are cited.";

type Candidate = Quote & { readonly passage: Passage; readonly text: string; readonly score: number };

/** Passages read for quotes, and what the passage's own rank weighs beside the sentence's overlap (SQuAD: .739 against .732). */
const PASSAGES_READ = 10;
const PASSAGE_WEIGHT = 0.7;
const MAX_CITATIONS = 10;
const DEFAULT_CITATIONS = 5;
const NEAREST = 3;
/** Quotes in an answer, its length in UTF-16 code units, and how near the best a further quote must come. */
const MAX_QUOTES = 3;
const MAX_ANSWER = 500;
const SUPPORT = 0.75;
const CITED = 0.5;

/** Answers with sentences of the passages, word for word, or says honestly that they do not hold the answer. */
export function answerExtractively(retrieval: Retrieval, options: AnswerOptions): ExtractiveAnswer {
  const most = Math.min(options.maxCitations ?? DEFAULT_CITATIONS, MAX_CITATIONS);
  if (!options.connected) return { answer: NOTHING_CONNECTED, answered: false, citations: [] };
  const candidates = rankCandidates(retrieval);
  const [best] = candidates;
  if (best === undefined) return { answer: NOTHING_FOUND, answered: false, citations: [] };
  if (confidence(best) < threshold(retrieval.documents)) {
    const nearest = distinct(onePerPassage(candidates), Math.min(most, NEAREST));
    return { answer: NOT_HELD, answered: false, citations: nearest.map(toCitation) };
  }
  const near = candidates.filter(({ score, overlap }) => overlap > 0 && score >= CITED * best.score);
  const cited = distinct([best, ...near], Math.max(1, most));
  const support = cited.slice(1, MAX_QUOTES).filter(({ score }) => score >= SUPPORT * best.score);
  const quotes = [best];
  let length = best.text.length;
  for (const candidate of support) {
    if (length + candidate.text.length + 2 > MAX_ANSWER) continue;
    quotes.push(candidate);
    length += candidate.text.length + 2;
  }
  return { answer: quotes.map(({ text }) => text).join("\n\n"), answered: true, citations: cited.map(toCitation) };
}

/**
 * How sure it is that a quote answers, 0 to 1: the mean of the question's idf mass in its passage and in itself. Free
 * of any scale of scores, so that it holds whichever way passages were ranked.
 */
export function confidence(quote: { readonly overlap: number; readonly passage: Passage }): number {
  return (quote.overlap + quote.passage.coverage) / 2;
}

/**
 * Confidence from which a question counts as answered, for a board of so many passages: the more there are, the more of
 * a question is matched by chance. Fitted on SQuAD 2.0 dev, each question with and without its content on the board: balanced
 * accuracy .96 on boards of 5 passages and .91 of 35 (nothing on the topic), .85 and .75 on 1,216 (article, paragraph absent).
 */
export function threshold(documents: number): number {
  return 0.25 + 0.05 * Math.log(Math.max(1, documents));
}

function rankCandidates({ passages, weights }: Retrieval): Candidate[] {
  const top = passages[0]?.score ?? 0;
  const candidates = passages.slice(0, PASSAGES_READ).flatMap((passage) =>
    rankQuotes(passage, weights).map(({ start, end, overlap }) => ({
      start,
      end,
      overlap,
      passage,
      text: passage.tileText.slice(start, end),
      score: overlap + (top > 0 ? (PASSAGE_WEIGHT * passage.score) / top : 0),
    })),
  );
  return candidates.sort((a, b) => b.score - a.score);
}

function onePerPassage(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<Passage>();
  return candidates.filter(({ passage }) => !seen.has(passage) && seen.add(passage));
}

/** The first `most` that neither overlap in one tile nor say the same words. */
function distinct(candidates: readonly Candidate[], most: number): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    if (kept.length >= most) break;
    if (!kept.some((other) => isRepeat(candidate, other))) kept.push(candidate);
  }
  return kept;
}

function isRepeat(a: Candidate, b: Candidate): boolean {
  if (a.text === b.text) return true;
  return a.passage.tileId === b.passage.tileId && a.start < b.end && b.start < a.end;
}

function toCitation({ passage, text, start, end }: Candidate): Citation {
  const { tileId, title, type, sourceUrl } = passage;
  return { tileId, title, type, sourceUrl, quote: text, start, end };
}
