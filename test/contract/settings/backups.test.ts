import { expect, it } from "vitest";
import { type BackupSchedule, NO_SCHEDULE, MAX_RUN_MS, isBackupName } from "#domain/settings/backup.ts";
import { newId } from "#domain/core/system.ts";
import { T0 } from "../../support/boards.ts";
import { type StoreContext, expectRejection } from "../store-context.ts";
import { test, withStore } from "../store-test.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** T0 is midnight, so the scheduled hour follows on the same day. */
const AT_THREE = T0 + 3 * HOUR;

const bak = (): string => newId("bak", T0);
const setDaily = ({ store, manage }: StoreContext, now = T0) => store.backups.change(manage, { every: "day", hour: 3 }, now);

test("the backup schedule is off at first, keeps fields that a change does not name, and records changes in the audit log", async ({
  store,
  business,
  manage,
}) => {
  expect(await store.backups.schedule()).toEqual(NO_SCHEDULE);
  expect(await store.backups.change(manage, { keep: 5 }, T0)).toEqual({ ...NO_SCHEDULE, keep: 5 });
  const daily: BackupSchedule = { every: "day", hour: 23, keep: 5, nextAt: T0 + 23 * HOUR };
  expect(await store.backups.change(manage, { every: "day", hour: 23 }, T0 + 1)).toEqual(daily);
  expect(await store.backups.schedule()).toEqual(daily);
  expect(await store.backups.change(manage, { every: "off" }, T0 + 2)).toEqual({ ...daily, every: "off", nextAt: null });
  expect((await store.auditPage(business.id, 9, null)).entries.map(({ action, at }) => [action, at])).toEqual([
    ["backup.schedule", T0 + 2],
    ["backup.schedule", T0 + 1],
    ["backup.schedule", T0],
  ]);
});

test("the backup schedule starts at the next occurrence of its hour, today or tomorrow, and not in the current hour", async (context) => {
  const { store, manage } = context;
  expect((await setDaily(context)).nextAt).toBe(AT_THREE);
  await store.backups.change(manage, { every: "off" }, T0);
  expect((await setDaily(context, AT_THREE)).nextAt).toBe(AT_THREE + DAY);
  expect((await store.backups.change(manage, { every: "week" }, T0 + 1)).nextAt).toBe(AT_THREE);
});

test("the backup schedule keeps the due time if only the number of files changes", async (context) => {
  await setDaily(context);
  expect((await context.store.backups.change(context.manage, { keep: 3, hour: 3 }, AT_THREE + HOUR)).nextAt).toBe(AT_THREE);
  expect(await context.store.backups.claimDue("one", bak(), AT_THREE + HOUR)).not.toBeNull();
});

test("due backups are claimed when due and not before, with a name that contains the time", async (context) => {
  const { store } = context;
  expect(await store.backups.claimDue("one", bak(), AT_THREE)).toBeNull();
  await setDaily(context);
  expect(await store.backups.claimDue("one", bak(), AT_THREE - 1)).toBeNull();
  const id = bak();
  const claimed = await store.backups.claimDue("one", id, AT_THREE);
  expect(claimed).toMatchObject({ dueAt: AT_THREE, run: { id, node: "one", startedAt: AT_THREE, endedAt: null, bytes: null } });
  expect(claimed?.run.file).toMatch(/^tessera-2026-01-01T030000Z\./);
  expect(isBackupName(claimed!.run.file)).toBe(true);
  expect(await store.backups.runs(9)).toEqual([claimed?.run]);
  expect((await store.backups.schedule()).nextAt).toBe(AT_THREE + DAY);
});

test("due backups are claimed once by concurrent calls", async (context) => {
  await setDaily(context);
  const nodes = Array.from({ length: 8 }, (_, i) => `node-${i}`);
  const claims = await Promise.all(nodes.map((node) => context.store.backups.claimDue(node, bak(), AT_THREE + 5)));
  expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
  expect(await context.store.backups.runs(9)).toHaveLength(1);
});

it.each([
  ["day", 4 * DAY + HOUR, 5 * DAY],
  ["week", 6 * DAY, 7 * DAY],
  ["week", 7 * DAY, 14 * DAY],
  ["week", 30 * DAY, 35 * DAY],
] as const)("due backups of every %s that were missed for %i ms are made up for once, and the schedule continues", (every, late, next) =>
  withStore(async ({ store, manage }) => {
    await store.backups.change(manage, { every, hour: 3 }, T0);
    const claimed = await store.backups.claimDue("one", bak(), AT_THREE + late);
    await store.backups.end(claimed!.run.id, { bytes: 1 }, AT_THREE + late + 1);
    expect(await store.backups.claimDue("one", bak(), AT_THREE + late + 2)).toBeNull();
    expect((await store.backups.schedule()).nextAt).toBe(AT_THREE + next);
  }),
);

test("due backups wait for a running backup, and follow it directly", async (context) => {
  const { store, manage } = context;
  await setDaily(context);
  await store.backups.request(manage, bak(), AT_THREE - 5);
  const wanted = await store.backups.claimDue("one", bak(), AT_THREE + 1);
  expect(wanted?.dueAt).toBeNull();
  expect(await store.backups.claimDue("two", bak(), AT_THREE + 2)).toBeNull();
  await store.backups.end(wanted!.run.id, { bytes: 1 }, AT_THREE + 3);
  expect(await store.backups.claimDue("two", bak(), AT_THREE + 4)).toMatchObject({ dueAt: AT_THREE });
});

