import { expect, it } from "vitest";
import { createAttemptClock } from "#ingest/jobs/attempt-clock.ts";
import { createFairQueue } from "#runtime/turns/fair-queue.ts";
import type { Pool } from "#ingest/threads/pool.ts";
import { usePools } from "./support/pools.ts";

const never = new AbortController().signal;
const make = usePools(60_000);

/** Starts tasks of businesses; `ended` lists completed ones in order. The task "hang" runs until it is aborted. */
function startTasks(pool: Pool) {
  const ended: string[] = [];
  const start = (business: string, name: string, signal: AbortSignal = never): Promise<void> =>
    pool
      .reader({ business })
      .clean({ html: name, url: "https://example.com/" }, signal)
      .then(
        () => void ended.push(name),
        () => undefined,
      );
  return { ended, start };
}

it("the fair queue of the pool lets a business with one page overtake another one with many", async () => {
  const pool = make();
  const { ended, start } = startTasks(pool);
  const running = new AbortController();
  const tasks = [start("many", "hang", running.signal)];
  for (let n = 1; n <= 20; n++) tasks.push(start("many", `many ${n}`));
  tasks.push(start("one", "one 1"), start("two", "two 1"), start("two", "two 2"));
  running.abort();
  await Promise.all(tasks);
  expect(ended.slice(0, 5)).toEqual(["one 1", "two 1", "many 1", "two 2", "many 2"]);
  expect(ended).toHaveLength(23);
});

it("the fair queue of the pool gives the first free thread to the business without one", async () => {
  const pool = make({ size: 2 });
  const { ended, start } = startTasks(pool);
  const [first, second] = [new AbortController(), new AbortController()];
  const tasks = [start("many", "hang", first.signal), start("many", "hang", second.signal)];
  for (let n = 1; n <= 10; n++) tasks.push(start("many", `many ${n}`));
  tasks.push(start("one", "one"));
  first.abort();
  await Promise.all(tasks.slice(2));
  expect(ended[0]).toBe("one");
  second.abort();
  await Promise.all(tasks);
});

it("the fair queue of the pool skips tasks that may not start yet, and removes aborted ones", () => {
  const queue = createFairQueue<string>();
  queue.add("a", "a large");
  queue.add("a", "a small");
  queue.add("b", "b large");
  const isSmall = (name: string): boolean => name.endsWith("small");
  expect(queue.take(isSmall)).toBe("a small");
  expect(queue.take(isSmall)).toBeUndefined();
  expect(queue.remove("b large")).toBe(true);
  expect(queue.remove("b large")).toBe(false);
  queue.add("c", "c small");
  expect(queue.take(() => true)).toBe("c small");
  expect(queue.clear()).toEqual(["a large"]);
  expect(queue.take(() => true)).toBeUndefined();
});

it("the clock of an attempt stops from the call of a task until its thread starts it", async () => {
  const pool = make();
  const { start } = startTasks(pool);
  const running = new AbortController();
  const first = start("many", "hang", running.signal);
  const pauses = { now: 0, ever: 0 };
  const clock = {
    pause: () => {
      pauses.now++;
      pauses.ever++;
      return () => void (pauses.now = 0);
    },
  };
  const own = new AbortController();
  const reader = pool.reader({ business: "one", clock });
  const waiting = reader.clean({ html: "hang", url: "https://example.com/" }, own.signal);
  waiting.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(pauses).toEqual({ now: 1, ever: 1 });
  running.abort();
  await first;
  await expect.poll(() => pauses.now, { timeout: 300_000 }).toBe(0);
  own.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  expect(pauses.ever).toBe(1);
});

it("the clock of an attempt resumes at once when a waiting task is aborted", async () => {
  const pool = make();
  const { start } = startTasks(pool);
  const running = new AbortController();
  const first = start("many", "hang", running.signal);
  const clock = createAttemptClock();
  const own = new AbortController();
  const waiting = pool.reader({ business: "one", clock }).clean({ html: "page", url: "https://example.com/" }, own.signal);
  own.abort(new Error("cancelled"));
  await expect(waiting).rejects.toThrow("cancelled");
  const before = clock.now();
  await expect.poll(() => clock.now()).toBeGreaterThan(before);
  running.abort();
  await first;
});
