import { describe, expect, it } from "vitest";
import { createQuestionQueue } from "#service/answer/question-queue.ts";

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

describe("the queue of questions", () => {
  it("runs as many at once as it has slots, and prefers the caller with the fewest running", async () => {
    const { order, held, work, settle } = createWork();
    const queue = createQuestionQueue({ slots: 2, maxPerCaller: 10 });
    const all = [
      queue.run(work("a1"), { owner: "a" }),
      queue.run(work("a2"), { owner: "a" }),
      queue.run(work("a3"), { owner: "a" }),
      queue.run(work("b1"), { owner: "b" }),
    ];
    await settle();
    expect(order).toEqual(["a1", "a2"]);
    held[0]?.();
    await settle();
    expect(order).toEqual(["a1", "a2", "b1"]);
    for (const release of held) release();
    await settle();
    for (const release of held) release();
    expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1"]);
  });
  it("rejects a caller with too many running or waiting, and nobody else", async () => {
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
  it("removes a caller that leaves while it waits, and gives the slot of failed work to the next", async () => {
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
    const left = queue.run(work("b1"), { owner: "b", signal: leaving.signal });
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await expect(failing).rejects.toThrow("failed");
    const next = queue.run(work("c1"), { owner: "c" });
    await settle();
    held[0]?.();
    expect(await next).toBe("c1");
    expect(order).toEqual(["c1"]);
  });
});
