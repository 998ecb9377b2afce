import type { TextFilter } from "./safe-text.ts";

/** Consecutive words shared with the instructions that are not a coincidence. */
const MIN_LEAKED_WORDS = 7;
/** Shorter matches are released as soon as a citation follows them. */
const MIN_HELD_WORDS = 4;

/**
 * Removes repetitions of the instructions: seven or more consecutive words of `instructions`, and every word that contains `nonce`.
 * Holds back at most six words.
 */
export function createPromptLeakFilter(instructions: string, nonce: string): TextFilter {
  const positions = new Map<string, number[]>();
  for (const [at, word] of listWords(instructions).entries()) {
    const known = positions.get(word);
    if (known === undefined) positions.set(word, [at]);
    else known.push(at);
  }
  let rest = "";
  /** The current match: its tokens, its number of words, and the positions of its last word in the instructions. */
  let match: string[] = [];
  let length = 0;
  let ends: readonly number[] = [];

  const endMatch = (): string => {
    const kept = length >= MIN_LEAKED_WORDS ? "" : match.join("");
    match = [];
    length = 0;
    ends = [];
    return kept;
  };

  /** Reads a word with the blanks after it, and returns the text that can be shown now. */
  const read = (token: string): string => {
    if (nonce !== "" && token.includes(nonce)) return endMatch();
    const [word] = listWords(token);
    // Citation numbers and punctuation do not end a match, but do not hold back a short one either.
    if (word === undefined || token.startsWith("[")) {
      if (length < MIN_HELD_WORDS || length >= MIN_LEAKED_WORDS) return endMatch() + token;
      match.push(token);
      return "";
    }
    const all = positions.get(word) ?? [];
    const next = length === 0 ? (/\p{L}/u.test(word) ? all : []) : all.filter((at) => ends.includes(at - 1));
    if (next.length === 0 && length > 0) return endMatch() + read(token);
    if (next.length === 0) return token;
    match.push(token);
    length++;
    ends = next;
    return "";
  };

  return {
    push(chunk) {
      const tokens = (rest + chunk).match(/^\s+|\S+\s*/g) ?? [];
      rest = "";
      if (/\S$/.test(tokens.at(-1) ?? "")) rest = tokens.pop() ?? "";
      return tokens.map(read).join("");
    },
    end() {
      const last = rest;
      rest = "";
      return (last === "" ? "" : read(last)) + endMatch();
    },
  };
}

const listWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
