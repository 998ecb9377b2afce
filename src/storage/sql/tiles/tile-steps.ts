import type { StepLimit } from "#domain/content/changes.ts";

/**
 * Returns the first rows of a step. `bytes` is the length of a row's texts, which every change of the row writes again. A step has at
 * least one row, however long.
 */
export function limitStep<Row extends { readonly bytes: number }>(rows: readonly Row[], { tiles, bytes }: StepLimit): readonly Row[] {
  let taken = 0;
  for (let sum = 0; taken < rows.length && taken < tiles && sum < bytes; taken++) sum += (rows[taken] as Row).bytes;
  return rows.slice(0, taken);
}
