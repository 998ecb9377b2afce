import { expect, it } from "vitest";
import { openStore } from "#storage/sqlite/store.ts";
import { ingested, seedBusiness, T0 } from "../../support/boards.ts";
import { addLink } from "../../contract/store-context.ts";

it("recovery after a crash makes every leased and every new job due at once, counts the attempt, and invalidates the leases", async () => {
  const store = openStore(":memory:");
  const { scope } = await seedBusiness(store);
  await addLink({ store, scope }, "https://one.example/");
  await addLink({ store, scope }, "https://two.example/");
  await addLink({ store, scope }, "https://three.example/", {}, T0 + 9_000);
  const jobs = await store.queue.claim(2, 1, T0);
  expect(await store.queue.recover(T0 + 5)).toBe(2);
  expect(await store.queue.nextDue()).toBe(T0 + 5);
  for (const job of jobs) expect(await store.queue.complete(job, ingested("Stale"), T0 + 6)).toBe(false);
  expect((await store.queue.claim(9, 9, T0 + 6)).map(({ attempt }) => attempt)).toEqual([2, 2, 1]);
  expect(await store.queue.recover(T0 + 7)).toBe(3);
  expect(await store.queue.recover(T0 + 8)).toBe(0);
  await store.close();
});
