import { expect } from "vitest";
import { type UsageEntry, toUtcDay, toUtcMonth } from "#domain/model/usage.ts";
import { seedBusiness, T0 } from "../../support/boards.ts";
import { test } from "../store-test.ts";

const DAY = toUtcDay(T0);
const MONTH = toUtcMonth(T0);

const createEntry = (businessId: string, more: Partial<UsageEntry> = {}): UsageEntry => ({
  businessId,
  keyId: "key_1",
  day: DAY,
  endpoint: "ask",
  usage: { input: 100, output: 10 },
  ...more,
});

test("the usage of models is the sum of days and endpoints of a month for a key, and starts at 0", async ({ store, business }) => {
  expect(await store.usage.total(business.id, "key_1", MONTH)).toEqual({ calls: 0, input: 0, output: 0 });
  await store.usage.add(createEntry(business.id));
  await store.usage.add(createEntry(business.id, { usage: { input: 1, output: 2 } }));
  await store.usage.add(createEntry(business.id, { endpoint: "idea", usage: { input: 0, output: 0 } }));
  await store.usage.add(createEntry(business.id, { day: MONTH.before - 1, endpoint: "generate" }));
  expect(await store.usage.total(business.id, "key_1", MONTH)).toEqual({ calls: 4, input: 201, output: 22 });
});

test("the usage of models excludes other months, keys and businesses", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  for (const day of [MONTH.from - 1, MONTH.before]) await store.usage.add(createEntry(business.id, { day }));
  await store.usage.add(createEntry(business.id, { keyId: "key_2", usage: { input: 7, output: 1 } }));
  await store.usage.add(createEntry(other.business.id, { usage: { input: 5, output: 5 } }));
  expect(await store.usage.total(business.id, "key_1", MONTH)).toEqual({ calls: 0, input: 0, output: 0 });
  expect(await store.usage.totals(business.id, MONTH)).toEqual(new Map([["key_2", { calls: 1, input: 7, output: 1 }]]));
  expect(await store.usage.totals(other.business.id, MONTH)).toEqual(new Map([["key_1", { calls: 1, input: 5, output: 5 }]]));
  expect(await store.usage.totals("biz_unknown", MONTH)).toEqual(new Map());
});

test("the usage of models loses no concurrent updates, and holds more than 32 bits", async ({ store, business }) => {
  const usage = { input: 1_000_000_000, output: 3 };
  await Promise.all(Array.from({ length: 20 }, () => store.usage.add(createEntry(business.id, { usage }))));
  expect(await store.usage.total(business.id, "key_1", MONTH)).toEqual({ calls: 20, input: 20_000_000_000, output: 60 });
});
