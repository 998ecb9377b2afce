import type { TokenCounter } from "#retrieval/answer/token-counter.ts";
import { type BatchThreadOptions, createBatchThread } from "#runtime/batches/batch-thread.ts";
import { packageUrl } from "#runtime/files/package.ts";

const DEFAULTS = {
  name: "token counter",
  batchSize: 100,
  heapMb: 192,
  youngHeapMb: 16,
  idleMs: 600_000,
  batchTimeoutMs: 30_000,
  startTimeoutMs: 60_000,
  restartDelayMs: 30_000,
};

/** Creates a token counter that runs in a thread, which starts with the first text and ends when idle. */
export function createTokenCounter(options: Partial<BatchThreadOptions> = {}): TokenCounter {
  const module = options.module ?? packageUrl("#composition/analysis/token-thread.ts");
  const thread = createBatchThread<string, number>({ ...DEFAULTS, module, ...options });
  return {
    prepare: () => thread.prepare(),
    count: (texts, signal) => thread.run(texts, { isUrgent: true, signal }),
    close: () => thread.close(),
  };
}
