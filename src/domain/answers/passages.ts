/** The passages that only the new text has, and those that only the old text has. */
export type ChangedLines = { readonly added: readonly string[]; readonly removed: readonly string[] };

const splitLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Returns the lines of `lines` that occur less often in `others`. */
function findMissing(others: readonly string[], lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0;
    if (left > 0) counts.set(line, left - 1);
    return left === 0;
  });
}

/** Compares two texts line by line, counting duplicates. A passage that only moved is not a change. */
export function compareLines(before: string, after: string): ChangedLines {
  const [older, newer] = [splitLines(before), splitLines(after)];
  return { added: findMissing(older, newer), removed: findMissing(newer, older) };
}
