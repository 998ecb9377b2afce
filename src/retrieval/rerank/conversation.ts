import { WEIGHTS } from "../weights.ts";

/** English words that are frequent in conversation and rare in written text. */
const CONVERSATION_WORDS: ReadonlySet<string> = new Set(
  (
    "you we me my your our us uh um yeah yes no okay ok well oh hmm mm i'm i've i'd i'll you're you've we're we've we'll we'd that's it's " +
    "don't didn't can't let's there's thanks thank please gonna kind just actually think know mean"
  ).split(" "),
);
/** Characters of a passage that are examined. */
const SAMPLE_LENGTH = 400;
const WORD = /[A-Za-z]+(?:'[A-Za-z]+)?/g;

/**
 * Estimates how conversational passages are, from 0 (written) to 1 (spoken), by the median share of conversational words.
 * Languages other than English count as written.
 */
export function measureConversation(passages: readonly { readonly text: string; readonly language: string }[]): number {
  const { minConversationShare, fullConversationShare } = WEIGHTS.context;
  const shares = passages.map(computeConversationShare).sort((a, b) => a - b);
  const median = shares[shares.length >> 1] ?? 0;
  return Math.min(1, Math.max(0, (median - minConversationShare) / (fullConversationShare - minConversationShare)));
}

function computeConversationShare({ text, language }: { readonly text: string; readonly language: string }): number {
  if (language !== "en") return 0;
  const words = text.slice(0, SAMPLE_LENGTH).replaceAll("’", "'").match(WORD) ?? [];
  let count = 0;
  // Only the capital "I": a lower-case "i" is a word of many languages, and detection does not know all of them.
  for (const word of words) if (word === "I" || CONVERSATION_WORDS.has(word.toLowerCase())) count++;
  return count / Math.max(1, words.length);
}

export type ScoredDocument = { readonly document: number; readonly score: number };

/**
 * Adjusts passage scores in conversations; `conversation` is how conversational the candidates are (0–1). Several people discuss
 * one subject over many turns and in fragments, so a passage among high-scoring ones probably belongs to them. Written text keeps
 * its scores.
 */
export function addWindowScores(passages: readonly ScoredDocument[], conversation: number): number[] {
  const own = passages.map(({ score }) => score);
  if (conversation === 0) return own;
  const { windowWeight, windowDecay, baselineQuantile } = WEIGHTS.context;
  const baseline = own.toSorted((a, b) => a - b)[Math.floor((own.length - 1) * baselineQuantile)] ?? 0;
  return passages.map(({ document, score }) => {
    let windowScore = 0;
    for (const other of passages) {
      const distance = Math.abs(other.document - document);
      if (distance > 0 && other.score > baseline) windowScore += (other.score - baseline) * Math.exp(-distance / windowDecay);
    }
    return score + (windowWeight * conversation * windowScore) / (2 * windowDecay);
  });
}
