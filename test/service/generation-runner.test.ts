import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_METER } from "#domain/metrics/meter.ts";
import { GENERATION_LEASE_MS, type GenerationResult, type LeasedGeneration } from "#domain/answers/generation.ts";
import { ModelError } from "#domain/model/model.ts";
import type { Store } from "#domain/store.ts";
import { newId } from "#domain/core/system.ts";
import { startGenerationRunner } from "#service/generation/runner.ts";
import { openStore } from "#storage/sqlite/store.ts";
import { getCreated, seedBusiness, T0 } from "../support/boards.ts";

const RESULT: GenerationResult = { mode: "model", output: null, ideas: [], citations: [], contextTokens: 1 };
const POLL_INTERVAL_MS = 10;

let store: Store;
let scope: Awaited<ReturnType<typeof seedBusiness>>["scope"];
let now: number;
let logged: string[];
const clock = { now: () => now };
const log = { warn: (_: object, message: string) => logged.push(message), error: (_: object, message: string) => logged.push(message) };
const runners: ReturnType<typeof startGenerationRunner>[] = [];

beforeEach(async () => {
  store = openStore(":memory:");
  ({ scope } = await seedBusiness(store));
  now = T0;
  logged = [];
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(0)));
  await store.close();
});

function newRunner() {
  const runner = startGenerationRunner({ store, clock, meter: NO_METER }, log, POLL_INTERVAL_MS);
  runners.push(runner);
  return runner;
}

async function newLeasedGeneration(on = scope): Promise<LeasedGeneration> {
  const draft = { id: newId("gen", now), endpoint: "/api/v1/idea", assetType: null, request: {}, lease: newId("gen", now) } as const;
  getCreated(await store.generations.create(on, draft, now));
  return { businessId: on.target.businessId, boardId: on.target.id, id: draft.id, lease: draft.lease };
}

const readStatus = async ({ businessId, id }: LeasedGeneration) => (await store.generations.find(businessId, id))?.status;
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new DOMException("Aborted", "AbortError"))));

describe("the generation runner", () => {
  it("renews leases for as long as it works, whatever other process starts meanwhile", async () => {
    const done = Promise.withResolvers<void>();
    const held = await newLeasedGeneration();
    const ended = newRunner().start(held, async () => {
      await done.promise;
      return { result: RESULT, tile: null };
    });
    for (let step = 0; step < 6; step++) {
      now += GENERATION_LEASE_MS / 2;
      newRunner();
      await expect.poll(() => store.generations.expire(now)).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 5 * POLL_INTERVAL_MS));
    }
    expect(await readStatus(held)).toBe("processing");
    done.resolve();
    expect(await ended).toMatchObject({ status: "complete" });
  });

  it("fails the generations of a lost process", async () => {
    const held = await newLeasedGeneration();
    newRunner();
    now += GENERATION_LEASE_MS + 1;
    await expect.poll(() => readStatus(held)).toBe("failed");
    expect(logged).toEqual(["failed generations whose process was lost"]);
  });

  it("aborts its work when another process cancelled the generation, and writes nothing more", async () => {
    const held = await newLeasedGeneration();
    const ended = newRunner().start(held, untilAborted);
    await store.generations.cancel(scope, held.id, now);
    expect(await ended).toMatchObject({ status: "cancelled" });
    expect(logged).toEqual([]);
  });

  it("stores the reason of a failure, without details of a server error", async () => {
    const runner = newRunner();
    const fail = async (error: Error) =>
      runner.start(await newLeasedGeneration(), async () => {
        throw error;
      });
    expect(await fail(new ModelError("cut_off", "It was cut off."))).toMatchObject({
      status: "failed",
      error: { code: "model_cut_off", message: "It was cut off." },
    });
    const fault = await fail(new Error("secret words of a library"));
    expect(fault).toMatchObject({ status: "failed", error: { code: "internal" } });
    expect(JSON.stringify(fault)).not.toContain("secret words");
    expect(logged).toEqual(["a generation failed"]);
  });

  it("runs sixteen at once, and queues the others", async () => {
    const runner = newRunner();
    let [running, most] = [0, 0];
    const ends = await Promise.all(
      Array.from({ length: 40 }, async () =>
        runner.start(await newLeasedGeneration(), async () => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running--;
          return { result: RESULT, tile: null };
        }),
      ),
    );
    expect(ends.every(({ status }) => status === "complete")).toBe(true);
    expect(most).toBe(16);
  });

  it("schedules businesses fairly, and limits each separately", async () => {
    const runner = newRunner();
    const other = (await seedBusiness(store, "Other")).scope;
    const order: string[] = [];
    const begin = (held: LeasedGeneration) =>
      runner.start(held, async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push(held.businessId);
        return { result: RESULT, tile: null };
      });
    const heap = await Promise.all(Array.from({ length: 250 }, () => newLeasedGeneration()));
    const late = await newLeasedGeneration(other);
    const ends = heap.map(begin);
    expect(() => runner.requireCapacity(scope.target.businessId)).toThrow("Too many generations are in progress.");
    runner.requireCapacity(other.target.businessId);
    await Promise.all([...ends, begin(late)]);
    // After running ones, and not after the two hundred queued ones.
    expect(order.indexOf(late.businessId)).toBeLessThan(40);
    runner.requireCapacity(scope.target.businessId);
  });

  it("starts the generation of a business with nothing running, whatever others have running and waiting", async () => {
    const runner = newRunner();
    const [second, third] = [(await seedBusiness(store, "Second")).scope, (await seedBusiness(store, "Third")).scope];
    const held = await Promise.all(Array.from({ length: 500 }, (_, n) => newLeasedGeneration(n < 250 ? scope : second)));
    const ends = held.map((one) => runner.start(one, untilAborted));
    expect(() => runner.requireCapacity(second.target.businessId)).toThrow("Too many generations are in progress.");
    runner.requireCapacity(third.target.businessId);
    const last = await newLeasedGeneration(third);
    expect(await runner.start(last, async () => ({ result: RESULT, tile: null }))).toMatchObject({ status: "complete" });
    await runner.stop(0);
    expect((await Promise.all(ends)).every(({ status }) => status === "failed")).toBe(true);
  });

  it("on stop, waits for what completes in time, fails the rest, and accepts nothing more", async () => {
    const runner = newRunner();
    const [quick, slow] = [await newLeasedGeneration(), await newLeasedGeneration()];
    const ends = [
      runner.start(quick, async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { result: RESULT, tile: null };
      }),
      runner.start(slow, untilAborted),
    ];
    await runner.stop(100);
    expect(await Promise.all(ends)).toMatchObject([{ status: "complete" }, { status: "failed", error: { code: "interrupted" } }]);
    expect(() => runner.requireCapacity(quick.businessId)).toThrow("The service is stopping.");
    expect(await runner.start(await newLeasedGeneration(), async () => ({ result: RESULT, tile: null }))).toMatchObject({
      status: "failed",
    });
  });
});
