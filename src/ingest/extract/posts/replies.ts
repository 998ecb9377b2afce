/** A reply. For a deleted one `text` is null, and the replies to it take its place. */
export type Reply = { readonly author: string | null; readonly text: string | null; readonly below: readonly unknown[] };

type ReplyLimits = {
  /** Maximum number of replies; those closer to the post are preferred. */
  readonly maxCount: number;
  /** Maximum number of levels; 1 keeps direct replies only. */
  readonly maxDepth: number;
};

type Node = { readonly author: string | null; readonly text: string; readonly below: Node[] };

/** Values that are visited for each reply that may be kept. The limit bounds the time for a million deleted replies. */
const VISITS_PER_REPLY = 20;
const MAX_CHARACTERS = 10_000;

/** Formats replies as a nested Markdown list, `- author: text`, in the order of the source. `limits` bounds their number, depth and time. */
export function formatReplies(
  roots: readonly unknown[],
  read: (value: unknown) => Reply | null,
  limits: ReplyLimits,
): { readonly text: string; readonly isTruncated: boolean } {
  const top: Node[] = [];
  let level: { into: Node[]; values: readonly unknown[] }[] = [{ into: top, values: roots }];
  let left = limits.maxCount;
  let visits = limits.maxCount * VISITS_PER_REPLY;
  let isTruncated = false;
  for (let depth = 1; level.length > 0; depth++) {
    const deeper: typeof level = [];
    for (const group of level) {
      for (const value of group.values) {
        if (left === 0 || visits === 0 || depth > limits.maxDepth) {
          isTruncated = true;
          break;
        }
        visits--;
        const reply = read(value);
        if (reply === null) continue;
        if (reply.text === null || reply.text.trim() === "") {
          if (reply.below.length > 0) level.push({ into: group.into, values: reply.below });
          continue;
        }
        left--;
        const node: Node = { author: reply.author, text: reply.text.trim().slice(0, MAX_CHARACTERS), below: [] };
        group.into.push(node);
        if (reply.below.length > 0) deeper.push({ into: node.below, values: reply.below });
      }
    }
    level = deeper;
  }
  return { text: toLines(top, "").join("\n"), isTruncated };
}

function toLines(nodes: readonly Node[], indent: string): string[] {
  return nodes.flatMap(({ author, text, below }) => {
    const reply = author === null ? text : `${author}: ${text}`;
    const lines = reply.split("\n").map((line, index) => `${indent}${index === 0 ? "- " : "  "}${line}`.trimEnd());
    return [...lines, ...toLines(below, `${indent}  `)];
  });
}
