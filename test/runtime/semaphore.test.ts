import { expect, it } from "vitest";
import { createFairQueue } from "#runtime/turns/fair-queue.ts";
import { createSemaphore } from "#runtime/turns/semaphore.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until it is finished by its name; `started` lists the names in the order in which they began. */
function createWork() {
  const started: string[] = [];
  const running = new Map<string, PromiseWithResolvers<string>>();
  return {
    started,
    work: (name: string) => () => {
      started.push(name);
      const held = Promise.withResolvers<string>();
      running.set(name, held);
      return held.promise;
    },
    finish: async (name: string) => {
      running.get(name)?.resolve(name);
      await settle();
    },
    fail: async (name: string) => {
      running.get(name)?.reject(new Error(`${name} failed`));
      await settle();
    },
  };
}

it("a semaphore runs as much work at once as it has slots, in order, and returns the results", async () => {
  const { started, work, finish } = createWork();
  const semaphore = createSemaphore({ slots: 2 });
  const results = ["a", "b", "c", "d"].map((name) => semaphore.run(work(name)));
  await settle();
  expect(started).toEqual(["a", "b"]);
  await finish("b");
  expect(started).toEqual(["a", "b", "c"]);
  for (const name of ["a", "c", "d"]) await finish(name);
  expect(await Promise.all(results)).toEqual(["a", "b", "c", "d"]);
});

it("a semaphore gives the slot of failed work to the next", async () => {
  const { started, work, fail, finish } = createWork();
  const semaphore = createSemaphore({ slots: 1 });
  const failing = semaphore.run(work("a"));
  const next = semaphore.run(work("b"));
  failing.catch(() => undefined);
  await fail("a");
  await expect(failing).rejects.toThrow("a failed");
  expect(started).toEqual(["a", "b"]);
  await finish("b");
  expect(await next).toBe("b");
});

it("a semaphore has reserved slots for owners with nothing running, one each", async () => {
  const { started, work, finish } = createWork();
  const semaphore = createSemaphore({ slots: 2, reserved: 2, maxWaiting: 3 });
  const run = (name: string) => semaphore.run(work(name), { owner: name.split(" ")[0] ?? "" });
  const results = ["many 1", "many 2", "many 3", "one 1", "one 2", "two 1", "three 1"].map(run);
  await settle();
  expect(started).toEqual(["many 1", "many 2", "one 1", "two 1"]);
  await expect(run("four 1")).rejects.toThrow("Too many");
  await finish("one 1");
  expect(started.at(-1)).toBe("three 1");
  await finish("two 1");
  expect(started.at(-1)).toBe("one 2");
  await finish("three 1");
  expect(started).toHaveLength(6);
  await finish("many 1");
  expect(started).toHaveLength(6);
  await finish("many 2");
  expect(started.at(-1)).toBe("many 3");
  for (const name of ["many 3", "one 2"]) await finish(name);
  expect(await Promise.all(results)).toHaveLength(7);
});

it("a semaphore takes turns among owners", async () => {
  const { started, work, finish } = createWork();
  const semaphore = createSemaphore({ slots: 1 });
  for (const name of ["many 1", "many 2", "many 3", "one 1", "two 1"]) void semaphore.run(work(name), { owner: name.split(" ")[0] ?? "" });
  await settle();
  for (const name of ["many 1", "one 1", "two 1", "many 2", "many 3"]) await finish(name);
  expect(started).toEqual(["many 1", "one 1", "two 1", "many 2", "many 3"]);
});

it("a semaphore prefers the owner with the fewest running pieces", async () => {
  const { started, work, finish } = createWork();
  const semaphore = createSemaphore({ slots: 3 });
  const names = ["a 1", "a 2", "b 1", "a 3", "b 2"];
  for (const name of names) void semaphore.run(work(name), { owner: name.split(" ")[0] ?? "" });
  await settle();
  await finish("b 1");
  expect(started.slice(3)).toEqual(["b 2"]);
});

it("a semaphore removes work that is aborted while it waits, and rejects work of an aborted signal", async () => {
  const { started, work, finish } = createWork();
  const semaphore = createSemaphore({ slots: 1 });
  const first = semaphore.run(work("a"));
  const controller = new AbortController();
  const waiting = semaphore.run(work("b"), { signal: controller.signal });
  const last = semaphore.run(work("c"));
  controller.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  await expect(semaphore.run(work("d"), { signal: controller.signal })).rejects.toThrow("gone");
  await finish("a");
  await finish("c");
  expect(await Promise.all([first, last])).toEqual(["a", "c"]);
  expect(started).toEqual(["a", "c"]);
});

it("a semaphore rejects work beyond its limits", async () => {
  const { work, finish } = createWork();
  const semaphore = createSemaphore({ slots: 1, maxWaiting: 2, maxPerOwner: 2, refuse: () => new Error("too much") });
  const accepted = ["a 1", "a 2"].map((name) => semaphore.run(work(name), { owner: "a" }));
  await expect(semaphore.run(work("a 3"), { owner: "a" })).rejects.toThrow("too much");
  accepted.push(semaphore.run(work("b 1"), { owner: "b" }));
  await expect(semaphore.run(work("c 1"), { owner: "c" })).rejects.toThrow("too much");
  for (const name of ["a 1", "b 1", "a 2"]) await finish(name);
  expect(await Promise.all(accepted)).toEqual(["a 1", "a 2", "b 1"]);
});

const start = () => {
  const { started, work, finish } = createWork();
  const semaphore = createSemaphore({ slots: 8, isPaced: true });
  const run = (name: string, isAccepted = false) => void semaphore.run(work(name), { owner: name.split(" ").slice(0, 2), isAccepted });
  return { started, finish, semaphore, run };
};

it("a paced semaphore lets waiting work start one after the other, but that of an owner with nothing else at once", async () => {
  const { started, semaphore, run } = start();
  for (const name of ["a one 1", "a one 2", "a one 3", "a two 1", "b one 1"]) run(name);
  expect(started).toEqual(["a one 1", "a two 1", "b one 1"]);
  expect(semaphore.waiting).toBe(2);
  await expect.poll(() => started).toEqual(["a one 1", "a two 1", "b one 1", "a one 2", "a one 3"]);
  expect(semaphore.waiting).toBe(0);
});

it("a paced semaphore lets the next step of accepted work wait", async () => {
  const { started, finish, run } = start();
  run("a one 1");
  run("b one 1", true);
  expect(started).toEqual(["a one 1"]);
  await expect.poll(() => started).toEqual(["a one 1", "b one 1"]);
  await finish("b one 1");
});

it("a fair queue skips tasks that may not start yet, and removes aborted ones", () => {
  const queue = createFairQueue<string>();
  queue.add("a", "a large");
  queue.add("a", "a small");
  queue.add("b", "b large");
  const isSmall = (name: string): boolean => name.endsWith("small");
  expect(queue.take(isSmall)).toBe("a small");
  expect(queue.take(isSmall)).toBeUndefined();
  expect(queue.remove("b large")).toBe(true);
  expect(queue.remove("b large")).toBe(false);
  queue.add("c", "c small");
  expect([queue.size, queue.countWaiting("a"), queue.countWaiting("b")]).toEqual([2, 1, 0]);
  expect(queue.take()).toBe("c small");
  expect(queue.clear()).toEqual(["a large"]);
  expect(queue.take()).toBeUndefined();
  expect(queue.size).toBe(0);
});
