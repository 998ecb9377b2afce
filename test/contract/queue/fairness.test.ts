import { expect } from "vitest";
import { ingested, seedBusiness, T0 } from "../../support/boards.ts";
import { addLink } from "../store-context.ts";
import { test } from "../store-test.ts";

test("a claim finds jobs behind any number of jobs of hosts without a free slot", async ({ store, scope }) => {
  const other = await seedBusiness(store, "Other");
  for (const host of ["busy-1", "busy-2"]) for (let i = 0; i < 60; i++) await addLink({ store, scope }, `https://${host}.example/${i}`);
  for (let i = 0; i < 60; i++) await addLink({ store, scope: other.scope }, `https://busy-1.example/other/${i}`, {}, T0 + 1);
  expect(await store.queue.claim(1, 1, T0 + 1)).toMatchObject([{ url: "https://busy-1.example/0" }]);
  expect(await store.queue.claim(9, 1, T0 + 1)).toMatchObject([{ url: "https://busy-2.example/0" }]);
  expect(await store.queue.claim(9, 1, T0 + 1)).toEqual([]);
  for (const at of [1, 2]) await addLink({ store, scope }, `https://free.example/${at}`, {}, T0 + at);
  await addLink({ store, scope: other.scope }, "https://free.example/other", {}, T0 + 3);
  expect(await store.queue.claim(9, 1, T0 + 2)).toMatchObject([{ url: "https://free.example/1" }]);
  await addLink({ store, scope: other.scope }, "https://another.example/", {}, T0 + 3);
  expect(await store.queue.claim(0, 1, T0 + 3, 9)).toMatchObject([{ url: "https://another.example/" }]);
});

test("a claim gives each slot to the business with the fewest running jobs, whatever others have waiting", async ({ store, scope }) => {
  const [second, third] = [await seedBusiness(store, "Second"), await seedBusiness(store, "Third")];
  for (let i = 0; i < 40; i++) await addLink({ store, scope }, `https://many-${i}.example/`);
  for (let i = 0; i < 3; i++) await addLink({ store, scope: second.scope }, `https://second-${i}.example/`, {}, T0 + 1);
  await addLink({ store, scope: third.scope }, "https://third.example/", {}, T0 + 2);
  const getHosts = (jobs: readonly { readonly host: string }[]): string[] => jobs.map(({ host }) => host).sort();
  const first = await store.queue.claim(2, 1, T0 + 2);
  expect(getHosts(first)).toEqual(["many-0.example", "second-0.example"]);
  expect(getHosts(await store.queue.claim(2, 1, T0 + 2))).toEqual(["many-1.example", "third.example"]);
  expect(getHosts(await store.queue.claim(2, 1, T0 + 2))).toEqual(["many-2.example", "second-1.example"]);
  expect(getHosts(await store.queue.claim(4, 1, T0 + 2))).toEqual([
    "many-3.example",
    "many-4.example",
    "many-5.example",
    "second-2.example",
  ]);
});

test("a claim takes one job of each business with nothing running beyond the limit, up to the number of reserved slots", async ({
  store,
  scope,
}) => {
  const others = [await seedBusiness(store, "Second"), await seedBusiness(store, "Third"), await seedBusiness(store, "Fourth")];
  for (let i = 0; i < 40; i++) await addLink({ store, scope }, `https://many-${i}.example/`);
  const busy = await store.queue.claim(4, 9, T0);
  expect(busy).toHaveLength(4);
  expect(await store.queue.claim(0, 9, T0, 5)).toEqual([]);
  for (const [n, other] of others.entries())
    for (const path of ["first", "second"])
      await addLink({ store, scope: other.scope }, `https://other-${n}.example/${path}`, {}, T0 + n + 1);
  const getUrls = (jobs: readonly { readonly url: string | null }[]): string[] => jobs.map(({ url }) => url ?? "").sort();
  expect(getUrls(await store.queue.claim(0, 9, T0 + 9, 2))).toEqual(["https://other-0.example/first", "https://other-1.example/first"]);
  const [third] = await store.queue.claim(0, 9, T0 + 9, 2);
  expect(third?.url).toBe("https://other-2.example/first");
  expect(await store.queue.claim(0, 9, T0 + 9, 2)).toEqual([]);
  await store.queue.complete(third!, ingested("Text"), T0 + 10);
  expect(getUrls(await store.queue.claim(0, 9, T0 + 10, 2))).toEqual(["https://other-2.example/second"]);
});

test("a claim gives the slots of a host to its businesses in turn, whatever they have running elsewhere", async ({ store, scope }) => {
  const other = await seedBusiness(store, "Other");
  for (let i = 0; i < 20; i++) await addLink({ store, scope }, `https://shared.example/many/${i}`);
  for (let i = 0; i < 3; i++) await addLink({ store, scope: other.scope }, `https://other-${i}.example/`);
  const [many, ...elsewhere] = await store.queue.claim(9, 1, T0);
  expect([many?.host, elsewhere.length]).toEqual(["shared.example", 3]);
  for (let i = 0; i < 2; i++) await addLink({ store, scope: other.scope }, `https://shared.example/other/${i}`, {}, T0 + 1);
  const order: string[] = [];
  for (let job = many; job !== undefined && order.length < 6; [job] = await store.queue.claim(9, 1, T0 + 2)) {
    order.push(new URL(job.url ?? "").pathname);
    await store.queue.complete(job, ingested("Text"), T0 + 2);
  }
  expect(order).toEqual(["/many/0", "/other/0", "/many/1", "/other/1", "/many/2", "/many/3"]);
});

test("a claim gives the next slot to the business whose turn was longest ago, however old the jobs of others are", async ({
  store,
  scope,
}) => {
  const [second, third] = [await seedBusiness(store, "Second"), await seedBusiness(store, "Third")];
  for (let i = 0; i < 9; i++) await addLink({ store, scope }, `https://many-${i}.example/`);
  for (const path of [1, 2]) await addLink({ store, scope: second.scope }, `https://second.example/${path}`, {}, T0 + 1);
  await addLink({ store, scope: third.scope }, "https://third.example/", {}, T0 + 2);
  const hosts: (string | undefined)[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const [job] = await store.queue.claim(1, 9, T0 + 3);
    hosts.push(job?.host);
    await store.queue.complete(job!, ingested("Text"), T0 + 3);
  }
  expect(hosts).toEqual([
    ...["many-0.example", "second.example", "third.example"],
    ...["many-1.example", "second.example", "many-2.example"],
  ]);
});
