/** Returns a function that runs tasks in the order of its calls, at most `max` at a time. */
export function createLimiter(max: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < max) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The next task takes over the place of this one.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
