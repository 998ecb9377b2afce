import { createRandom } from "../output/random-text.ts";
import { composeTiles } from "../quality/board/compose.ts";

const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri fro gru sta pli tro".split(" ");
/** Distinct words; those that the real texts lack are invented, and take the role of rare names. */
const VOCABULARY = 20_000;

/** The cost of a search depends on how many tiles contain a word, so word frequencies are those of real text. */
export type TextGenerator = {
  /** Sentences of at least `characters` characters. */
  text(characters: number): string;
  /** A question with words of a text. */
  question(text: string): string;
};

/** Creates a generator whose words follow Zipf's law (the n-th is 1/n as frequent as the first). The same seed gives the same texts. */
export function createTextGenerator(seed: number): TextGenerator {
  const random = createRandom(seed);
  const realWords = listRealWords();
  const scale = Math.log(VOCABULARY);
  // Inverse of the cumulative distribution, which needs no table.
  const word = (): string => {
    const rank = Math.floor(Math.exp(random() * scale)) - 1;
    return realWords[rank] ?? buildWord(rank);
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
function listRealWords(): string[] {
  const counts = new Map<string, number>();
  for (const { text } of composeTiles()) {
    for (const word of text.toLowerCase().match(/(?<![\p{L}\p{M}])[a-z]+(?![\p{L}\p{M}])/gu) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([word]) => word);
}

/** Builds a word from syllables; each rank gives another word. */
function buildWord(rank: number): string {
  let word = "";
  for (let rest = rank; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) word += SYLLABLES[rest % SYLLABLES.length];
  return `${word}n`;
}
