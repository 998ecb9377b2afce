import { describe, expect, it } from "vitest";
import { createTurnstile } from "#service/turnstile.ts";

const never = new AbortController().signal;
const gates = () => {
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

describe("a turnstile", () => {
  it("lets in so many at a time, and whoever has fewest inside first", async () => {
    const { order, held, work, settle } = gates();
    const turnstile = createTurnstile({ atOnce: 2, perCaller: 10 });
    const all = [
      turnstile.run("a", never, work("a1")),
      turnstile.run("a", never, work("a2")),
      turnstile.run("a", never, work("a3")),
      turnstile.run("b", never, work("b1")),
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
  it("refuses a caller who has too many inside or waiting, and nobody else", async () => {
    const { held, work, settle } = gates();
    const turnstile = createTurnstile({ atOnce: 1, perCaller: 2 });
    const first = turnstile.run("a", never, work("a1"));
    const second = turnstile.run("a", never, work("a2"));
    await expect(turnstile.run("a", never, work("a3"))).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 1 });
    const other = turnstile.run("b", never, work("b1"));
    for (let i = 0; i < 3; i++) {
      await settle();
      held[i]?.();
    }
    expect(await Promise.all([first, second, other])).toEqual(["a1", "a2", "b1"]);
  });
  it("forgets who goes away while waiting, and gives the place of work that fails to the next", async () => {
    const { held, work, settle, order } = gates();
    const turnstile = createTurnstile({ atOnce: 1, perCaller: 5 });
    const failing = turnstile.run("a", never, async () => {
      await settle();
      throw new Error("failed");
    });
    const leaving = new AbortController();
    const left = turnstile.run("b", leaving.signal, work("b1"));
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await expect(failing).rejects.toThrow("failed");
    const next = turnstile.run("c", never, work("c1"));
    await settle();
    held[0]?.();
    expect(await next).toBe("c1");
    expect(order).toEqual(["c1"]);
  });
});
