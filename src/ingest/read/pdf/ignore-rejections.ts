/**
 * Does the work and lets go of promises that fail without anybody waiting for them: the parser of PDF leaves some behind
 * in broken files, and each would end the process or the thread. A thread does one thing at a time, so they are the parser's.
 */
export async function ignoringRejections<T>(work: () => Promise<T>): Promise<T> {
  const ignore = (): void => undefined;
  process.on("unhandledRejection", ignore);
  try {
    return await work();
  } finally {
    // What failed last is told of at the end of this turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", ignore);
  }
}
