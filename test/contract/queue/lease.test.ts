import { expect } from "vitest";
import { LEASE_MS, SHORTAGE_DELAY_MS } from "#domain/content/job.ts";
import type { TileError } from "#domain/content/tile.ts";
import { ingested, linkTile, newJob, newWebhook, T0 } from "../../support/boards.ts";
import { addLink, expectRejection, type StoreContext } from "../store-context.ts";
import { test } from "../store-test.ts";

const FAILURE: TileError = { code: "timeout", message: "It took too long.", stage: "fetch", retryable: false, attempts: 1 };

/** Expects that all writes with a lost lease have no effect. */
async function expectLost(
  { store, business }: StoreContext,
  job: Awaited<ReturnType<StoreContext["store"]["queue"]["claim"]>>[number],
  now: number,
): Promise<void> {
  const before = await store.tiles.find(business.id, job.tileId);
  const due = await store.queue.nextDue();
  const deliveries = await store.webhooks.deliveries(business.id, 100);
  expect(await store.queue.complete(job, ingested("Stale"), now)).toBe(false);
  expect(await store.queue.fail(job, FAILURE, now)).toBe(false);
  expect(await store.queue.retryLater(job, FAILURE, now + 1, now)).toBe(false);
  expect([...(await store.queue.renew([job], now))]).toEqual([]);
  await store.queue.release([job], now);
  expect(await store.tiles.find(business.id, job.tileId)).toEqual(before);
  expect(await store.queue.nextDue()).toBe(due);
  expect(await store.webhooks.deliveries(business.id, 100)).toEqual(deliveries);
}

test("a lease that expired lets another worker claim the job, and the first one can no longer write", async (context) => {
  const { store, business, scope } = context;
  await store.webhooks.put(newWebhook(business.id, { events: ["tile.ready", "tile.failed"] }), "operator");
  const tile = await addLink({ store, scope }, "https://one.example/");
  const [first] = await store.queue.claim(1, 1, T0);
  expect(await store.queue.claim(1, 1, T0 + LEASE_MS - 1)).toEqual([]);
  const [second] = await store.queue.claim(1, 1, T0 + LEASE_MS + 1);
  expect(second).toMatchObject({ id: first!.id, tileId: tile.id, attempt: 2 });
  expect(second!.lease).not.toBe(first!.lease);
  await expectLost(context, first!, T0 + LEASE_MS + 2);
  expect(await store.queue.complete(second!, ingested("Text"), T0 + LEASE_MS + 3)).toBe(true);
  expect(await store.tiles.find(business.id, tile.id)).toMatchObject({ status: "ready", extractedText: "Text" });
});

test("a job that is given back is due later if asked, and the attempt does not count", async ({ store, scope }) => {
  await addLink({ store, scope }, "https://one.example/");
  const [job] = await store.queue.claim(1, 1, T0);
  await store.queue.release([job!], T0, 10_000);
  expect(await store.queue.claim(1, 1, T0 + 9_000)).toEqual([]);
  const [again] = await store.queue.claim(1, 1, T0 + 11_000);
  expect(again).toMatchObject({ id: job!.id, attempt: 1 });
});

test("a lease that is renewed does not expire", async ({ store, scope }) => {
  await addLink({ store, scope }, "https://one.example/");
  await addLink({ store, scope }, "https://two.example/");
  const jobs = await store.queue.claim(2, 1, T0);
  expect(await store.queue.renew([jobs[0]!], T0 + LEASE_MS - 1)).toEqual(new Set([jobs[0]!.id]));
  expect((await store.queue.claim(9, 9, T0 + LEASE_MS + 1)).map(({ id }) => id)).toEqual([jobs[1]!.id]);
  expect(await store.queue.renew(jobs, T0 + LEASE_MS + 2)).toEqual(new Set([jobs[0]!.id]));
  expect(await store.queue.complete(jobs[0]!, ingested("Text"), T0 + LEASE_MS + 3)).toBe(true);
  expect(await store.queue.renew([], T0)).toEqual(new Set());
});

test("a lease is invalid after its job was completed", async (context) => {
  const { store, scope } = context;
  await store.webhooks.put(newWebhook(context.business.id), "operator");
  await addLink({ store, scope }, "https://one.example/");
  const [job] = await store.queue.claim(1, 1, T0);
  const outcomes = await Promise.all([1, 2, 3].map((i) => store.queue.complete(job!, ingested(`Text ${i}`), T0 + 1)));
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  await expectLost(context, job!, T0 + 2);
});

