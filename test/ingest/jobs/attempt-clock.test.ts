import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { IngestError, type Ingested } from "#domain/content/job.ts";
import { attemptJob } from "#ingest/jobs/attempt.ts";
import { createAttemptClock, MAX_PAUSED_MS } from "#ingest/jobs/attempt-clock.ts";
import { runSources } from "#ingest/extract/sources/run-sources.ts";
import type { ExtractContext } from "#ingest/extract/extractor.ts";
import { makeJob } from "../fixtures/queue.ts";

const result: Ingested = { type: "WEBSITE", title: "T", text: "words", metadata: {}, warnings: [] };
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

it("the clock of an attempt stops while anything pauses it", async () => {
  const clock = createAttemptClock();
  await pass(100);
  const [first, second] = [clock.pause(), clock.pause()];
  await pass(1_000);
  first();
  first();
  await pass(1_000);
  expect(clock.now()).toBe(100);
  second();
  await pass(50);
  expect(clock.now()).toBe(150);
});

it("the clock of an attempt calls back after its own time, unless cancelled", async () => {
  const clock = createAttemptClock();
  const called: string[] = [];
  clock.after(100, () => called.push("early"));
  const cancel = clock.after(120, () => called.push("cancelled"));
  await pass(60);
  const goOn = clock.pause();
  clock.after(100, () => called.push("late"));
  await pass(10_000);
  expect(called).toEqual([]);
  cancel();
  goOn();
  await pass(39);
  expect(called).toEqual([]);
  await pass(1);
  expect(called).toEqual(["early"]);
  await pass(60);
  expect(called).toEqual(["early", "late"]);
  expect(vi.getTimerCount()).toBe(0);
});

it("the clock of an attempt resumes permanently after the maximum pause", async () => {
  const clock = createAttemptClock(1_000);
  const first = clock.pause();
  await pass(400);
  first();
  const second = clock.pause();
  await pass(700);
  expect(clock.now()).toBe(100);
  second();
  clock.pause();
  await pass(100);
  expect(clock.now()).toBe(200);
  expect(vi.getTimerCount()).toBe(0);
});

it("the clock of an attempt lets an attempt wait longer than its time limit, but not forever", async () => {
  const run = async (waitMs: number): Promise<unknown> => {
    const outcome = attemptJob(
      async (_job, signal, clock) => {
        const goOn = clock.pause();
        await new Promise((resolve, reject) => {
          setTimeout(resolve, waitMs);
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }).finally(goOn);
        return result;
      },
      makeJob("a"),
      new AbortController(),
      1_000,
    );
    await pass(waitMs + 1);
    return outcome;
  };
  expect(await run(20_000)).toEqual({ ingested: result });
  expect(await run(MAX_PAUSED_MS + 2_000)).toMatchObject({ error: { code: "timeout" } });
});

it("the clock of an attempt does not charge waiting to a source of an extractor", async () => {
  const clock = createAttemptClock();
  const extract = runSources({
    missing: { code: "missing", message: "Nothing." },
    sources: [
      {
        name: "only",
        run: async ({ signal }) => {
          const goOn = clock.pause();
          await pass(60_000);
          goOn();
          signal.throwIfAborted();
          await pass(20_000);
          if (signal.aborted) throw new IngestError("timeout", "late", { stage: "fetch" });
          return { text: "words", isComplete: true };
        },
      },
    ],
  });
  const signal = new AbortController().signal;
  const context = { clock, signal, endsAt: 30_000, isLastAttempt: true, kind: { type: "WEBSITE" } } as unknown as ExtractContext;
  // The source used more than its 12 s of the 20 s; the minute before does not count.
  await expect(extract(context)).rejects.toMatchObject({ code: "timeout" });
  await expect(extract({ ...context, sourceTimeoutMs: 25_000, endsAt: 100_000 })).resolves.toMatchObject({ text: "words" });
});
