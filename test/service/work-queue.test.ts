import { expect, it } from "vitest";
import { createQuestionQueue, createWaitQueue, createWorkQueue } from "#service/work-queue.ts";

const createWork = () => {
  const order: string[] = [];
  const held: (() => void)[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      order.push(name);
      held.push(() => resolve(name));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { order, held, work, settle };
};

it("the queue of questions has a slot for a caller with nothing running, whatever another one does", async () => {
  const { order, held, work, settle } = createWork();
  const queue = createQuestionQueue({ slots: 2, maxPerCaller: 10 });
  const all = [
    queue.run(work("a1"), { owner: "a" }),
    queue.run(work("a2"), { owner: "a" }),
    queue.run(work("a3"), { owner: "a" }),
    queue.run(work("b1"), { owner: "b" }),
  ];
  await settle();
  expect(order).toEqual(["a1", "a2", "b1"]);
  held[0]?.();
  held[2]?.();
  await settle();
  expect(order).toEqual(["a1", "a2", "b1", "a3"]);
  for (const release of held) release();
  await settle();
  for (const release of held) release();
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1"]);
});

it("the queue of questions rejects a caller with too many running or waiting, and nobody else", async () => {
  const { held, work, settle } = createWork();
  const queue = createQuestionQueue({ slots: 1, maxPerCaller: 2 });
  const first = queue.run(work("a1"), { owner: "a" });
  const second = queue.run(work("a2"), { owner: "a" });
  await expect(queue.run(work("a3"), { owner: "a" })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 1 });
  const other = queue.run(work("b1"), { owner: "b" });
  for (let i = 0; i < 3; i++) {
    await settle();
    held[i]?.();
  }
  expect(await Promise.all([first, second, other])).toEqual(["a1", "a2", "b1"]);
});

it("the queue of questions removes a caller that leaves while it waits, and gives the slot of failed work to the next", async () => {
  const { held, work, settle, order } = createWork();
  const queue = createQuestionQueue({ slots: 1, maxPerCaller: 5 });
  const failing = queue.run(
    async () => {
      await settle();
      throw new Error("failed");
    },
    { owner: "a" },
  );
  const leaving = new AbortController();
  const left = queue.run(work("b1"), { owner: "a", signal: leaving.signal });
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  await expect(failing).rejects.toThrow("failed");
  const next = queue.run(work("c1"), { owner: "a" });
  await settle();
  held[0]?.();
  expect(await next).toBe("c1");
  expect(order).toEqual(["c1"]);
});

it("the queue of work takes turns among businesses first, then among the keys of each", async () => {
  const { held, work, settle, order } = createWork();
  const queue = createWorkQueue({ slots: 1 });
  const owners = { a: ["one", "a"], b: ["one", "b"], c: ["two", "c"] };
  const add = (name: string) => queue.run(work(name), { owner: owners[name[0] as "a" | "b" | "c"] });
  const all = ["a1", "a2", "a3", "b1", "c1", "c2"].map(add);
  for (let i = 0; i < all.length; i++) {
    await settle();
    held[i]?.();
    await settle();
  }
  await Promise.all(all);
  expect(order).toEqual(["a1", "c1", "b1", "c2", "a2", "a3"]);
});

it("the queue of work starts one piece of work per turn of the event loop, so that short calls run in between", async () => {
  const queue = createWorkQueue();
  let turn = 0;
  const count = (): void => {
    if (++turn < 100) setImmediate(count);
  };
  setImmediate(count);
  const turns = await Promise.all(Array.from({ length: 4 }, () => queue.run(async () => turn, { owner: ["one", "a"] })));
  expect(new Set(turns).size).toBe(4);
});

it("the queue of work starts no further piece while a short call runs that takes several turns", async () => {
  const queue = createWorkQueue();
  const occupy = (ms: number): void => {
    for (const end = performance.now() + ms; performance.now() < end;);
  };
  let started = 0;
  const all = Array.from({ length: 20 }, () => queue.run(async () => (started++, occupy(5)), { owner: ["one", "a"] }));
  await new Promise((resolve) => setImmediate(resolve));
  const before = started;
  for (let turn = 0; turn < 6; turn++) {
    occupy(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(started - before).toBeLessThan(2);
  await Promise.all(all);
});

it("the queue of work limits a business across its keys, and never refuses steps of accepted work", async () => {
  const { held, work, settle } = createWork();
  const queue = createWorkQueue({ slots: 2, maxPerCaller: 10, maxPerBusiness: 3 });
  const accepted = ["a", "b", "c"].map((key) => queue.run(work(key), { owner: ["one", key] }));
  await expect(queue.run(work("d"), { owner: ["one", "d"] })).rejects.toMatchObject({ code: "rate_limited" });
  accepted.push(queue.run(work("e"), { owner: ["one", "d"], isAccepted: true }), queue.run(work("f"), { owner: ["two", "a"] }));
  for (let i = 0; i < 10; i++) {
    await settle();
    for (const release of held) release();
  }
  expect((await Promise.all(accepted)).toSorted()).toEqual(["a", "b", "c", "e", "f"]);
});

it("calls that wait for tiles and generations are refused beyond the maximum, which the error names, until a place is likely to be free", async () => {
  const queue = createWaitQueue({ maxPerCaller: 2, maxPerBusiness: 3 });
  const wait = (key: string) => queue.run(() => new Promise(() => {}), { owner: ["business", key] });
  for (const key of ["a", "a", "b"]) void wait(key);
  await expect(wait("a")).rejects.toMatchObject({
    message: "Too many calls of this API key or member are waiting. The maximum is 2. Try again in 5 s.",
    retryAfterSeconds: 5,
  });
  await expect(wait("b")).rejects.toThrow("of this business are waiting. The maximum is 3.");
});

it("the work queue refuses work that waits for a turn while it has one, and takes what it started once it has ended", async () => {
  const queue = createWorkQueue();
  await expect(queue.run(() => queue.run(async () => "inner"))).rejects.toThrow("waits for another");
  const { later } = await queue.run(async () => ({
    later: new Promise((resolve) => setImmediate(() => resolve(queue.run(async () => "later")))),
  }));
  expect(await later).toBe("later");
});
