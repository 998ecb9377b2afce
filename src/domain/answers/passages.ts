/** The passages that only the new text has, and those that only the old text has. */
export type ChangedPassages = { readonly added: readonly string[]; readonly removed: readonly string[] };

const splitPassages = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Returns the lines of `lines` that occur less often in `others`. */
function missingFrom(others: readonly string[], lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0;
    if (left > 0) counts.set(line, left - 1);
    return left === 0;
  });
}

/** Compares two texts line by line, counting duplicates. A passage that only moved is not a change. */
export function changedPassages(before: string, after: string): ChangedPassages {
  const [older, newer] = [splitPassages(before), splitPassages(after)];
  return { added: missingFrom(older, newer), removed: missingFrom(newer, older) };
}
