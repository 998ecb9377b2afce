import type { QueryTerm, Question } from "./query.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Terms looked through for one misspelt word. */
const MAX_LOOKED_AT = 4_000;
/** Words shorter than this have too many neighbours to guess at; from the longer length on two slips are forgiven. */
const MIN_WORD_LENGTH = 4;
const LONG_WORD = 8;
/** What a guess is worth beside a word as it was typed. */
const GUESS_WORTH = 0.7;
const GUESSES = 4;

/**
 * The question with words that the board does not know taken for those it knows that are a slip or two away; the question itself
 * where there are none.
 */
export async function correctSpelling(
  vocabulary: Pick<Vocabulary, "beginning">,
  question: Question,
  isKnown: (term: string) => boolean,
): Promise<Question> {
  const isStrange = ({ forms, key }: QueryTerm): boolean => key.length >= MIN_WORD_LENGTH && !forms.some(isKnown);
  if (!question.words.some(isStrange)) return question;
  const words = await Promise.all(
    question.words.map(async (word): Promise<QueryTerm> => {
      if (!isStrange(word)) return word;
      const guesses = await guess(vocabulary, word.key);
      // The word itself stays: it may stand in a tile that is not indexed yet.
      return guesses.length === 0 ? word : { ...word, forms: [...word.forms, ...guesses], count: word.count * GUESS_WORTH };
    }),
  );
  return words.some((word, at) => word !== question.words[at]) ? { ...question, words } : question;
}

/** Terms that begin with the same letter, or with the first two in the wrong order, and are few slips away; the nearest only. */
async function guess(vocabulary: Pick<Vocabulary, "beginning">, word: string): Promise<string[]> {
  const most = word.length >= LONG_WORD ? 2 : 1;
  const [first = "", second = ""] = word;
  const lists = await Promise.all([...new Set([first, second])].map((letter) => vocabulary.beginning(letter, MAX_LOOKED_AT)));
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
