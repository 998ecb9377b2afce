import type { Passage } from "../passage.ts";
import type { CountTokens } from "./token-counter.ts";

/** Why a passage is not in the context. */
export type SkipReason = "does_not_fit" | "duplicate";
export type Context = {
  /** The passages in the text, best first; the n-th begins with `[n]`. */
  readonly used: readonly Passage[];
  readonly skipped: readonly { readonly passage: Passage; readonly reason: SkipReason }[];
  readonly text: string;
  /** The tokens of the text, never above the budget. */
  readonly tokens: number;
};

/**
 * Joins passages into a text of at most `budgetTokens`, best first, each below its number and its tile's title. A passage that does
 * not fit is skipped; a later, shorter one may still be used.
 */
export async function assembleContext(passages: readonly Passage[], budgetTokens: number, count: CountTokens): Promise<Context> {
  const { distinct, skipped } = removeDuplicates(passages);
  // Counting is the most expensive step and nearly always everything fits, so the whole is counted first.
  const whole = joinBlocks(distinct);
  const tokens = distinct.length > 0 ? await countOne(whole, count) : 0;
  if (tokens <= budgetTokens) return { used: distinct, skipped, text: whole, tokens };
  const context = await fitToBudget(distinct, budgetTokens, count);
  const ranks = new Map(passages.map((passage, at) => [passage, at]));
  const getRank = ({ passage }: Skipped): number => ranks.get(passage) ?? 0;
  return { ...context, skipped: [...skipped, ...context.skipped].sort((a, b) => getRank(a) - getRank(b)) };
}

type Skipped = { readonly passage: Passage; readonly reason: SkipReason };

function removeDuplicates(passages: readonly Passage[]): { readonly distinct: Passage[]; readonly skipped: Skipped[] } {
  const distinct: Passage[] = [];
  const skipped: Skipped[] = [];
  const seen = new Set<string>();
  for (const passage of passages) {
    const key = `${passage.tileId} ${passage.start} ${passage.end}`;
    if (seen.has(key)) skipped.push({ passage, reason: "duplicate" });
    else distinct.push(passage);
    seen.add(key);
  }
  return { distinct, skipped };
}

async function fitToBudget(passages: readonly Passage[], budgetTokens: number, count: CountTokens): Promise<Context> {
  const blockTokens = await count(passages.map(formatBlock));
  const used: Passage[] = [];
  const skipped: Skipped[] = [];
  let left = budgetTokens;
  for (const [at, passage] of passages.entries()) {
    // The empty line between blocks takes at most one token.
    const tokens = left > 0 ? (blockTokens[at] ?? Infinity) + 1 : Infinity;
    if (tokens > left) skipped.push({ passage, reason: "does_not_fit" });
    else {
      used.push(passage);
      left -= tokens;
    }
  }
  for (;;) {
    const text = joinBlocks(used);
    const tokens = used.length > 0 ? await countOne(text, count) : 0;
    // The sum of the blocks is only an estimate, so the whole is counted.
    if (tokens <= budgetTokens) return { used, skipped, text, tokens };
    skipped.push({ passage: used.pop() as Passage, reason: "does_not_fit" });
  }
}

const countOne = async (text: string, count: CountTokens): Promise<number> => (await count([text]))[0] ?? 0;
const joinBlocks = (passages: readonly Passage[]): string => passages.map(formatBlock).join("\n\n");
const formatBlock = ({ title, text }: Passage, at: number): string => `[${at + 1}] ${title.replaceAll(/\s+/g, " ")}\n${text}`;
