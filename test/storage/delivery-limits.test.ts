import { expect, test } from "vitest";
import type { Subscription } from "#domain/events/subscription.ts";
import type { Driver } from "#storage/sql/driver.ts";
import { run } from "#storage/sql/unit.ts";
import { FAILURE as JOB_FAILURE } from "../contract/queue/finish-job.ts";
import { FAILURE, SEND_MS } from "../contract/settings/record-delivery.ts";
import { addLink, addText } from "../contract/store-context.ts";
import { newSubscription, newWebhook, seedBusiness, T0 } from "../support/boards.ts";
import { openPostgres, openSqlite } from "./open-drivers.ts";

const MAX = 10_000;
const BACKLOG = expect.stringMatching(/^Already 10,000 deliveries were waiting for this webhook, so this was not sent\. Send it again/);
const ENGINES = [
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
] as const;

/** Adds deliveries of the receiver, one millisecond apart. */
const fill = (driver: Driver, { businessId, id }: Pick<Subscription, "businessId" | "id">, status: string, count: number, from = T0) =>
  driver.write(() =>
    run(
      `INSERT INTO delivery (business_id, id, webhook_id, subscription_id, url, event, payload, max_attempts, status, retry_at, created_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(@count AS INTEGER))
       SELECT CAST(@businessId AS TEXT), 'dlv_' || CAST(@id AS TEXT) || CAST(@from AS TEXT) || CAST(@status AS TEXT) || CAST(i AS TEXT),
         CAST(@id AS TEXT), CAST(@of AS TEXT), 'https://a.example/', 'tile.created', '{}', 7, CAST(@status AS TEXT),
         CASE WHEN CAST(@status AS TEXT) = 'retrying' THEN CAST(@retryAt AS BIGINT) END, CAST(@at AS BIGINT) + i FROM n`,
      { businessId, id, of: id === "whk" ? "" : id, status, count, from: String(from), at: from, retryAt: T0 * 2 },
    ),
  );

test.each(ENGINES)("deliveries beyond those that may wait end at once, and can be sent again, on %s", async (_engine, open) => {
  const { store, driver } = await open();
  const { business, scope } = await seedBusiness(store);
  const context = { store, scope };
  const [full, other] = [newSubscription(business.id), newSubscription(business.id, { createdAt: T0 + 1 })];
  for (const one of [full, other]) await store.subscriptions.create(one, "operator");
  await fill(driver, full, "pending", 6_000);
  await fill(driver, full, "retrying", 3_999);
  for (const title of ["1", "2", "3"]) await addText(context, title, {}, T0 + 20_000);
  expect(await store.feed.sequence(T0 + 20_000)).toEqual({ events: 3, overflow: 2, hasMore: false });
  const list = async ({ id }: Subscription) =>
    (await store.webhooks.deliveryPage(business.id, 3, null, { subscriptionId: id })).deliveries.map(({ status, error }) => [
      status,
      error,
    ]);
  expect(await list(full)).toEqual([
    ["failed", BACKLOG],
    ["failed", BACKLOG],
    ["pending", null],
  ]);
  expect(await list(other)).toEqual([
    ["pending", null],
    ["pending", null],
    ["pending", null],
  ]);
  await driver.write(() => run("UPDATE delivery SET status = 'succeeded' WHERE status IN ('pending', 'retrying')"));
  const receiver = { webhookId: full.id, url: full.url, maxAttempts: 7 };
  const again = { subscriptionId: full.id, since: T0, until: T0 + 30_000, receiver };
  expect(await store.webhooks.redeliverFailed(business.id, again, "operator", T0, 100, null)).toMatchObject({ scheduled: 2 });
});

test.each(ENGINES)("a receiver that was full gets events again once there is room, on %s", async (_engine, open) => {
  const { store, driver } = await open();
  const { business, scope } = await seedBusiness(store);
  const full = await store.subscriptions.create(newSubscription(business.id), "operator");
  await fill(driver, full, "pending", MAX);
  const overflow = async (now: number): Promise<number> => {
    await addText({ store, scope }, `${now}`, {}, now);
    return (await store.feed.sequence(now)).overflow;
  };
  expect(await overflow(T0 + 20_000)).toBe(1);
  await driver.write(() => run("UPDATE delivery SET status = 'succeeded' WHERE status = 'pending'"));
  expect(await overflow(T0 + 22_000)).toBe(0);
});

