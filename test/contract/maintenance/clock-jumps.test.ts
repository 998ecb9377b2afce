import { expect, it } from "vitest";
import { GENERATION_LEASE_MS } from "#domain/answers/generation.ts";
import { newId } from "#domain/core/system.ts";
import { getCreated, T0 } from "../../support/boards.ts";
import { addLink } from "../store-context.ts";
import { test, withStore } from "../store-test.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const AHEAD = 40 * DAY;

const bak = (): string => newId("bak", T0);

it.each(["day", "week"] as const)("a clock that was 40 days ahead skips no backup of every %s", (every) =>
  withStore(async ({ store, manage }) => {
    await store.backups.change(manage, { every, hour: 3 }, T0);
    const early = await store.backups.claimDue("one", bak(), T0 + AHEAD);
    await store.backups.end(early!.run.id, { bytes: 1 }, T0 + AHEAD + 1);
    // With the clock corrected, one is made at once, and the next one on schedule.
    const first = await store.backups.claimDue("one", bak(), T0 + 4 * HOUR);
    expect(first).not.toBeNull();
    await store.backups.end(first!.run.id, { bytes: 1 }, T0 + 4 * HOUR + 1);
    expect(await store.backups.claimDue("one", bak(), T0 + 4 * HOUR + 2)).toBeNull();
    const { nextAt } = await store.backups.schedule();
    expect(nextAt! - T0).toBeLessThanOrEqual(4 * HOUR + (every === "day" ? DAY : 7 * DAY));
    expect((nextAt! - T0 - 3 * HOUR) % DAY).toBe(0);
    expect(await store.backups.claimDue("one", bak(), nextAt!)).not.toBeNull();
  }),
);

test("a clock that was 40 days ahead does not let an unfinished run of that time block other backups", async ({ store, manage }) => {
  await store.backups.request(manage, bak(), T0 + AHEAD);
  await store.backups.claimDue("one", bak(), T0 + AHEAD + 1);
  await store.backups.request(manage, bak(), T0);
  expect(await store.backups.claimDue("one", bak(), T0 + 1)).toMatchObject({ run: { startedAt: T0 } });
  expect((await store.backups.listUnfinished("one", T0 + 2)).map(({ startedAt }) => startedAt)).toContain(T0 + AHEAD);
});

test("a clock that was 40 days ahead does not change the schedule of links", async ({ store, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/feed");
  await store.tiles.update(scope, tile.id, { refreshMinutes: 30 }, T0);
  expect(await store.tiles.takeDueRefreshes(9, T0 + AHEAD)).toHaveLength(1);
  expect(await store.tiles.takeDueRefreshes(9, T0 + HOUR)).toEqual([]);
  await store.tiles.replanRefreshes(T0 + HOUR);
  expect(await store.tiles.takeDueRefreshes(9, T0 + HOUR)).toHaveLength(1);
  await store.tiles.replanRefreshes(T0 + HOUR);
  expect(await store.tiles.takeDueRefreshes(9, T0 + HOUR + 29 * MINUTE)).toEqual([]);
});

test("a clock that was 40 days ahead leaves no generation processing forever", async ({ store, scope }) => {
  const draft = { id: newId("gen", T0), endpoint: "/api/v1/idea", assetType: null, request: {}, lease: newId("gen", T0) } as const;
  getCreated(await store.generations.create(scope, draft, T0 + AHEAD));
  expect(await store.generations.expire(T0 + AHEAD + GENERATION_LEASE_MS)).toBe(0);
  const held = { businessId: scope.target.businessId, boardId: scope.target.id, id: draft.id, lease: draft.lease };
  expect(await store.generations.renew([held], T0)).toEqual(new Set([draft.id]));
  expect(await store.generations.expire(T0)).toBe(0);
  await store.generations.renew([held], T0 + AHEAD);
  expect(await store.generations.expire(T0)).toBe(1);
});

test("a clock that was 40 days ahead leaves no claimed link unread", async ({ store, scope }) => {
  await addLink({ store, scope }, "https://one.example/", {}, T0 + AHEAD);
  const [first] = await store.queue.claim(1, 1, T0 + AHEAD);
  expect(await store.queue.renew([first!], T0)).toEqual(new Set([first!.id]));
  expect(await store.queue.claim(1, 1, T0 + 1)).toEqual([]);
  await store.queue.retryLater(first!, { code: "x", message: "m", stage: "s", retryable: true, attempts: 1 }, T0, T0);
  await addLink({ store, scope }, "https://two.example/", {}, T0 + AHEAD);
  expect(await store.queue.claim(9, 9, T0 + 1)).toHaveLength(2);
});

test("a clock that was 40 days ahead leaves no rate limit exhausted", async ({ store, business }) => {
  if (store.rateLimits === null) return;
  const count = (now: number) => store.rateLimits!.count(business.id, "key", 1, MINUTE, now);
  expect(await count(T0 + AHEAD)).toMatchObject({ start: T0 + AHEAD, used: 1 });
  expect(await count(T0)).toMatchObject({ start: T0, used: 1 });
  // A node whose clock is slightly behind counts in the same window.
  expect(await count(T0 - 5_000)).toMatchObject({ start: T0, used: 2 });
  expect(await count(T0 + AHEAD)).toMatchObject({ start: T0 + AHEAD, used: 1 });
});
