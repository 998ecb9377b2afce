const WORDS =
  "harbour light keeper storm signal vessel cargo ledger morning tide rope anchor captain island north winter coast ferry market letter bridge engine quiet garden window paper season river mountain copper glass timber wheel village station report method sample figure answer question teacher student record minute budget project meeting summary customer product service network update version release feature problem solution".split(
    " ",
  );

/** A stream of numbers from 0 to below 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Sentences of everyday words, `length` characters in all. */
export function generateProse(length: number, seed: number): string {
  const random = createRandom(seed);
  let text = "";
  while (text.length < length) {
    const words = Array.from({ length: 6 + Math.floor(random() * 9) }, () => WORDS[Math.floor(random() * WORDS.length)]);
    const sentence = words.join(" ");
    text += `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}. `;
  }
  return `${text.slice(0, length - 1)}.`;
}
