/**
 * The processor time that synchronous `work` takes in this thread, in milliseconds. On a machine with much else to do the clock on the
 * wall goes on while the work waits; this one does not.
 */
export function measureCpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