test.each(ENGINES)("events of the webhook of the business end at once too, on %s", async (_engine, open) => {
  const { store, driver } = await open();
  const { business, scope } = await seedBusiness(store);
  await store.webhooks.put(newWebhook(business.id, { events: ["tile.failed"] }), "operator");
  await fill(driver, { businessId: business.id, id: "whk" }, "pending", MAX - 1);
  for (const url of ["https://one.example/", "https://two.example/"]) await addLink({ store, scope }, url);
  for (const job of await store.queue.claim(2, 2, T0)) await store.queue.fail(job, JOB_FAILURE, T0 + 20_000);
  const newest = await store.webhooks.deliveries(business.id, 2);
  expect(newest.map(({ status, error }) => [status, error])).toEqual([
    ["failed", BACKLOG],
    ["pending", null],
  ]);
});

test.each(ENGINES)("the log keeps the newest 10,000 deliveries of a receiver, and those that wait, on %s", async (_engine, open) => {
  const { store, driver } = await open();
  const { business, scope } = await seedBusiness(store);
  const [mine, other] = [newSubscription(business.id), newSubscription(business.id, { status: "paused" })];
  for (const one of [mine, other]) await store.subscriptions.create(one, "operator");
  await fill(driver, mine, "retrying", 2);
  await fill(driver, mine, "failed", 600, T0 + 1_000);
  await fill(driver, mine, "succeeded", MAX - 1, T0 + 2_000);
  await fill(driver, other, "failed", MAX + 5);
  await addText({ store, scope }, "One", {}, T0 + 90_000);
  await store.feed.sequence(T0 + 90_000);
  const [sending] = await store.webhooks.claim(1, 1, SEND_MS, T0 + 90_000);
  await store.webhooks.recordOutcome(sending!, "{}", T0 + 90_000, FAILURE);
  const count = async ({ id }: Subscription): Promise<string[]> => {
    const { deliveries } = await store.webhooks.deliveryPage(business.id, 50_000, null, { subscriptionId: id });
    return Object.entries(Object.groupBy(deliveries, ({ status }) => status)).map(([status, all]) => `${all.length} ${status}`);
  };
  expect(await count(mine)).toEqual(["1 failed", `${MAX - 1} succeeded`, "2 retrying"]);
  expect(await count(other)).toEqual([`${MAX + 5} failed`]);
});

test.each(ENGINES)(
  "deliveries that are sent again leave room for new events, and the rest can be sent again later, on %s",
  async (_engine, open) => {
    const { store, driver } = await open();
    const { business } = await seedBusiness(store);
    const one = await store.subscriptions.create(newSubscription(business.id), "operator");
    await fill(driver, one, "failed", 6_200);
    const receiver = { webhookId: one.id, url: one.url, maxAttempts: 7 };
    const redeliver = async (): Promise<number> => {
      const redelivery = { subscriptionId: one.id, since: T0, until: T0 + 30_000, receiver };
      let [all, after]: [number, Parameters<typeof store.webhooks.redeliverFailed>[5]] = [0, null];
      do {
        const { scheduled, next } = await store.webhooks.redeliverFailed(business.id, redelivery, "operator", T0, 100, after);
        [all, after] = [all + scheduled, next];
      } while (after !== null);
      return all;
    };
    expect(await redeliver()).toBe(5_000);
    expect(await redeliver()).toBe(0);
    await driver.write(() => run("UPDATE delivery SET status = 'succeeded' WHERE status = 'retrying'"));
    expect(await redeliver()).toBe(1_200);
  },
);

test.each(ENGINES)("a very long log is trimmed in steps, after the outcome of a delivery is stored, on %s", async (_engine, open) => {
  const { store, driver } = await open();
  const { business, scope } = await seedBusiness(store);
  const one = await store.subscriptions.create(newSubscription(business.id), "operator");
  await fill(driver, one, "succeeded", MAX + 3_000);
  const count = async (): Promise<number> =>
    (await store.webhooks.deliveryPage(business.id, 50_000, null, { subscriptionId: one.id })).deliveries.length;
  for (const title of ["One", "Two"]) await addText({ store, scope }, title, {}, T0 + 90_000);
  await store.feed.sequence(T0 + 90_000);
  const [first, second] = await store.webhooks.claim(2, 2, SEND_MS, T0 + 90_000);
  expect(await store.webhooks.recordOutcome(first!, "{}", T0 + 90_000, FAILURE)).toBe(true);
  expect(await count()).toBe(MAX + 1_002);
  expect(await store.webhooks.recordOutcome(second!, "{}", T0 + 90_000, FAILURE)).toBe(true);
  expect(await count()).toBe(MAX);
});
