import type { TileType } from "#domain/content/tile.ts";
import { type Passage, type Retrieval, ownScoreOf } from "../passage.ts";
import { confidenceOf } from "./confidence.ts";
import { PASSAGE_WEIGHT, widenQuote, worthOf } from "./quote.ts";
import type { SentenceReading } from "../rerank/reading.ts";
import { readableRows } from "./table-rows.ts";
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
  readonly point?: number;
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

type Candidate = { readonly passage: Passage; readonly at: number; readonly worth: number };
type Cited = Span & { readonly passage: Passage; readonly text: string; readonly worth: number; readonly point: number };

/** Passages whose sentences are looked at. */
const PASSAGES_READ = 10;
const MAX_CITATIONS = 10;
const NEAREST = 5;
/** Quotes in an answer, its length in UTF-16 code units, and how much less than the best a further quote may be worth. */
const MAX_QUOTES = 3;
const MAX_ANSWER = 500;
const SUPPORT = 0.25;
const CITED = 1;

/**
 * Answers with sentences of the passages, word for word (rows of tables are written out), or says honestly that they do not hold the answer. `text` is the question
 * as it was asked.
 */
export function answerExtractively(text: string, retrieval: Retrieval, options: AnswerOptions): ExtractiveAnswer {
  const most = Math.min(options.maxCitations ?? MAX_CITATIONS, MAX_CITATIONS);
  if (!options.connected) return { answer: NOTHING_CONNECTED, answered: false, citations: [] };
  const candidates = rankCandidates(retrieval);
  const [best] = candidates;
  if (best === undefined) return { answer: NOTHING_FOUND, answered: false, citations: [] };
  const sentence = best.passage.reading.sentences[best.at] as SentenceReading;
  if (confidenceOf(text, retrieval, best.passage, sentence) <= 0) {
    const nearest = distinct(onePerPassage(candidates).map(quoteOf), Math.min(most, NEAREST));
    return { answer: NOT_HELD, answered: false, citations: nearest.map(toCitation) };
  }
  const near = candidates.filter(({ worth }) => worth >= best.worth - CITED);
  const cited = distinct(near.map(quoteOf), Math.max(1, most));
  const [first, ...others] = cited as [Cited, ...Cited[]];
  const quotes = [first];
  let length = first.text.length;
  for (const quote of others.slice(0, MAX_QUOTES - 1)) {
    if (quote.worth < best.worth - SUPPORT || length + quote.text.length + 2 > MAX_ANSWER) continue;
    quotes.push(quote);
    length += quote.text.length + 2;
  }
  const answer = quotes.map(({ text: quoted, passage, start }) => readableRows(quoted, passage.tileText, start)).join("\n\n");
  return { answer, answered: true, citations: cited.map(toCitation) };
}

/** Sentences of the best passages, those first that hold most of the question and stand in the best of them. */
function rankCandidates({ passages }: Retrieval): Candidate[] {
  const top = Math.max(...passages.map(ownScoreOf));
  return passages
    .slice(0, PASSAGES_READ)
    .flatMap((passage) =>
      passage.reading.sentences.map((sentence, at) => ({
        passage,
        at,
        worth: worthOf(sentence) + PASSAGE_WEIGHT * (ownScoreOf(passage) - top),
      })),
    )
    .sort((a, b) => b.worth - a.worth);
}

function onePerPassage(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<Passage>();
  return candidates.filter(({ passage }) => !seen.has(passage) && seen.add(passage));
}

function quoteOf({ passage, at, worth }: Candidate): Cited {
  const { start, end } = widenQuote(passage, at);
  const point = passage.start + (passage.reading.sentences[at]?.start ?? 0);
  return { passage, worth, start, end, point, text: passage.tileText.slice(start, end) };
}

/** The first `most` that neither overlap in one tile nor say the same words. */
function distinct(quotes: readonly Cited[], most: number): Cited[] {
  const kept: Cited[] = [];
  for (const quote of quotes) {
    if (kept.length >= most) break;
    if (!kept.some((other) => isRepeat(quote, other))) kept.push(quote);
  }
  return kept;
}

function isRepeat(a: Cited, b: Cited): boolean {
  if (a.text === b.text) return true;
  return a.passage.tileId === b.passage.tileId && a.start < b.end && b.start < a.end;
}

function toCitation({ passage, text, start, end, point }: Cited): Citation {
  const { tileId, title, type, sourceUrl } = passage;
  return { tileId, title, type, sourceUrl, quote: text, start, end, point };
}
