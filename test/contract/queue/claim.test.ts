import { expect } from "vitest";
import { LEASE_MS } from "#domain/content/job.ts";
import type { TileError } from "#domain/content/tile.ts";
import { ingested, seedBusiness, T0 } from "../../support/boards.ts";
import { addLink, addText } from "../store-context.ts";
import { test } from "../store-test.ts";

const FAILURE: TileError = { code: "timeout", message: "It took too long.", stage: "fetch", retryable: true, attempts: 1 };

test("a claim returns the oldest jobs first, up to the limit, each once, of all businesses", async ({ store, business, board, scope }) => {
  const other = await seedBusiness(store, "Other Lab");
  const tiles = [];
  for (let i = 0; i < 5; i++)
    tiles.push(await addLink({ store, scope: i === 2 ? other.scope : scope }, `https://host-${i}.example/`, {}, T0 + (i === 4 ? -5 : i)));
  expect(await store.queue.claim(0, 9, T0 + 10)).toEqual([]);
  const first = await store.queue.claim(2, 9, T0 + 10);
  expect(first.map(({ tileId }) => tileId)).toEqual([tiles[4]!.id, tiles[2]!.id]);
  expect(first[0]).toMatchObject({
    businessId: business.id,
    boardId: board.id,
    url: "https://host-4.example/",
    type: "WEBSITE",
    host: "host-4.example",
    attempt: 1,
    maxAttempts: 3,
  });
  const rest = await store.queue.claim(9, 9, T0 + 10);
  expect(rest.map(({ tileId }) => tileId)).toEqual([tiles[0]!.id, tiles[1]!.id, tiles[3]!.id]);
  expect(first[1]).toMatchObject({ businessId: other.business.id, boardId: other.board.id });
  expect(await store.queue.claim(9, 9, T0 + 10)).toEqual([]);
});

test("a claim returns jobs of the same time in the order of creation", async ({ store, scope }) => {
  const tiles = [];
  for (let i = 0; i < 6; i++) tiles.push(await addLink({ store, scope }, `https://host-${i}.example/`));
  expect((await store.queue.claim(9, 9, T0)).map(({ tileId }) => tileId)).toEqual(tiles.map(({ id }) => id));
});

test("concurrent claims never return one job twice", async ({ store, scope }) => {
  for (let i = 0; i < 20; i++) await addLink({ store, scope }, `https://host-${i}.example/`);
  const claims = await Promise.all(Array.from({ length: 8 }, () => store.queue.claim(4, 9, T0)));
  const jobs = claims.flat();
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(20);
  expect(new Set(jobs.map(({ lease }) => lease)).size).toBe(20);
});

test("claims run at most `perHost` jobs of one host, and others overtake them", async ({ store, scope }) => {
  for (let i = 0; i < 5; i++) await addLink({ store, scope }, `https://slow.example/${i}`);
  await addLink({ store, scope }, "https://fast.example/");
  const first = await store.queue.claim(9, 2, T0);
  expect(first.map(({ host }) => host).sort()).toEqual(["fast.example", "slow.example", "slow.example"]);
  expect(await store.queue.claim(9, 2, T0)).toEqual([]);
  await store.queue.complete(first[0]!, ingested("Text"), T0 + 1);
  expect((await store.queue.claim(9, 2, T0 + 1)).map(({ url }) => url)).toEqual(["https://slow.example/2"]);
  // Jobs with an expired lease do not count as running.
  const later = await store.queue.claim(9, 2, T0 + LEASE_MS + 5);
  expect(later.map(({ host }) => host).sort()).toEqual(["fast.example", "slow.example", "slow.example"]);
});

test("a claim finds new jobs of a business whose waiting ones were deleted", async ({ store, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/");
  await store.tiles.remove(scope, tile.id, T0 + 1);
  expect(await store.queue.claim(9, 9, T0 + 1)).toEqual([]);
  await addLink({ store, scope }, "https://two.example/", {}, T0 + 2);
  const [job] = await store.queue.claim(9, 9, T0 + 2);
  expect(job).toMatchObject({ url: "https://two.example/" });
  await store.queue.retryLater(job!, FAILURE, T0 + 60_000, T0 + 3);
  await addLink({ store, scope }, "https://three.example/", {}, T0 + 4);
  expect(await store.queue.claim(9, 9, T0 + 4)).toMatchObject([{ url: "https://three.example/" }]);
  expect(await store.queue.claim(9, 9, T0 + 60_000)).toHaveLength(2);
});

test("a claim returns no jobs that are not due", async ({ store, scope }) => {
  await addLink({ store, scope }, "https://one.example/", {}, T0 + 100);
  expect(await store.queue.claim(9, 9, T0 + 99)).toEqual([]);
  expect(await store.queue.nextDue()).toBe(T0 + 100);
  expect(await store.queue.claim(9, 9, T0 + 100)).toHaveLength(1);
});

test("the time of the next due job is null without jobs, then the earliest of due times and lease expirations", async ({
  store,
  scope,
}) => {
  expect(await store.queue.nextDue()).toBeNull();
  await addText({ store, scope }, "No work");
  expect(await store.queue.nextDue()).toBeNull();
  await addLink({ store, scope }, "https://late.example/", {}, T0 + 60_000);
  await addLink({ store, scope }, "https://early.example/", {}, T0 + 10);
  expect(await store.queue.nextDue()).toBe(T0 + 10);
  const [early] = await store.queue.claim(1, 1, T0 + 10);
  const expiry = (await store.queue.nextDue())!;
  expect(await store.queue.claim(1, 1, expiry - 1)).toEqual([]);
  expect(await store.queue.claim(1, 1, expiry)).toMatchObject([{ tileId: early!.tileId, attempt: 2 }]);
  expect(expiry).toBeGreaterThanOrEqual(T0 + 10 + LEASE_MS);
});

test("the time of the next due job includes the time of a retry", async ({ store, business, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/");
  const [job] = await store.queue.claim(1, 1, T0);
  expect(await store.queue.retryLater(job!, FAILURE, T0 + 7_000, T0 + 1)).toBe(true);
  expect(await store.queue.nextDue()).toBe(T0 + 7_000);
  expect(await store.tiles.find(business.id, tile.id)).toMatchObject({ status: "processing", error: FAILURE });
  expect(await store.queue.claim(1, 1, T0 + 6_999)).toEqual([]);
  expect(await store.queue.claim(1, 1, T0 + 7_000)).toMatchObject([{ tileId: tile.id, attempt: 2 }]);
});
