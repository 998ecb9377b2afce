import { expect, it, onTestFinished } from "vitest";
import { Database } from "#storage/postgres/engine/database.ts";
import { openStore } from "#storage/postgres/store.ts";
import { addLink } from "../../contract/store-context.ts";
import { FAILURE } from "../../contract/queue/finish-job.ts";
import { newWebhook, seedBusiness, T0 } from "../../support/boards.ts";
import { watchLockWaits } from "../../support/postgres/lock-waits.ts";
import { newMigratedDatabase } from "../../support/postgres/migrated.ts";

/** Opens a store of a new database. `db` runs statements beside it, and `countWaiting` counts the transactions that wait for a lock. */
async function openBeside() {
  const database = await newMigratedDatabase();
  onTestFinished(() => database.drop());
  const store = await openStore({ url: database.url, connections: 4 });
  onTestFinished(() => store.close());
  const db = new Database({ url: database.url, connections: 2 });
  onTestFinished(() => db.close());
  return { store, db, countWaiting: watchLockWaits(database.url) };
}

it("an event is recorded while its webhook is set again, at the same address or at another", async () => {
  const { store, db, countWaiting } = await openBeside();
  const context = { store, ...(await seedBusiness(store)) };
  const events = ["tile.failed"] as const;
  await store.webhooks.put(newWebhook(context.business.id, { events }), "operator");

  for (const [count, url] of [
    [1, "https://receiver.example/hook"],
    [2, "https://other.example/hook"],
  ] as const) {
    await addLink(context, `https://${count}.example/`);
    const [job] = await store.queue.claim(1, 1, T0);
    // The table keeps the change of the webhook from being committed.
    const changes = await db.write(async (tx) => {
      await tx.executeSql("LOCK TABLE audit IN SHARE MODE");
      const webhook = store.webhooks.put(newWebhook(context.business.id, { events, url, updatedAt: T0 + count }), "operator");
      await expect.poll(countWaiting, { timeout: 60_000 }).toBe(1);
      const failed = store.queue.fail(job!, FAILURE, T0 + 1);
      await expect.poll(countWaiting, { timeout: 60_000 }).toBe(2);
      return { webhook, failed };
    });
    expect(await changes.failed).toBe(true);
    const webhook = await changes.webhook;
    expect(await store.webhooks.deliveries(context.business.id, 9)).toHaveLength(count);
    expect(await store.webhooks.deliveries(context.business.id, 1)).toMatchObject([{ url, webhookId: webhook.id, status: "pending" }]);
  }
});

it("events do not wait for a webhook that is being set, which may wait for them", async () => {
  const { store, db, countWaiting } = await openBeside();
  const context = { store, ...(await seedBusiness(store)) };
  const events = ["tile.failed"] as const;
  await store.webhooks.put(newWebhook(context.business.id, { events }), "operator");
  for (const name of ["one", "two", "three"]) await addLink(context, `https://${name}.example/`);
  const jobs = [await store.queue.claim(1, 1, T0), await store.queue.claim(1, 1, T0), await store.queue.claim(1, 1, T0)].flat();
  // The table keeps the webhook from being changed, after its business was locked.
  const { webhook } = await db.write(async (tx) => {
    await tx.executeSql("LOCK TABLE webhook IN SHARE MODE");
    const webhook = store.webhooks.put(newWebhook(context.business.id, { events, updatedAt: T0 + 1 }), "operator");
    await expect.poll(countWaiting, { timeout: 60_000 }).toBe(1);
    expect(await Promise.all(jobs.map((job) => store.queue.fail(job, FAILURE, T0 + 1)))).toEqual([true, true, true]);
    return { webhook };
  });
  const { id } = await webhook;
  expect(await store.webhooks.deliveries(context.business.id, 1)).toMatchObject([{ webhookId: id, status: "pending" }]);
});

it("a webhook that is set while the previous one is cleared is stored", async () => {
  const { store, db, countWaiting } = await openBeside();
  const { business } = await seedBusiness(store);
  await store.webhooks.put(newWebhook(business.id), "operator");
  // The table keeps both changes from being committed.
  const changes = await db.write(async (tx) => {
    await tx.executeSql("LOCK TABLE audit IN SHARE MODE");
    const cleared = store.webhooks.clear(business.id, "operator", T0 + 1);
    await expect.poll(countWaiting, { timeout: 60_000 }).toBe(1);
    const set = store.webhooks.put(newWebhook(business.id, { updatedAt: T0 + 2 }), "operator");
    await expect.poll(countWaiting, { timeout: 60_000 }).toBe(2);
    return { cleared, set };
  });
  expect(await changes.cleared).toBe(true);
  const webhook = await changes.set;
  expect(await store.webhooks.find(business.id)).toEqual(webhook);
});

it("a secret that is rotated while the webhook is cleared or changed brings nothing back", async () => {
  const { store, db, countWaiting } = await openBeside();
  const { business } = await seedBusiness(store);
  await store.webhooks.put(newWebhook(business.id), "operator");
  const rotate = () =>
    store.webhooks.rotate(business.id, () => ({ sealedSecret: "new", sealedPrevious: null, previousUntil: null }), "operator", T0 + 2);
  // The table keeps both changes from being committed.
  const runTogether = <T>(change: () => Promise<T>) =>
    db.write(async (tx) => {
      await tx.executeSql("LOCK TABLE audit IN SHARE MODE");
      const changed = change();
      await expect.poll(countWaiting, { timeout: 60_000 }).toBe(1);
      const rotated = rotate();
      await expect.poll(countWaiting, { timeout: 60_000 }).toBe(2);
      return { changed, rotated };
    });
  const moved = await runTogether(() => store.webhooks.update(business.id, { url: "https://other.example/hook" }, "operator", T0 + 1));
  await moved.changed;
  expect(await moved.rotated).toMatchObject({ url: "https://other.example/hook", sealedSecret: "new" });
  const gone = await runTogether(() => store.webhooks.clear(business.id, "operator", T0 + 1));
  expect([await gone.changed, await gone.rotated, await store.webhooks.find(business.id)]).toEqual([true, null, null]);
});
