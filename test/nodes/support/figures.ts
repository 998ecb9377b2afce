/** Prints a measured figure in one line. */
export const printFigure = (line: string): void => console.log(line);

/** Formats milliseconds as seconds with one decimal. */
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}
