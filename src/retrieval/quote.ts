import type { Passage } from "./passage.ts";
import { splitSentences } from "./text/sentences.ts";
import { splitLong, type Span } from "./text/spans.ts";
import { tokenise } from "./text/tokenise.ts";

/** Longest quote, in UTF-16 code units. */
const MAX_QUOTE = 400;
/** A sentence shorter than this rarely makes sense without its neighbour. */
const SHORT = 40;

type Weights = ReadonlyMap<string, number>;
type Place = Pick<Passage, "text" | "start">;
/** Offsets into the tile's `extractedText`; `overlap` is the share of the question's idf mass in the quote, 0 to 1. */
export type Quote = Span & { readonly overlap: number };

/**
 * Every sentence of a passage as a quote, best first: by the idf mass of the distinct terms of the question that it
 * holds, then in the order of the text. A very short sentence takes its neighbour with it, a very long one is cut.
 */
export function rankQuotes(passage: Place, weights: Weights): Quote[] {
  const { text } = passage;
  const mass = sum(weights.values());
  const pieces = splitSentences(text).flatMap((sentence) => splitLong(text, sentence, MAX_QUOTE));
  return pieces
    .map((piece, at) => {
      const { start, end } = widen(piece, pieces[at + 1], pieces[at - 1]);
      const overlap = mass > 0 ? matched(text.slice(piece.start, piece.end), weights) / mass : 0;
      return { start: passage.start + start, end: passage.start + end, overlap };
    })
    .sort((a, b) => b.overlap - a.overlap || a.start - b.start);
}

/** The best quote of a passage; empty where it has no sentence. */
export function chooseQuote(passage: Place, weights: Weights): Quote {
  const [best] = rankQuotes(passage, weights);
  return best ?? { start: passage.start, end: passage.start, overlap: 0 };
}

/** Idf mass of the distinct terms of the question that stand in the text. */
function matched(text: string, weights: Weights): number {
  let mass = 0;
  for (const term of new Set(tokenise(text))) mass += weights.get(term) ?? 0;
  return mass;
}

function widen(piece: Span, after: Span | undefined, before: Span | undefined): Span {
  if (piece.end - piece.start >= SHORT) return piece;
  if (after !== undefined && after.end - piece.start <= MAX_QUOTE) return { start: piece.start, end: after.end };
  if (before !== undefined && piece.end - before.start <= MAX_QUOTE) return { start: before.start, end: piece.end };
  return piece;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
