import { expect, test } from "vitest";
import { newId } from "#domain/core/system.ts";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { migrate } from "#storage/sqlite/engine/migrate.ts";
import { storeOn } from "#storage/sqlite/store.ts";
import { newWebhook, seedBusiness, T0 } from "../../support/boards.ts";

test("nothing is committed while only excepted businesses have pending deliveries", async () => {
  const db = new Connection(":memory:");
  migrate(db);
  const store = storeOn(db);
  const webhooks = [];
  for (const name of ["First", "Second"]) {
    const { business } = await seedBusiness(store, name);
    const webhook = newWebhook(business.id);
    await store.webhooks.put(webhook, "operator");
    const { businessId, id: webhookId, url } = webhook;
    const delivery = { id: newId("dlv", T0), businessId, webhookId, event: "tile.ready" as const, url, payload: "{}", createdAt: T0 };
    await store.webhooks.record(delivery, "operator");
    webhooks.push(webhook);
  }
  const claim = (except: readonly string[]) => store.webhooks.claim(10, 5, 1_000, T0, 0, except);
  const [first, second] = webhooks.map(({ businessId }) => businessId) as [string, string];
  const before = db.generation();
  expect(await claim([first, second])).toEqual([]);
  expect(db.generation()).toBe(before);
  expect((await claim([first])).map(({ businessId }) => businessId)).toEqual([second]);
  expect(await claim([first])).toEqual([]);
  expect((await claim([])).map(({ businessId }) => businessId)).toEqual([first]);
  await store.close();
});
