/**
 * Returns the CPU time of synchronous `work` in this thread, in milliseconds. Unlike elapsed time, it does not include the time that the
 * thread waits on a busy machine.
 */
export function measureCpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
