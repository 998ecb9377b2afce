import type { BoardStatistics, Posting } from "#domain/answers/search.ts";
import { buildPrefixFilter, getPrefix, type PrefixFilter, toPrefixTerm } from "../text/prefixes.ts";
import type { QueryTerm, Question } from "./query.ts";
import { computeIdf, type WeightedTerm } from "./bm25.ts";

/** A question with the weights of its words on one board. */
export type WeightedQuestion = Question & {
  /** Idf of each word times its occurrences, by key, in the question's order. */
  readonly weights: ReadonlyMap<string, number>;
  /** Sum of the weights. */
  readonly idfSum: number;
  /** Sum of the squared weights, which the rarest words dominate. */
  readonly squaredIdfSum: number;
  /** Key of the word that an index term counts as. */
  readonly keyOfForm: ReadonlyMap<string, string>;
  /** Key of the word that has a prefix. */
  readonly keyOfPrefix: ReadonlyMap<string, string>;
  /** Filter for the index terms of the words. */
  readonly prefixFilter: PrefixFilter;
  /** Words and prefixes with their postings. */
  readonly terms: readonly WeightedTerm[];
};

type Postings = ReadonlyMap<string, readonly Posting[]>;

/** Returns all index terms to look up for a question, each once. */
export const listQuestionForms = ({ words, prefixes }: Question): string[] => [
  ...new Set([...words, ...prefixes].flatMap(({ forms }) => forms)),
];

/** Weights the words of a question by their idf on the board. */
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

/** Passages that contain any form of a word, with the sum of the frequencies. */
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