test("a lease is lost when the tile is deleted, edited or gets another link", async (context) => {
  const { store, business, scope } = context;
  const deleted = await addLink({ store, scope }, "https://one.example/");
  const changed = await addLink({ store, scope }, "https://two.example/");
  await addLink({ store, scope }, "https://three.example/", { externalId: "a" });
  const jobs = await store.queue.claim(3, 1, T0);
  await store.tiles.remove(scope, deleted.id, T0 + 1);
  await store.tiles.update(scope, changed.id, { content: "By hand" }, T0 + 1);
  await store.tiles.create(scope, linkTile("https://four.example/", { externalId: "a" }), T0 + 1);
  expect(await store.queue.renew(jobs, T0 + 2)).toEqual(new Set());
  for (const job of jobs) await expectLost(context, job, T0 + 2);
  expect(await store.tiles.find(business.id, deleted.id)).toBeNull();
  expect(await store.tiles.findDeletedHead(business.id, deleted.id, 0)).toMatchObject({
    status: "processing",
    textBytes: "https://one.example/".length,
  });
});

test("a released job is due at once, and the attempt is not counted", async (context) => {
  const { store, scope } = context;
  await addLink({ store, scope }, "https://one.example/", { job: newJob("one.example", { maxAttempts: 1 }) });
  for (let i = 0; i < 3; i++) {
    const [job] = await store.queue.claim(1, 1, T0 + i);
    expect(job).toMatchObject({ attempt: 1 });
    await store.queue.release([job!], T0 + i + 1);
    expect(await store.queue.nextDue()).toBe(T0 + i + 1);
    await expectLost(context, job!, T0 + i + 1);
  }
});

test("a tile whose workers were lost in all attempts fails with a message and can be retried", async (context) => {
  const { store, business, scope } = context;
  await store.webhooks.put(newWebhook(business.id, { events: ["tile.failed"] }), "operator");
  let woken = 0;
  store.webhooks.onDelivery(() => woken++);
  const tile = await addLink({ store, scope }, "https://one.example/", { job: newJob("one.example", { maxAttempts: 2 }) });
  let now = T0;
  for (let attempt = 1; attempt <= 2; attempt++) {
    expect(await store.queue.claim(1, 1, now)).toMatchObject([{ attempt, maxAttempts: 2 }]);
    now = (await store.queue.nextDue())!;
  }
  expect(woken).toBe(0);
  expect(await store.queue.claim(1, 1, now)).toEqual([]);
  const failed = await store.tiles.find(business.id, tile.id);
  expect(failed).toMatchObject({
    status: "failed",
    error: { code: "worker_lost", attempts: 2, retryable: true, message: expect.stringMatching(/^[A-Z].*\.$/) },
  });
  expect(await store.queue.nextDue()).toBeNull();
  expect(await store.webhooks.deliveries(business.id, 9)).toMatchObject([{ event: "tile.failed", status: "pending" }]);
  expect(woken).toBeGreaterThan(0);
  await store.tiles.retry(scope, tile.id, newJob(), now + 1);
  expect(await store.queue.claim(1, 1, now + 1)).toMatchObject([{ attempt: 1 }]);
  await expectRejection(store.tiles.retry(scope, tile.id, newJob(), now + 2), "conflict");
});

test("new jobs that a clock which was ahead made due later can be made due, and retries keep their time", async ({ store, scope }) => {
  const HOUR = 3_600_000;
  await addLink({ store, scope }, "https://failed.example/");
  const [failed] = await store.queue.claim(1, 9, T0);
  await store.queue.retryLater(failed!, FAILURE, T0 + 2 * HOUR, T0);
  await addLink({ store, scope }, "https://new.example/", {}, T0 + HOUR);
  expect(await store.queue.claim(9, 9, T0 + 1)).toEqual([]);
  await store.queue.makeNewJobsDue(T0 + 1);
  expect(await store.queue.claim(9, 9, T0 + 1)).toMatchObject([{ host: "new.example" }]);
  expect(await store.queue.nextDue()).not.toBeNull();
  expect(await store.queue.claim(9, 9, T0 + 2 * HOUR)).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ host: "failed.example" })]),
  );
});

test("jobs that were returned for a shortage keep their time when new jobs are made due, unless the clock was ahead", async ({
  store,
  scope,
}) => {
  await addLink({ store, scope }, "https://short.example/");
  await addLink({ store, scope }, "https://ahead.example/");
  const [short, ahead] = await store.queue.claim(9, 9, T0);
  await store.queue.release([short!], T0, SHORTAGE_DELAY_MS);
  await store.queue.release([ahead!], T0 + 3_600_000, SHORTAGE_DELAY_MS);
  await store.queue.makeNewJobsDue(T0);
  expect(await store.queue.claim(9, 9, T0)).toMatchObject([{ host: "ahead.example" }]);
  expect(await store.queue.claim(9, 9, T0 + SHORTAGE_DELAY_MS)).toMatchObject([{ host: "short.example" }]);
});
