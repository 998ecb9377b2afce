/**
 * Runs `work` and ignores unhandled rejections until it ends. For damaged files the PDF parser does not handle all rejections, and each
 * would end the process or thread. A thread runs one task at a time, so all of them are the parser's.
 */
export async function ignoreRejections<T>(work: () => Promise<T>): Promise<T> {
  const ignore = (): void => undefined;
  process.on("unhandledRejection", ignore);
  try {
    return await work();
  } finally {
    // Rejections are reported at the end of the current turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", ignore);
  }
}
