/** Returns the turns of the event loop that other work gets while this runs, and its result. */
export async function countTurns<T>(work: () => Promise<T>): Promise<{ readonly turns: number; readonly result: T }> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    const result = await work();
    return { turns, result };
  } finally {
    isOver = true;
  }
}
