import { expect, test, vi } from "vitest";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { createDriver } from "#storage/sqlite/engine/driver.ts";
import { migrate } from "#storage/sqlite/engine/migrate.ts";
import { createIdempotently } from "#storage/sql/checks/idempotency.ts";
import { forgetOldestResponses } from "#storage/sql/checks/stored-bytes.ts";
import type { Driver } from "#storage/sql/driver.ts";
import { get, run, type Unit } from "#storage/sql/unit.ts";
import { T0 } from "../../support/boards.ts";

const record = (businessId: string, n: number) => ({
  businessId,
  apiKeyId: "key_1",
  path: "/tiles",
  key: `k${n}`,
  requestHash: "h",
  expiresAt: T0 + 1_000 + n,
  render: () => "x".repeat(100),
});

const create = (): Unit<unknown> => get("SELECT 1 AS one");

test("the oldest responses of a business are forgotten beyond its limit, and their keys are kept", async () => {
  const db = new Connection(":memory:");
  migrate(db);
  const driver = createDriver(db);
  const { read, write } = driver;
  for (let n = 0; n < 20; n++) await createIdempotently(driver, { idempotency: record("biz_1", n), now: T0, create });
  await createIdempotently(driver, { idempotency: record("biz_2", 0), now: T0, create });
  const bodies = () =>
    db.all<{ business_id: string; length: number }>(
      "SELECT business_id, length(body) AS length FROM once ORDER BY business_id, expires_at",
    );
  expect(await write(() => forgetOldestResponses("biz_1", 2_000))).toBe(0);
  expect(await write(() => forgetOldestResponses("biz_1", 1_500))).toBe(20);
  expect(bodies().map(({ length }) => length)).toEqual([...Array.from({ length: 20 }, () => 0), 100]);
  // Nothing is created again under a key whose response was forgotten.
  expect(await createIdempotently(driver, { idempotency: record("biz_1", 0), now: T0, create })).toEqual({ replayed: true, body: "" });
  expect(await read(() => forgetOldestResponses("biz_1", 0))).toBe(0);
  db.close();
});

test("the responses of a business are bounded while calls go on", async () => {
  const db = new Connection(":memory:");
  migrate(db);
  const driver = createDriver(db);
  const megabyte = "x".repeat(1_048_576);
  for (let n = 0; n < 80; n++)
    await createIdempotently(driver, { idempotency: { ...record("biz_3", n), render: () => megabyte }, now: T0, create });
  const stored = db.get<{ bytes: number; keys: number }>("SELECT sum(bytes) AS bytes, count(*) AS keys FROM once");
  expect(stored?.keys).toBe(80);
  expect(stored?.bytes).toBeLessThanOrEqual(68 * 1_048_576);
  expect(stored?.bytes).toBeGreaterThan(50 * 1_048_576);
  db.close();
});

test("responses are counted once committed, for each store alone", async () => {
  const megabyte = "x".repeat(1_048_576);
  const counts: number[] = [];
  for (const _store of ["first", "second"]) {
    const db = new Connection(":memory:");
    migrate(db);
    const driver = createDriver(db);
    const add = vi.spyOn(driver.storedBytes, "add");
    let runs = 0;
    const write: Driver["write"] = (unit) =>
      driver.write(function* () {
        // As after a conflict: the first run is rolled back.
        yield* unit();
        runs++;
        yield* run("DELETE FROM once");
        return yield* unit();
      });
    for (let n = 0; n < 3; n++)
      await createIdempotently(driver, { idempotency: { ...record("biz_4", n), render: () => megabyte }, now: T0, create, write });
    expect(runs).toBe(3);
    counts.push(add.mock.calls.length);
    expect(add.mock.results.map(({ value }) => value as boolean)).toEqual([false, false, false]);
    db.close();
  }
  expect(counts).toEqual([3, 3]);
});
