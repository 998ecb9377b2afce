import { randomFrom } from "../output/random-text.ts";
import { composeTiles } from "../quality/board/compose.ts";

const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri fro gru sta pli tro".split(" ");
/** Kinds of words in all; those that real texts don't give are made up, as rare names are. */
const VOCABULARY = 20_000;

/** How many tiles hold a word decides what a search costs, so words come as often as in real text. */
export type Writer = {
  /** Sentences of about so many characters. */
  text(characters: number): string;
  /** A question that names words of a text. */
  question(text: string): string;
};

/** A writer whose words follow Zipf's law (the n-th comes 1/n as often as the first); the same seed writes the same. */
export function createWriter(seed: number): Writer {
  const random = randomFrom(seed);
  const known = knownWords();
  const scale = Math.log(VOCABULARY);
  // Inverse of the law's distribution, by which 1/n is drawn without a table.
  const word = (): string => {
    const place = Math.floor(Math.exp(random() * scale)) - 1;
    return known[place] ?? makeWord(place);
  };
  const sentence = (): string => {
    const words = Array.from({ length: 8 + Math.floor(random() * 12) }, word).join(" ");
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  };
  return {
    text(characters) {
      let text = sentence();
      while (text.length < characters) text += ` ${sentence()}`;
      return text;
    },
    question(text) {
      const words = text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
      const picked = Array.from({ length: 6 }, () => words[Math.floor(random() * words.length)] ?? "");
      return `What is said about ${picked.slice(0, 3).join(" ")} and the ${picked.slice(3).join(" ")}?`;
    },
  };
}

/** The English words of the benchmark's own board, the most frequent first. */
function knownWords(): string[] {
  const counts = new Map<string, number>();
  for (const { text } of composeTiles()) {
    for (const word of text.toLowerCase().match(/(?<![\p{L}\p{M}])[a-z]+(?![\p{L}\p{M}])/gu) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([word]) => word);
}

/** A word put together from syllables, another one for each number. */
function makeWord(place: number): string {
  let word = "";
  for (let rest = place; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) word += SYLLABLES[rest % SYLLABLES.length];
  return `${word}n`;
}
