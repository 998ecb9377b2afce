import { type Excerpt, readExcerpt } from "../passage.ts";
import type { Span } from "../text/spans.ts";
import { foldWord, splitWords } from "../text/tokenise.ts";
import { NEGATIONS, areAntonyms } from "./antonyms.ts";

/** A passage of a tile, or its whole text. */
export type TileText = Span & {
  readonly tileId: string;
  readonly sourceUrl: string | null;
  readonly text: string;
  readonly around: Excerpt;
  /** Share of the question that it contains. Without a question, sources alone decide. */
  readonly coverage?: number;
};

/** Consecutive words that are compared as one. */
const SHINGLE_WORDS = 3;
/** Share of the shingles of a text that another one must contain. */
const MIN_CONTAINED = 0.8;
/** Share below which texts are not compared further. Copies whose passages begin elsewhere share less than all. */
const MIN_SHARED = 0.3;
/** Characters on each side of a passage in which its copy may begin or end elsewhere. */
const WINDOW_LENGTH = 1_200;
/** A tile with so much more text is the more complete one. */
const LONGER = 1.1;
/** Characters of texts that are compared, which takes about 20 ms. The others, which match least, are kept. */
const MAX_CHARACTERS = 200_000;

/** An odd number that spreads the bits of a hash. */
const HASH_FACTOR = 0x9e3779b1;

/** One of so many shingles is looked up to find texts that may be near; all of a text with few. */
const SAMPLED = 4;
const MIN_SAMPLED = 40;

/** The words of a text as they are written, by their folded form. */
type Words = ReadonlyMap<string, string>;
type Entry<T> = {
  readonly item: T;
  readonly shingles: readonly number[];
  readonly samples: readonly number[];
  /** What is compared with texts that may be near, and read for these only. */
  read?: { readonly words: Words; readonly around: { readonly words: Words; readonly shingles: ReadonlySet<number> } };
};

/**
 * Separates texts that nearly repeat one of another tile, such as a page that was saved twice or an article in two papers. Of a pair the
 * better source is kept, in the place of the one that was ranked higher: the one with an address, else the more complete, else the newer
 * one, unless it contains less of the question. Texts that differ in a number, a name or a negation are not duplicates.
 */
export function separateNearDuplicates<T extends TileText>(
  ranked: readonly T[],
): { readonly distinct: readonly T[]; readonly duplicates: readonly T[] } {
  const isAlone = ranked.every(({ tileId }) => tileId === ranked[0]?.tileId);
  if (isAlone) return { distinct: ranked, duplicates: [] };
  const reader = new WordReader();
  const kept: Entry<T>[] = [];
  const duplicates: T[] = [];
  const index = new Map<number, Entry<T>[]>();
  const compared = takeFirst(ranked);
  for (const item of compared) {
    const shingles = reader.listShingles(splitWords(item.text));
    const samples = shingles.length < MIN_SAMPLED ? shingles : shingles.filter((shingle) => shingle % SAMPLED === 0);
    const entry: Entry<T> = { item, shingles, samples };
    const pair = findPair(reader, index, kept, entry);
    if (pair === null) kept.push(entry);
    else if (pair.isReplaced) {
      kept[kept.indexOf(pair.other)] = entry;
      duplicates.push(pair.other.item);
    } else {
      duplicates.push(item);
      continue;
    }
    for (const shingle of samples) {
      const holders = index.get(shingle);
      if (holders === undefined) index.set(shingle, [entry]);
      else holders.push(entry);
    }
  }
  return { distinct: [...kept.map(({ item }) => item), ...ranked.slice(compared.length)], duplicates };
}

function takeFirst<T extends TileText>(ranked: readonly T[]): readonly T[] {
  let characters = 0;
  const end = ranked.findIndex(({ text }) => (characters += text.length) > MAX_CHARACTERS);
  return end < 0 ? ranked : ranked.slice(0, end);
}

