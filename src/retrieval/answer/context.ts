import type { Passage } from "../passage.ts";

/** Why a passage is not in the context. */
export type SkipReason = "does_not_fit" | "duplicate";
export type Context = {
  /** Passages in the text, best first; the n-th is headed `[n]`. */
  readonly used: readonly Passage[];
  readonly skipped: readonly { readonly passage: Passage; readonly reason: SkipReason }[];
  readonly text: string;
  /** `count(text)`, never above the budget. */
  readonly tokens: number;
};

/**
 * Puts passages into one text of at most `budgetTokens`, best first, each headed by its number and its tile's title.
 * One that does not fit is skipped, and a later, shorter one may still be used.
 */
export function assembleContext(passages: readonly Passage[], budgetTokens: number, count: (text: string) => number): Context {
  const used: Passage[] = [];
  const skipped: { passage: Passage; reason: SkipReason }[] = [];
  const seen = new Set<string>();
  let left = budgetTokens;
  for (const passage of passages) {
    const key = `${passage.tileId} ${passage.start} ${passage.end}`;
    if (seen.has(key)) {
      skipped.push({ passage, reason: "duplicate" });
      continue;
    }
    seen.add(key);
    // Blocks are parted by an empty line, which is one token at most.
    const tokens = left > 0 ? count(block(passage, used.length)) + 1 : Infinity;
    if (tokens > left) skipped.push({ passage, reason: "does_not_fit" });
    else {
      used.push(passage);
      left -= tokens;
    }
  }
  let text = used.map(block).join("\n\n");
  let tokens = used.length > 0 ? count(text) : 0;
  // The sum of the blocks is an estimate of the whole, so the whole decides.
  while (tokens > budgetTokens) {
    const passage = used.pop();
    if (passage === undefined) break;
    skipped.push({ passage, reason: "does_not_fit" });
    text = used.map(block).join("\n\n");
    tokens = used.length > 0 ? count(text) : 0;
  }
  return { used, skipped, text, tokens };
}

const block = ({ title, text }: Passage, at: number): string => `[${at + 1}] ${title.replaceAll(/\s+/g, " ")}\n${text}`;
