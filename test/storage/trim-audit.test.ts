import { expect, test } from "vitest";
import { run } from "#storage/sql/unit.ts";
import { seedBusiness, T0 } from "../support/boards.ts";
import { openPostgres, openSqlite } from "./open-drivers.ts";

const MAX_ENTRIES = 10_000;

/** Adds `count` entries with the subjects 1, 2 … */
const ADD_ENTRIES = `INSERT INTO audit (business_id, actor, action, subject, at)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(@count AS INTEGER))
  SELECT CAST(@businessId AS TEXT), 'mem_1', CAST(@action AS TEXT), CAST(i AS TEXT), CAST(@at AS BIGINT) FROM n ORDER BY n.i`;

test.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
])("one change in a loop does not grow the audit log, nor displace entries about others, on %s", async (_engine, open) => {
  const { store, driver } = await open();
  const [looping, other] = [await seedBusiness(store), await seedBusiness(store, "Other Lab")];
  const add = ({ business }: typeof looping, action: string, count: number) =>
    driver.write(() => run(ADD_ENTRIES, { businessId: business.id, action, count, at: T0 }));
  const list = async ({ business }: typeof looping, action: string): Promise<string[]> => {
    const { entries } = await store.auditPage(business.id, 100_000, null);
    return entries.filter((entry) => entry.action === action).map(({ subject }) => subject);
  };
  await add(looping, "member.remove", 3);
  await add(looping, "webhook.set", MAX_ENTRIES + 600);
  await add(looping, "board.update", MAX_ENTRIES + 5);
  await add(looping, "key.create", 2);
  await add(other, "webhook.set", MAX_ENTRIES);
  expect(await store.purge(0, T0)).toBe(605);
  for (const [action, from] of [
    ["webhook.set", 600],
    ["board.update", 5],
  ] as const) {
    const subjects = await list(looping, action);
    expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([MAX_ENTRIES, String(MAX_ENTRIES + from), String(from + 1)]);
  }
  expect(await list(looping, "member.remove")).toEqual(["3", "2", "1"]);
  expect(await list(looping, "key.create")).toEqual(["2", "1"]);
  expect(await list(other, "webhook.set")).toHaveLength(MAX_ENTRIES);
  expect(await store.purge(0, T0)).toBe(0);
});