/** Returns the kept text that says the same, and whether this one takes its place; null if there is none. The one that says more stays. */
function findPair<T extends TileText>(
  reader: WordReader,
  index: ReadonlyMap<number, readonly Entry<T>[]>,
  kept: readonly Entry<T>[],
  entry: Entry<T>,
): { readonly other: Entry<T>; readonly isReplaced: boolean } | null {
  const counts = new Map<Entry<T>, number>();
  for (const shingle of entry.samples)
    for (const other of index.get(shingle) ?? [])
      if (other.item.tileId !== entry.item.tileId) counts.set(other, (counts.get(other) ?? 0) + 1);
  for (const [other, shared] of counts) {
    const isSampled = [entry, other].some(({ shingles, samples }) => samples !== shingles);
    const smaller = Math.min(entry.shingles.length, other.shingles.length);
    const isNear = shared >= (MIN_SHARED * smaller) / (isSampled ? SAMPLED : 1);
    if (!isNear || !kept.includes(other)) continue;
    const [addsNothing, isCovered] = [repeats(reader, entry, other), repeats(reader, other, entry)];
    if (addsNothing || isCovered) return { other, isReplaced: isCovered && (!addsNothing || isBetterSource(entry.item, other.item)) };
  }
  return null;
}

/** Whether `a` says nothing that the text around `b` does not say, and `b` contains as much of the question. */
function repeats<T extends TileText>(reader: WordReader, a: Entry<T>, b: Entry<T>): boolean {
  if ((b.item.coverage ?? 0) < (a.item.coverage ?? 0)) return false;
  const [one, other] = [readAround(reader, a), readAround(reader, b)];
  const contained = a.shingles.filter((shingle) => other.around.shingles.has(shingle)).length;
  if (contained < MIN_CONTAINED * a.shingles.length) return false;
  const added = listMissing(one.words, other.around.words);
  const left = listMissing(other.words, one.around.words);
  return !added.some(isTelling) && !left.some(isNegation) && !added.some((word) => left.some((each) => areAntonyms(word, each)));
}

function readAround<T extends TileText>(reader: WordReader, entry: Entry<T>): NonNullable<Entry<T>["read"]> {
  const { text, start, end, around } = entry.item;
  return (entry.read ??= (() => {
    const from = Math.max(around.start, start - WINDOW_LENGTH);
    const words = splitWords(readExcerpt(around, { start: from, end: end + WINDOW_LENGTH }));
    return { words: foldWords(splitWords(text)), around: { words: foldWords(words), shingles: new Set(reader.listShingles(words)) } };
  })());
}

function isBetterSource(a: TileText, b: TileText): boolean {
  if ((a.sourceUrl === null) !== (b.sourceUrl === null)) return a.sourceUrl !== null;
  const [length, other] = [a.around.text.length, b.around.text.length];
  if (length > other * LONGER || other > length * LONGER) return length > other;
  // Ids are in the order of creation.
  return a.tileId > b.tileId;
}

/** Returns the words of a text that another one does not have, as they are written. */
const listMissing = (words: Words, other: Words): string[] => [...words].flatMap(([folded, word]) => (other.has(folded) ? [] : [word]));

const foldWords = (words: readonly string[]): Words => new Map(words.map((word) => [foldWord(word), word]));

/** Whether a word can make another statement: a number, a name or a negation. */
const isTelling = (word: string): boolean => /^\p{Lu}|\p{N}/u.test(word) || isNegation(word);

const isNegation = (word: string): boolean => {
  const lower = word.toLowerCase();
  // The apostrophe of "isn't" separates two words.
  return lower === "t" || Object.values(NEGATIONS).some(({ inQuestion, inSentence }) => inQuestion.has(lower) || inSentence.test(lower));
};

/** Turns words into shingles, with one number for each word. */
class WordReader {
  readonly #numbers = new Map<string, number>();

  /** Returns the hashes of every few consecutive words; one of a text with fewer words. */
  listShingles(words: readonly string[]): number[] {
    const numbers = words.map((word) => this.#toNumber(foldWord(word)));
    const shingles: number[] = [];
    for (let at = 0; at < numbers.length && (at === 0 || at + SHINGLE_WORDS <= numbers.length); at++) {
      let hash = 0;
      for (let i = at; i < at + SHINGLE_WORDS; i++) hash = (Math.imul(hash, HASH_FACTOR) + (numbers[i] ?? 0)) | 0;
      shingles.push(hash);
    }
    return shingles;
  }

  #toNumber(word: string): number {
    let number = this.#numbers.get(word);
    if (number === undefined) this.#numbers.set(word, (number = this.#numbers.size + 1));
    return number;
  }
}
