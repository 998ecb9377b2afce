import { expect } from "vitest";
import { LEASE_MS } from "#domain/content/job.ts";
import { MAX_RUNNING, type Progress } from "#domain/content/progress.ts";
import { seedBusiness, T0 } from "../../support/boards.ts";
import { test } from "../store-test.ts";

const createEntry = (tileId: string, more: Partial<Progress> = {}): Progress => ({
  businessId: "biz_1",
  boardId: "brd_1",
  tileId,
  stage: "fetch",
  attempt: 1,
  maxAttempts: 3,
  startedAt: T0,
  ...more,
});

test("job progress lists the latest reports of all businesses by start time", async ({ store: { progress } }) => {
  expect(await progress.running(T0)).toEqual([]);
  const [first, second] = [createEntry("til_b", { startedAt: T0 + 1 }), createEntry("til_a", { startedAt: T0 + 2, attempt: 2 })];
  const elsewhere = createEntry("til_b", { businessId: "biz_2", boardId: "brd_2", startedAt: T0 + 3, stage: "transcribe" });
  await progress.report([elsewhere, second, first], T0 + 3);
  expect(await progress.running(T0 + 3)).toEqual([first, second, elsewhere]);
  const later = { ...second, stage: "recognise" } as const;
  await progress.report([later], T0 + 4);
  expect(await progress.running(T0 + 4)).toEqual([first, later, elsewhere]);
  await progress.end([first, elsewhere]);
  expect(await progress.running(T0 + 4)).toEqual([later]);
});

test("job progress expires one lease after its last report, and is then purged without being counted", async ({ store }) => {
  const { business } = await seedBusiness(store, "Harbour");
  const [kept, left] = ["til_a", "til_b"].map((tileId) => createEntry(tileId, { businessId: business.id })) as [Progress, Progress];
  await store.progress.report([kept, left], T0);
  await store.progress.report([kept], T0 + 10);
  expect(await store.progress.running(T0 + LEASE_MS)).toHaveLength(2);
  expect(await store.progress.running(T0 + LEASE_MS + 1)).toEqual([kept]);
  expect(await store.purge(T0, T0 + LEASE_MS + 1)).toBe(0);
  expect(await store.progress.running(T0)).toEqual([kept]);
});

test("progress of an ended attempt neither replaces nor ends that of a later one, unless that one stopped reporting", async ({
  store: { progress },
}) => {
  const lost = createEntry("til_a");
  const taken = createEntry("til_a", { attempt: 2, stage: "read", startedAt: T0 + 20_000 });
  await progress.report([taken], T0 + 20_500);
  await progress.report([lost], T0 + 20_600);
  await progress.end([lost]);
  expect(await progress.running(T0 + 20_600)).toEqual([taken]);
  // A clock that is ahead on another node must not hide the tile permanently.
  await progress.report([lost], T0 + 20_500 + LEASE_MS + 1);
  expect(await progress.running(T0 + 20_500 + LEASE_MS + 1)).toEqual([lost]);
});

test("job progress keeps the later attempt if one report has a tile twice, and accepts concurrent reports", async ({
  store: { progress },
}) => {
  const [early, late] = [createEntry("til_a"), createEntry("til_a", { attempt: 2, startedAt: T0 + 1 })];
  for (const both of [
    [early, late],
    [late, early],
  ]) {
    await progress.report(both, T0);
    expect(await progress.running(T0)).toEqual([late]);
    await progress.end([late]);
  }
  const tiles = Array.from({ length: 40 }, (_, i) => createEntry(`til_${String(i).padStart(2, "0")}`));
  await Promise.all([progress.report(tiles, T0), progress.report(tiles.toReversed(), T0), progress.report(tiles.slice(10), T0)]);
  expect(await progress.running(T0)).toEqual(tiles);
  await Promise.all([progress.end(tiles), progress.end(tiles.toReversed())]);
  expect(await progress.running(T0)).toEqual([]);
});

test("job progress is limited in the number of tiles", async ({ store: { progress } }) => {
  await progress.report(
    Array.from({ length: MAX_RUNNING + 20 }, (_, i) => createEntry(`til_${i}`, { startedAt: T0 + i })),
    T0,
  );
  const running = await progress.running(T0);
  expect([running.length, running[0]?.tileId, running.at(-1)?.tileId]).toEqual([MAX_RUNNING, "til_0", `til_${MAX_RUNNING - 1}`]);
});
