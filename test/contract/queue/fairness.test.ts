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

test("a business whose oldest jobs are at a full host has its turn at other hosts, however many businesses wait", async ({
  store,
  scope,
}) => {
  for (let i = 0; i < 60; i++) await addLink({ store, scope }, `https://full.example/${i}`);
  expect(await store.queue.claim(1, 1, T0)).toMatchObject([{ host: "full.example" }]);
  const [first, second] = [await seedBusiness(store, "First"), await seedBusiness(store, "Second")];
  for (let i = 0; i < 60; i++) await addLink({ store, scope: first.scope }, `https://full.example/first/${i}`, {}, T0 + 1);
  await addLink({ store, scope: first.scope }, "https://free.example/first", {}, T0 + 2);
  for (const path of [1, 2, 3]) await addLink({ store, scope: second.scope }, `https://other.example/${path}`, {}, T0 + 2);
  const third = await seedBusiness(store, "Third");
  for (const path of [1, 2, 3]) await addLink({ store, scope: third.scope }, `https://third.example/${path}`, {}, T0 + 3);
  const hosts: (string | undefined)[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const [job] = await store.queue.claim(1, 1, T0 + 4);
    hosts.push(job?.host);
    await store.queue.complete(job!, ingested("Text"), T0 + 4);
  }
  expect(hosts).toEqual(["free.example", "other.example", "third.example", "other.example"]);
});

test("businesses have their turns at other hosts in the order of their last turns, however long their links wait", async ({
  store,
  scope,
}) => {
  for (let i = 0; i < 9; i++) await addLink({ store, scope }, `https://full.example/${i}`);
  expect(await store.queue.claim(1, 1, T0)).toMatchObject([{ host: "full.example" }]);
  const addBehind = async (name: string, at: number): Promise<void> => {
    const business = await seedBusiness(store, name);
    for (let i = 0; i < 60; i++) await addLink({ store, scope: business.scope }, `https://full.example/${name}/${i}`, {}, T0 + at);
    for (const path of [1, 2, 3]) await addLink({ store, scope: business.scope }, `https://${name}.example/${path}`, {}, T0 + at);
  };
  await addBehind("first", 1);
  await addBehind("second", 2);
  const plain = await seedBusiness(store, "Plain");
  for (const path of [1, 2, 3]) await addLink({ store, scope: plain.scope }, `https://plain.example/${path}`, {}, T0 + 3);
  const hosts: (string | undefined)[] = [];
  for (let turn = 0; turn < 7; turn++) {
    if (turn === 2) await addBehind("third", 5);
    const [job] = await store.queue.claim(1, 1, T0 + 9);
    hosts.push(job?.host.replace(".example", ""));
    await store.queue.complete(job!, ingested("Text"), T0 + 9);
  }
  expect(hosts).toEqual(["first", "second", "plain", "third", "first", "second", "plain"]);
});

test("a claim finds a business behind any number of businesses that wait for full hosts", async ({ store, scope }) => {
  for (let i = 0; i < 2; i++) await addLink({ store, scope }, `https://full.example/${i}`);
  expect(await store.queue.claim(1, 1, T0)).toHaveLength(1);
  for (let i = 0; i < 101; i++) {
    const { scope: waiting } = await seedBusiness(store, `Business ${i}`);
    await addLink({ store, scope: waiting }, `https://full.example/${i}`, {}, T0 + i);
  }
  expect(await store.queue.claim(9, 1, T0 + 200, 1)).toEqual([]);
  const last = await seedBusiness(store, "Last");
  for (const path of [1, 2]) await addLink({ store, scope: last.scope }, `https://free-${path}.example/`, {}, T0 + 200);
  await addLink({ store, scope }, "https://own.example/", {}, T0 + 200);
  expect(await store.queue.claim(1, 1, T0 + 200)).toMatchObject([{ host: "free-1.example" }]);
  expect((await store.queue.claim(9, 1, T0 + 200)).map(({ host }) => host)).toEqual(["free-2.example", "own.example"]);
});
