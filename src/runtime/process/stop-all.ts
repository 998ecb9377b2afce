/** Ends something: a function that may throw or reject. */
export type Stop = () => unknown;

/**
 * Runs every step, one after the other, and the functions of one step at the same time. An error keeps none of the others from running.
 * Afterwards throws that error, or an `AggregateError` of several, the first of which is its `cause`.
 */
export async function stopAll(...steps: readonly (readonly Stop[])[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    const results = await Promise.allSettled(step.map(async (stop) => stop()));
    errors.push(...results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : [])));
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} parts could not be stopped.`, { cause: errors[0] });
}
