import type { QueryTerm, Question } from "../lexical/query.ts";
import { tokenise } from "../text/tokenise.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Terms that one beginning may stand for, and those looked through for one misspelt word. */
const MOST_TERMS = 64;
const MOST_LOOKED_AT = 4_000;
/** Words shorter than this have too many neighbours to guess at; from the longer length on two slips are forgiven. */
const LEAST_WORD = 4;
const LONG_WORD = 8;
/** What a guess is worth beside a word as it was typed. */
const GUESS_WORTH = 0.7;
const GUESSES = 4;

/** The question with the beginnings it was given, each standing for the board's terms that begin so. */
export async function addPrefixes(vocabulary: Vocabulary, question: Question, prefixes: readonly string[]): Promise<Question> {
  const words: QueryTerm[] = [...question.words];
  for (const prefix of prefixes) {
    const terms = await vocabulary.beginning(prefix, MOST_TERMS);
    // What begins like a longer word than its stem is found by the stem: harbours* by harbour.
    const stem = tokenise(prefix)[0] ?? prefix;
    words.push({ key: `${prefix}*`, forms: [...new Set([...terms, stem])], count: 1 });
  }
  return { ...question, words };
}

/** The question with words that the board does not know taken for those it knows that are a slip or two away. */
export async function forgiveTypos(vocabulary: Vocabulary, question: Question): Promise<Question> {
  const known = await vocabulary.known(question.words.flatMap((word) => word.forms));
  const words = await Promise.all(
    question.words.map(async (word): Promise<QueryTerm> => {
      if (word.forms.some((form) => known.has(form)) || word.key.length < LEAST_WORD) return word;
      const guesses = await guess(vocabulary, word.key);
      // The word itself stays: it may stand in a tile that is not indexed yet.
      return guesses.length === 0 ? word : { ...word, forms: [...word.forms, ...guesses], count: word.count * GUESS_WORTH };
    }),
  );
  return { ...question, words };
}

/** Terms that begin with the same letter, or with the first two in the wrong order, and are few slips away; the nearest only. */
async function guess(vocabulary: Vocabulary, word: string): Promise<string[]> {
  const most = word.length >= LONG_WORD ? 2 : 1;
  const [first = "", second = ""] = word;
  const lists = await Promise.all([...new Set([first, second])].map((letter) => vocabulary.beginning(letter, MOST_LOOKED_AT)));
  let best: string[] = [];
  let least = most;
  for (const term of new Set(lists.flat())) {
    const slips = slipsBetween(word, term, least);
    if (slips > least) continue;
    if (slips < least) best = [];
    least = slips;
    best.push(term);
  }
  return best.slice(0, GUESSES);
}

/**
 * Letters to add, drop, change or swap with a neighbour to make one word of the other (Damerau and Levenshtein, optimal string
 * alignment); `most` + 1 where it takes more.
 */
export function slipsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const change = one[i - 1] === other[j - 1] ? 0 : 1;
      let slips = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + change);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        slips = Math.min(slips, (before[j - 2] as number) + 1);
      row.push(slips);
      least = Math.min(least, slips);
    }
    if (least > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[other.length] as number;
}
