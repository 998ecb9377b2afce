import { afterEach } from "vitest";
import { createPool, type Pool, type PoolOptions } from "#ingest/threads/pool.ts";

const thread = new URL("../../fixtures/thread.ts", import.meta.url);

/** Registers the hook that closes the pools after each test, and returns a function that creates them: of one thread of the fixture. */
export function usePools(timeoutMs: number): (options?: Partial<PoolOptions>) => Pool {
  const pools: Pool[] = [];
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));
  return (options = {}) => {
    const limits = { memoryMb: 64, fileMemoryMb: 64, maxBuffersMb: 96 };
    const pool = createPool({ size: 1, timeoutMs, ...limits, idleMs: 1_000, thread, ...options });
    pools.push(pool);
    return pool;
  };
}