test("due backups that were abandoned are due again, unless the schedule is off by then", async (context) => {
  const { store, manage } = context;
  await setDaily(context);
  const first = await store.backups.claimDue("one", bak(), AT_THREE + 1);
  await store.backups.recordAborted(first!, "The server stopped during this backup.", AT_THREE + 2);
  expect(await store.backups.runs(1)).toMatchObject([
    { error: "The server stopped during this backup.", bytes: null, endedAt: AT_THREE + 2 },
  ]);
  const second = await store.backups.claimDue("two", bak(), AT_THREE + 3);
  expect(second?.run.file).not.toBe(first?.run.file);
  await store.backups.change(manage, { every: "off" }, AT_THREE + 4);
  await store.backups.recordAborted(second!, "The server stopped during this backup.", AT_THREE + 5);
  expect(await store.backups.schedule()).toMatchObject({ every: "off", nextAt: null });
  expect(await store.backups.claimDue("one", bak(), AT_THREE + 6)).toBeNull();
});

test("a requested backup is claimed once, and recorded in the audit log", async ({ store, business, manage }) => {
  const id = bak();
  const run = await store.backups.request(manage, id, T0);
  expect(run).toMatchObject({ id, node: "", startedAt: T0, endedAt: null });
  const claims = await Promise.all(["a", "b", "c", "d"].map((node) => store.backups.claimDue(node, bak(), T0 + 1)));
  const won = claims.filter((claim) => claim !== null);
  expect(won).toEqual([{ run: { ...run, node: expect.stringMatching(/^[abcd]$/) }, dueAt: null }]);
  expect((await store.auditPage(business.id, 9, null)).entries).toMatchObject([{ action: "backup.make", subject: id, at: T0 }]);
});

test("a requested backup is rejected while one is requested or running, also for concurrent requests", async ({ store, manage }) => {
  const asked = await Promise.allSettled(Array.from({ length: 6 }, () => store.backups.request(manage, bak(), T0)));
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const claimed = await store.backups.claimDue("one", bak(), T0 + 1);
  await expectRejection(store.backups.request(manage, bak(), T0 + 2), "conflict");
  await store.backups.end(claimed!.run.id, { error: "The disk is full." }, T0 + 3);
  const next = await store.backups.request(manage, bak(), T0 + 4);
  expect(next.file).not.toBe(claimed?.run.file);
  expect(await store.backups.runs(1)).toEqual([next]);
});

test("a requested backup expires after an hour, and is then no longer claimed", async ({ store, manage }) => {
  await store.backups.request(manage, bak(), T0);
  expect(await store.backups.claimDue("one", bak(), T0 + MAX_RUN_MS)).toBeNull();
  const next = await store.backups.request(manage, bak(), T0 + MAX_RUN_MS);
  expect((await store.backups.claimDue("one", bak(), T0 + MAX_RUN_MS + 1))?.run.id).toBe(next.id);
});

test("backup runs end once and are listed newest first, and those with a file are kept until they are removed", async ({
  store,
  manage,
}) => {
  expect(await store.backups.lastSuccess()).toBeNull();
  const ids: string[] = [];
  for (const [i, outcome] of [{ bytes: 5_000_000_000 }, { error: "The disk is full." }, { bytes: 7 }].entries()) {
    const at = T0 + i * 10_000;
    const { id } = await store.backups.request(manage, bak(), at);
    await store.backups.claimDue("one", bak(), at + 1);
    await store.backups.end(id, outcome, at + 2);
    await store.backups.end(id, { error: "Too late." }, at + 3);
    ids.push(id);
  }
  const [first, second, third] = ids;
  expect(await store.backups.runs(9)).toMatchObject([
    { id: third, bytes: 7, error: null, isRemoved: false, endedAt: T0 + 20_002 },
    { id: second, bytes: null, error: "The disk is full." },
    { id: first, bytes: 5_000_000_000, error: null },
  ]);
  expect((await store.backups.runs(2)).map(({ id }) => id)).toEqual([third, second]);
  expect((await store.backups.listAvailable()).map(({ id }) => id)).toEqual([third, first]);
  await store.backups.markRemoved([first!]);
  await store.backups.markRemoved([]);
  expect((await store.backups.listAvailable()).map(({ id }) => id)).toEqual([third]);
  expect((await store.backups.runs(9))[2]).toMatchObject({ id: first, isRemoved: true });
  expect(await store.backups.lastSuccess()).toBe(T0 + 20_002);
  const made = { id: bak(), node: "one", file: "/mnt/copy.sqlite", bytes: 9, startedAt: T0 + 30_000, endedAt: T0 + 31_000 };
  await store.backups.recordMade(made);
  expect((await store.backups.runs(1))[0]).toEqual({ ...made, error: null, isRemoved: false });
  expect(await store.backups.lastSuccess()).toBe(T0 + 31_000);
  expect(await store.backups.claimDue("one", bak(), T0 + 32_000)).toBeNull();
});

test("backup runs are lost if their process is gone; unclaimed requests are not", async ({ store, manage }) => {
  const { id } = await store.backups.request(manage, bak(), T0);
  expect(await store.backups.listUnfinished("one", T0 + MAX_RUN_MS)).toEqual([]);
  await store.backups.claimDue("one", bak(), T0 + 1);
  expect((await store.backups.listUnfinished("one", T0 + MAX_RUN_MS)).map((run) => run.id)).toEqual([id]);
  await store.backups.end(id, { error: "The server stopped during this backup." }, T0 + MAX_RUN_MS);
  expect(await store.backups.listUnfinished("one", T0 + MAX_RUN_MS)).toEqual([]);
});
