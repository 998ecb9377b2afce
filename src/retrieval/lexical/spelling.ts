import type { QueryTerm, Question } from "./query.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Terms looked through for one misspelt word. */
const MAX_TERMS_COMPARED = 4_000;
/** Words shorter than this have too many neighbours to guess at; from the longer length on two slips are forgiven. */
const MIN_WORD_LENGTH = 4;
const LONG_WORD_LENGTH = 8;
/** What a guess is worth beside a word as it was typed. */
const CORRECTION_WEIGHT = 0.7;
const MAX_CORRECTIONS = 4;

/**
 * The question with words that the board does not know taken for those it knows that are a slip or two away; the question itself
 * where there are none.
 */
export async function correctSpelling(
  vocabulary: Pick<Vocabulary, "listWithPrefix">,
  question: Question,
  isKnown: (term: string) => boolean,
): Promise<Question> {
  const isUnknown = ({ forms, key }: QueryTerm): boolean => key.length >= MIN_WORD_LENGTH && !forms.some(isKnown);
  if (!question.words.some(isUnknown)) return question;
  const words = await Promise.all(
    question.words.map(async (word): Promise<QueryTerm> => {
      if (!isUnknown(word)) return word;
      const corrections = await findCorrections(vocabulary, word.key);
      // The word itself stays: it may stand in a tile that is not indexed yet.
      return corrections.length === 0 ? word : { ...word, forms: [...word.forms, ...corrections], count: word.count * CORRECTION_WEIGHT };
    }),
  );
  return words.some((word, at) => word !== question.words[at]) ? { ...question, words } : question;
}

/** Terms that begin with the same letter, or with the first two in the wrong order, and are few slips away; the nearest only. */
async function findCorrections(vocabulary: Pick<Vocabulary, "listWithPrefix">, word: string): Promise<string[]> {
  const maxEdits = word.length >= LONG_WORD_LENGTH ? 2 : 1;
  const [first = "", second = ""] = word;
  const lists = await Promise.all([...new Set([first, second])].map((letter) => vocabulary.listWithPrefix(letter, MAX_TERMS_COMPARED)));
  let best: string[] = [];
  let least = maxEdits;
  for (const term of new Set(lists.flat())) {
    const edits = computeEditDistance(word, term, least);
    if (edits > least) continue;
    if (edits < least) best = [];
    least = edits;
    best.push(term);
  }
  return best.slice(0, MAX_CORRECTIONS);
}

/**
 * Letters to add, drop, change or swap with a neighbour to make one word of the other (Damerau and Levenshtein, optimal string
 * alignment); `most` + 1 where it takes more.
 */
export function computeEditDistance(one: string, other: string, maxEdits: number): number {
  if (Math.abs(one.length - other.length) > maxEdits) return maxEdits + 1;
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const change = one[i - 1] === other[j - 1] ? 0 : 1;
      let edits = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + change);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        edits = Math.min(edits, (before[j - 2] as number) + 1);
      row.push(edits);
      least = Math.min(least, edits);
    }
    if (least > maxEdits) return maxEdits + 1;
    [before, last] = [last, row];
  }
  return last[other.length] as number;
}
