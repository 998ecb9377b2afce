import type { BoardStatistics, Posting } from "#domain/answers/search.ts";
import { type PrefixFilter, getPrefix, buildPrefixFilter, toPrefixTerm } from "../text/tokenise.ts";
import type { QueryTerm, Question } from "./query.ts";
import { computeIdf, type WeightedTerm } from "./bm25.ts";

/** A question with what each of its words tells on one board. */
export type WeightedQuestion = Question & {
  /** Idf of each word times its occurrences, by its key, in the question's order. */
  readonly weights: ReadonlyMap<string, number>;
  /** Sum of the weights. */
  readonly idfSum: number;
  /** Sum of their squares, in which the rarest words have most of the say. */
  readonly squaredIdfSum: number;
  /** The key of the word that an index term stands for. */
  readonly keyOfForm: ReadonlyMap<string, string>;
  /** The key of the word that begins like this. */
  readonly keyOfPrefix: ReadonlyMap<string, string>;
  /** How those index terms begin. */
  readonly prefixFilter: PrefixFilter;
  /** Words and prefixes, to score passages by. */
  readonly terms: readonly WeightedTerm[];
};

type Postings = ReadonlyMap<string, readonly Posting[]>;

/** Every index term that has to be looked up for a question, each once. */
export const listQuestionForms = ({ words, prefixes }: Question): string[] => [
  ...new Set([...words, ...prefixes].flatMap(({ forms }) => forms)),
];

/** Weighs a question's words by how few of the board's passages hold them. */
export function weightQuestion(question: Question, postings: Postings, statistics: BoardStatistics): WeightedQuestion {
  const weights = new Map<string, number>();
  const keyOfForm = new Map<string, string>();
  const keyOfPrefix = new Map<string, string>();
  const terms: WeightedTerm[] = [];
  let idfSum = 0;
  let squaredIdfSum = 0;
  for (const word of question.words) {
    const found = mergePostings(word, postings);
    const weight = word.count * computeIdf(found.length, statistics.documents);
    weights.set(word.key, weight);
    idfSum += weight;
    squaredIdfSum += weight * weight;
    for (const form of word.forms) {
      const prefix = getPrefix(form);
      if (!keyOfForm.has(form)) keyOfForm.set(form, word.key);
      if (toPrefixTerm(form) !== null && !keyOfPrefix.has(prefix)) keyOfPrefix.set(prefix, word.key);
    }
    terms.push({ postings: found, weight, isWord: true });
  }
  for (const prefix of question.prefixes) {
    const found = mergePostings(prefix, postings);
    terms.push({ postings: found, weight: prefix.count * computeIdf(found.length, statistics.documents), isWord: false });
  }
  return { ...question, weights, idfSum, squaredIdfSum, keyOfForm, keyOfPrefix, prefixFilter: buildPrefixFilter(keyOfForm.keys()), terms };
}

/** Passages that hold any of a word's forms, with their frequencies together. */
function mergePostings({ forms }: QueryTerm, postings: Postings): readonly Posting[] {
  const filled = forms.map((form) => postings.get(form) ?? []).filter((list) => list.length > 0);
  if (filled.length <= 1) return filled[0] ?? [];
  const joined = new Map<number, Posting>();
  for (const list of filled) {
    for (const posting of list) {
      const known = joined.get(posting.document);
      joined.set(posting.document, known === undefined ? posting : { ...known, frequency: known.frequency + posting.frequency });
    }
  }
  return [...joined.values()];
}
