/** A word with this share of wrong letters is still taken for a typing error. */
const MAX_WRONG_SHARE = 0.4;

/** Returns the candidate that is most similar to `word`, or null if none is similar. */
export function suggest(word: string, candidates: readonly string[]): string | null {
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: countEdits(word.toLowerCase(), candidate) }))
    .sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= Math.max(1, Math.floor(best.candidate.length * MAX_WRONG_SHARE)) ? best.candidate : null;
}

/** Returns the Damerau-Levenshtein distance without repeated transpositions. */
function countEdits(a: string, b: string): number {
  let previous: number[] = [];
  let current = Array.from({ length: b.length + 1 }, (_, j) => j);
  const at = (row: readonly number[], j: number): number => row[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = at(current, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const edits = Math.min(at(current, j) + 1, at(next, j - 1) + 1, substitution);
      const isTransposed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(isTransposed ? Math.min(edits, at(previous, j - 2) + 1) : edits);
    }
    [previous, current] = [current, next];
  }
  return at(current, b.length);
}
