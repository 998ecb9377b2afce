import { afterEach, beforeEach, expect, it } from "vitest";
import { NO_LOG } from "#domain/core/log.ts";
import type { Actor } from "#domain/core/access.ts";
import { NO_METER } from "#domain/metrics/meter.ts";
import { GENERATION_LEASE_MS, type GenerationResult, type LeasedGeneration } from "#domain/answers/generation.ts";
import { ModelError } from "#domain/model/model.ts";
import type { Store } from "#domain/store.ts";
import { newId } from "#domain/core/system.ts";
import { type BeginGeneration, startGenerationRunner } from "#service/generation/runner.ts";
import { openStore } from "#storage/sqlite/store.ts";
import { getCreated, seedBusiness, T0 } from "../support/boards.ts";

const RESULT: GenerationResult = { mode: "model", output: null, ideas: [], citations: [], contextTokens: 1 };
const POLL_INTERVAL_MS = 10;

let store: Store;
let scope: Awaited<ReturnType<typeof seedBusiness>>["scope"];
let now: number;
let logged: string[];
const clock = { now: () => now };
const log = {
  ...NO_LOG,
  warn: (_: object, message: string) => logged.push(message),
  error: (_: object, message: string) => logged.push(message),
};
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
  const runner = startGenerationRunner({ store, clock, log, meter: NO_METER }, POLL_INTERVAL_MS);
  runners.push(runner);
  return runner;
}

type Runner = ReturnType<typeof newRunner>;
const keyOf = (businessId: string, keyId: string): Actor => ({ kind: "key", businessId, keyId }) as unknown as Actor;

/** Starts a generation that is stored already, of this key. Throws if the runner refuses it. */
async function startAs(runner: Runner, keyId: string, leased: LeasedGeneration, work: Parameters<BeginGeneration>[1]) {
  return runner.start(keyOf(leased.businessId, keyId), async (begin) => ({ ended: begin(leased, work) }));
}

const start = async (runner: Runner, leased: LeasedGeneration, work: Parameters<BeginGeneration>[1]) =>
  (await startAs(runner, "key_1", leased, work)).ended;

async function newLeasedGeneration(on = scope): Promise<LeasedGeneration> {
  const draft = { id: newId("gen", now), endpoint: "/api/v1/idea", assetType: null, request: {}, lease: newId("gen", now) } as const;
  getCreated(await store.generations.create(on, draft, now));
  return { businessId: on.target.businessId, boardId: on.target.id, id: draft.id, lease: draft.lease };
}

const readStatus = async ({ businessId, id }: LeasedGeneration) => (await store.generations.find(businessId, id))?.status;
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new DOMException("Aborted", "AbortError"))));

