/** What people say in English when they speak with one another, and writers seldom write. */
const CONVERSATION_WORDS: ReadonlySet<string> = new Set(
  (
    "you we me my your our us uh um yeah yes no okay ok well oh hmm mm i'm i've i'd i'll you're you've we're we've we'll we'd that's it's " +
    "don't didn't can't let's there's thanks thank please gonna kind just actually think know mean"
  ).split(" "),
);
/** So much of a passage tells. */
const SAMPLE_LENGTH = 400;
const WORD = /[A-Za-z]+(?:'[A-Za-z]+)?/g;
/** Up to this share of such words a text is a written one (of 77 articles of the web nine in ten are below it, and abstracts of papers, which say "we", all), and from this one on talk through and through. */
const MIN_CONVERSATION_SHARE = 0.05;
const FULL_CONVERSATION_SHARE = 0.12;

/** How much of talk passages are, taken together: 0 for written ones, 1 for what was spoken. In other languages than English all counts as written. */
export function measureConversation(passages: readonly { readonly text: string; readonly language: string }[]): number {
  const shares = passages.map(computeConversationShare).sort((a, b) => a - b);
  const median = shares[shares.length >> 1] ?? 0;
  return Math.min(1, Math.max(0, (median - MIN_CONVERSATION_SHARE) / (FULL_CONVERSATION_SHARE - MIN_CONVERSATION_SHARE)));
}

function computeConversationShare({ text, language }: { readonly text: string; readonly language: string }): number {
  if (language !== "en") return 0;
  const words = text.slice(0, SAMPLE_LENGTH).replaceAll("’", "'").match(WORD) ?? [];
  let conversation = 0;
  // A small "i" is a word of many languages, of which not all are told apart.
  for (const word of words) if (word === "I" || CONVERSATION_WORDS.has(word.toLowerCase())) conversation++;
  return conversation / Math.max(1, words.length);
}

/** A passage so many places away counts a third of one beside it. */
const WINDOW_DECAY = 6;
/** What the stretch around a passage is worth beside its own score, in talk. */
const WINDOW_WEIGHT = 6;
/** Of all scores, so many are no better than chance. */
const BASELINE_QUANTILE = 0.2;

export type ScoredDocument = { readonly document: number; readonly score: number };

/**
 * The scores of passages by which they are ranked where they are talk, at `talk` of it. A subject is talked over for a while, by several people and
 * in half sentences, so a passage among good ones is likely to belong to them. What is written says a thing where it belongs, and is left as it is.
 */
export function addWindowScores(passages: readonly ScoredDocument[], conversation: number): number[] {
  const own = passages.map(({ score }) => score);
  if (conversation === 0) return own;
  const baseline = own.toSorted((a, b) => a - b)[Math.floor((own.length - 1) * BASELINE_QUANTILE)] ?? 0;
  return passages.map(({ document, score }) => {
    let windowScore = 0;
    for (const other of passages) {
      const distance = Math.abs(other.document - document);
      if (distance > 0 && other.score > baseline) windowScore += (other.score - baseline) * Math.exp(-distance / WINDOW_DECAY);
    }
    return score + (WINDOW_WEIGHT * conversation * windowScore) / (2 * WINDOW_DECAY);
  });
}
