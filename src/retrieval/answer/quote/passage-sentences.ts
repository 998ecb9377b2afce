import type { WeightedQuestion } from "../../lexical/weight-question.ts";
import { type Passage, readExcerpt, toExcerptSpan } from "../../passage.ts";
import { computeCoverage, findKeys, type SentenceMatch } from "../../rerank/match-passage.ts";
import { type Block, findBlocks } from "./blocks.ts";
import type { Span } from "../../text/spans.ts";
import { tokenise } from "../../text/tokenise.ts";
import { WEIGHTS } from "../../weights.ts";

/** A sentence of a passage, as it may be quoted. Offsets are those of the tile's text. */
export type PassageSentence = SentenceMatch & {
  /** The table, list, code or announced paragraph that it belongs to. */
  readonly block: Block | null;
  /** Whether it is in the head of its block. */
  readonly isHead: boolean;
  /** Whether it is the heading of what follows. */
  readonly isHeading: boolean;
  /** Keys of the question's words in the sentence, or in its row. */
  readonly ownWords: ReadonlySet<string>;
  /** Those in the head of its block. */
  readonly headWords: ReadonlySet<string>;
  /** How well it matches the question, without its passage. */
  readonly score: number;
};

const HEADING = /^#{1,6}[ \t]/;
const NO_WORDS: ReadonlySet<string> = new Set();
const NO_BLOCK = { block: null, isHead: false, headWords: NO_WORDS } as const;

/** Scores how well a sentence matches the question, without its passage. */
export function scoreSentence({ coverage, ngramShare, similarity }: Pick<SentenceMatch, "coverage" | "ngramShare" | "similarity">): number {
  const weights = WEIGHTS.sentence;
  return weights.coverage * coverage + weights.ngrams * ngramShare + weights.similarity * (similarity ?? 0);
}

const joinWords = (parts: readonly SentenceMatch[]): ReadonlySet<string> =>
  parts.reduce((words, part) => words.union(part.words), NO_WORDS);

/**
 * Reads the sentences of a passage. A row of a table is matched together with the head of its table and the sentence above it, and an
 * item with the line that announces it: "1909 · 212" alone says nothing about ships.
 */
export function readSentences(
  { match, start, end, around }: Pick<Passage, "match" | "start" | "end" | "around">,
  question: WeightedQuestion,
): PassageSentence[] {
  const blocks = findBlocks(around.text, toExcerptSpan(around, { start, end })).map((block) => moveBlock(block, around.start));
  const sentences = match.sentences.map((sentence) => ({ ...sentence, start: start + sentence.start, end: start + sentence.end }));
  return sentences.map((sentence): PassageSentence => {
    const block = blocks.find((each) => sentence.start >= each.start && sentence.start < each.end) ?? null;
    if (block === null) {
      const isHeading = around.text.charAt(sentence.start - around.start) === "#" && HEADING.test(readExcerpt(around, sentence));
      return { ...sentence, ...NO_BLOCK, isHeading, ownWords: sentence.words, score: scoreSentence(sentence) };
    }
    const isHead = sentence.start < block.head.end;
    const item = block.items.find((each) => isInside(sentence, each));
    const inItem = item === undefined ? [sentence] : sentences.filter((each) => isInside(each, item));
    const parts = block.kind === "table" ? inItem : [sentence];
    const heads = isHead ? [] : sentences.filter((each) => isInside(each, block.head));
    const above = block.kind === "table" && !isHead ? sentences.findLast((each) => each.end <= block.start) : undefined;
    const ownWords = joinWords(parts);
    const headWords = findKeys(question, tokenise(readExcerpt(around, block.head), match.language)).union(above?.words ?? NO_WORDS);
    const words = block.kind === "list" ? joinWords(inItem).union(headWords) : ownWords.union(headWords);
    const ngramShare = [...parts, ...heads].reduce((sum, each) => sum + each.ngramShare, 0);
    const joined = {
      ...sentence,
      words,
      coverage: computeCoverage(question, words),
      ngramShare: Math.min(1, Math.max(ngramShare, above?.ngramShare ?? 0)),
      similarity: findMax([...parts, ...heads, ...(above === undefined ? [] : [above])].map(({ similarity }) => similarity)),
    };
    return { ...joined, block, isHead, isHeading: false, ownWords, headWords, score: scoreSentence(joined) };
  });
}

const isInside = ({ start }: Span, outer: Span): boolean => start >= outer.start && start < outer.end;

function moveBlock(block: Block, by: number): Block {
  const move = (span: Span): Span => ({ start: span.start + by, end: span.end + by });
  return { ...block, ...move(block), head: move(block.head), items: block.items.map(move) };
}

const findMax = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
};