it("the generation runner renews leases for as long as it works, whatever other process starts meanwhile", async () => {
  const done = Promise.withResolvers<void>();
  const held = await newLeasedGeneration();
  const ended = start(newRunner(), held, async () => {
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

it("the generation runner fails the generations of a lost process", async () => {
  const held = await newLeasedGeneration();
  newRunner();
  now += GENERATION_LEASE_MS + 1;
  await expect.poll(() => readStatus(held)).toBe("failed");
  expect(logged).toEqual(["failed generations whose process was lost"]);
});

it("the generation runner aborts its work when another process cancelled the generation, and writes nothing more", async () => {
  const held = await newLeasedGeneration();
  const ended = start(newRunner(), held, untilAborted);
  await store.generations.cancel(scope, held.id, now);
  expect(await ended).toMatchObject({ status: "cancelled" });
  expect(logged).toEqual([]);
});

it("the generation runner stores the reason of a failure, without details of a server error", async () => {
  const runner = newRunner();
  const fail = async (error: Error) =>
    start(runner, await newLeasedGeneration(), async () => {
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

it("the generation runner runs sixteen at once, and queues the others", async () => {
  const runner = newRunner();
  let [running, most] = [0, 0];
  const ends = await Promise.all(
    Array.from({ length: 40 }, async () =>
      start(runner, await newLeasedGeneration(), async () => {
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

it("the generation runner schedules businesses and their keys fairly, and limits each separately", async () => {
  const runner = newRunner();
  const other = (await seedBusiness(store, "Other")).scope;
  const order: string[] = [];
  const begin = (held: LeasedGeneration, keyId: string) =>
    startAs(runner, keyId, held, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push(`${held.businessId} ${keyId}`);
      return { result: RESULT, tile: null };
    });
  const heap = await Promise.all(Array.from({ length: 250 }, () => newLeasedGeneration()));
  const late = await newLeasedGeneration(other);
  const begun = heap.slice(0, 128).map((held) => begin(held, "key_1"));
  await expect(begin(heap[128]!, "key_1")).rejects.toMatchObject({
    code: "rate_limited",
    message: "Too many generations of this API key or member are in progress. The maximum is 128. Try again in 10 s.",
    retryAfterSeconds: 10,
  });
  begun.push(...heap.slice(128).map((held) => begin(held, "key_2")));
  const unstored = { ...late, businessId: scope.target.businessId };
  await expect(begin(unstored, "key_3")).rejects.toMatchObject({
    code: "rate_limited",
    message: "Too many generations of this business are in progress. The maximum is 250. Try again in 10 s.",
  });
  const all = await Promise.all([...begun, begin(late, "key_4")]);
  expect((await Promise.all(all.map(({ ended }) => ended))).every(({ status }) => status === "complete")).toBe(true);
  // After running ones, and not after the two hundred queued ones.
  expect(order.indexOf(`${late.businessId} key_4`)).toBeLessThan(40);
  expect(order.indexOf(`${scope.target.businessId} key_2`)).toBeLessThan(40);
  expect(await start(runner, await newLeasedGeneration(), async () => ({ result: RESULT, tile: null }))).toMatchObject({
    status: "complete",
  });
});

it("the generation runner starts the generation of a business with nothing running, whatever others have running and waiting", async () => {
  const runner = newRunner();
  const [second, third] = [(await seedBusiness(store, "Second")).scope, (await seedBusiness(store, "Third")).scope];
  const held = await Promise.all(Array.from({ length: 500 }, (_, n) => newLeasedGeneration(n < 250 ? scope : second)));
  const begun = await Promise.all(held.map((one, n) => startAs(runner, `key_${n % 5}`, one, untilAborted)));
  const last = await newLeasedGeneration(third);
  const { ended } = await startAs(runner, "key_1", last, untilAborted);
  await expect(startAs(runner, "key_2", { ...last, id: "gen_refused" }, untilAborted)).rejects.toMatchObject({
    code: "unavailable",
    message: "Too many generations are in progress on this server. Try again in 10 s.",
  });
  await runner.stop(0);
  const all = await Promise.all([ended, ...begun.map((one) => one.ended)]);
  expect(all.every(({ status }) => status === "failed")).toBe(true);
});

it("the generation runner counts a generation while it is stored, and no longer if that fails or it was stored before", async () => {
  const runner = newRunner();
  const actor = keyOf(scope.target.businessId, "key_1");
  const stored = Promise.withResolvers<string>();
  const storing = Array.from({ length: 128 }, async (_, n) => {
    if (n > 0) return runner.start(actor, () => stored.promise);
    await expect(runner.start(actor, () => stored.promise.then(() => Promise.reject(new Error("not stored"))))).rejects.toThrow(
      "not stored",
    );
    return "replayed";
  });
  await expect(runner.start(actor, async () => "more")).rejects.toMatchObject({ code: "rate_limited" });
  stored.resolve("replayed");
  expect(new Set(await Promise.all(storing))).toEqual(new Set(["replayed"]));
  expect(await runner.start(actor, async () => "more")).toBe("more");
});

it("a stop of the generation runner waits for what completes in time, fails the rest, and accepts nothing more", async () => {
  const runner = newRunner();
  const [quick, slow] = [await newLeasedGeneration(), await newLeasedGeneration()];
  const ends = [
    start(runner, quick, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { result: RESULT, tile: null };
    }),
    start(runner, slow, untilAborted),
  ];
  const stored = Promise.withResolvers<void>();
  const storing = await newLeasedGeneration();
  const late = runner.start(keyOf(storing.businessId, "key_1"), async (begin) => {
    await stored.promise;
    return { ended: begin(storing, untilAborted) };
  });
  await runner.stop(100);
  stored.resolve();
  expect(await (await late).ended).toMatchObject({ status: "failed", error: { code: "interrupted" } });
  expect(await Promise.all(ends)).toMatchObject([{ status: "complete" }, { status: "failed", error: { code: "interrupted" } }]);
  const refused = await newLeasedGeneration();
  await expect(start(runner, refused, untilAborted)).rejects.toThrow("The service is stopping.");
  expect(await readStatus(refused)).toBe("processing");
});
