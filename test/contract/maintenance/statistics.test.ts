import { expect } from "vitest";
import type { TileError } from "#domain/content/tile.ts";
import { newWebhook, T0, textTile } from "../../support/boards.ts";
import { addLink, addText } from "../store-context.ts";
import { test } from "../store-test.ts";

const FAILURE: TileError = { code: "x", message: "Gone.", stage: "fetch", retryable: false, attempts: 1 };

test("statistics count what waits, with the time at which the oldest entry was due", async ({ store, scope, business, manage }) => {
  const idle = { length: 0, oldestAt: null };
  expect(await store.statistics.queues()).toEqual({ links: idle, deliveries: idle, generations: idle });
  await addLink({ store, scope }, "https://one.example/");
  const before = (await store.statistics.queues()).links;
  expect(before.length).toBe(1);
  await addLink({ store, scope }, "https://two.example/", {}, T0 + 60_000);
  expect((await store.statistics.queues()).links).toEqual({ length: 2, oldestAt: before.oldestAt });
  await store.queue.claim(2, 1, T0 + 120_000);
  expect((await store.statistics.queues()).links).toEqual(idle);
  const webhook = await store.webhooks.put(newWebhook(business.id), manage);
  for (const [id, createdAt] of [
    ["dlv_1", T0 + 5],
    ["dlv_2", T0 + 7],
  ] as const)
    await store.webhooks.record(
      {
        businessId: business.id,
        id,
        webhookId: webhook.id,
        event: "test",
        url: webhook.url,
        payload: "{}",
        createdAt,
      },
      manage,
    );
  expect((await store.statistics.queues()).deliveries).toEqual({ length: 2, oldestAt: T0 + 5 });
});

test("statistics count tiles by status in steps, and add up the bytes of uploads", async ({ store, scope, business }) => {
  expect(await store.statistics.tiles()).toEqual({ ready: 0, processing: 0, failed: 0 });
  expect(await store.statistics.fileBytes()).toBe(0);
  // More than are counted in one step.
  await store.tiles.createMany(
    Array.from({ length: 2_100 }, () => ({ scope, tile: textTile("Text") })),
    T0,
  );
  const { id } = await addText({ store, scope }, "Deleted");
  await store.tiles.remove(scope, id, T0);
  for (const url of ["https://one.example/", "https://two.example/", "https://three.example/"]) await addLink({ store, scope }, url);
  const [job] = await store.queue.claim(1, 1, T0);
  await store.queue.fail(job!, FAILURE, T0);
  expect(await store.statistics.tiles()).toEqual({ ready: 2_100, processing: 2, failed: 1 });
  for (let part = 0; part < 450; part++)
    await store.files.append(business.id, `til_${part % 3}`, part, new Uint8Array(10 + (part % 2)), T0);
  expect(await store.statistics.fileBytes()).toBe(450 * 10 + 225);
  expect(await store.statistics.databaseBytes()).toBeGreaterThanOrEqual(0);
});
