import type { TextFilter } from "./safe-text.ts";

/** So many words in a row that also stand so in the instructions are no chance. */
const RUN = 7;
/** Fewer are let go when a citation follows them. */
const SHORT = 4;

/**
 * Leaves out what repeats instructions: seven words or more in a row that stand so in `instructions`, and any word that holds
 * `nonce`. A model that is talked into telling its instructions tells nothing. Holds back six words at most.
 */
export function createEchoGuard(instructions: string, nonce: string): TextFilter {
  const places = new Map<string, number[]>();
  for (const [at, word] of wordsOf(instructions).entries()) {
    const known = places.get(word);
    if (known === undefined) places.set(word, [at]);
    else known.push(at);
  }
  let rest = "";
  /** What matches so far, word for word, and where in the instructions its last word stands. */
  let run: string[] = [];
  let length = 0;
  let ends: readonly number[] = [];

  const settle = (): string => {
    const kept = length >= RUN ? "" : run.join("");
    run = [];
    length = 0;
    ends = [];
    return kept;
  };

  /** Takes one word with the blanks after it; gives what is settled by it. */
  const take = (token: string): string => {
    if (nonce !== "" && token.includes(nonce)) return settle();
    const [word] = wordsOf(token);
    // Numbers of citations and marks part no run, but do not hold up a short one.
    if (word === undefined || token.startsWith("[")) {
      if (length < SHORT || length >= RUN) return settle() + token;
      run.push(token);
      return "";
    }
    const all = places.get(word) ?? [];
    const next = length === 0 ? (/\p{L}/u.test(word) ? all : []) : all.filter((at) => ends.includes(at - 1));
    if (next.length === 0 && length > 0) return settle() + take(token);
    if (next.length === 0) return token;
    run.push(token);
    length++;
    ends = next;
    return "";
  };

  return {
    push(piece) {
      const tokens = (rest + piece).match(/^\s+|\S+\s*/g) ?? [];
      rest = "";
      if (/\S$/.test(tokens.at(-1) ?? "")) rest = tokens.pop() ?? "";
      return tokens.map(take).join("");
    },
    end() {
      const last = rest;
      rest = "";
      return (last === "" ? "" : take(last)) + settle();
    },
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
