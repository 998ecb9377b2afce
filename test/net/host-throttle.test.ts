import { expect, it, vi } from "vitest";
import { createHostThrottle } from "#net/host-throttle.ts";

const never = new AbortController().signal;

it("requests to one host are spaced in the order of the calls, and other hosts do not wait", async () => {
  vi.useFakeTimers();
  try {
    const started: [string, number][] = [];
    const begin = Date.now();
    const throttle = createHostThrottle(100, () => Date.now());
    const ask = (host: string): Promise<void> => throttle(host, "one", never).then(() => void started.push([host, Date.now() - begin]));
    const all = Promise.all([ask("a.example"), ask("a.example"), ask("b.example"), ask("a.example")]);
    await vi.advanceTimersByTimeAsync(500);
    await all;
    expect(started).toEqual([
      ["a.example", 0],
      ["b.example", 0],
      ["a.example", 100],
      ["a.example", 200],
    ]);
    await ask("a.example");
    expect(started.at(-1)).toEqual(["a.example", 500]);
  } finally {
    vi.useRealTimers();
  }
});

it("requests to one host take turns between owners", async () => {
  vi.useFakeTimers();
  try {
    const started: string[] = [];
    const throttle = createHostThrottle(100, () => Date.now());
    const ask = (owner: string, name: string): Promise<void> =>
      throttle("a.example", owner, never).then(() => void started.push(`${owner} ${name}`));
    const all = [1, 2, 3, 4].map((n) => ask("many", `${n}`));
    await vi.advanceTimersByTimeAsync(150);
    all.push(ask("one", "1"), ask("one", "2"));
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all(all);
    expect(started).toEqual(["many 1", "many 2", "one 1", "many 3", "one 2", "many 4"]);
  } finally {
    vi.useRealTimers();
  }
});

it("requests to one host keep their distance after others were aborted", async () => {
  vi.useFakeTimers();
  try {
    const started: number[] = [];
    const begin = Date.now();
    const throttle = createHostThrottle(200, () => Date.now());
    const ask = (signal = never): Promise<void> => throttle("a.example", "one", signal).then(() => void started.push(Date.now() - begin));
    await ask();
    for (let n = 0; n < 5; n++) {
      const controller = new AbortController();
      const aborted = expect(ask(controller.signal)).rejects.toThrow("Enough.");
      controller.abort(new Error("Enough."));
      await aborted;
    }
    const all = Promise.all(Array.from({ length: 6 }, () => ask()));
    await vi.advanceTimersByTimeAsync(2_000);
    await all;
    expect(started).toEqual([0, 200, 400, 600, 800, 1_000, 1_200]);
  } finally {
    vi.useRealTimers();
  }
});

it("requests to one host that wait end with their signal", async () => {
  const throttle = createHostThrottle(60_000);
  await throttle("a.example", "one", never);
  const controller = new AbortController();
  const waiting = throttle("a.example", "one", controller.signal);
  controller.abort(new Error("Enough."));
  await expect(waiting).rejects.toThrow("Enough.");
  await expect(throttle("a.example", "one", AbortSignal.abort(new Error("Late.")))).rejects.toThrow("Late.");
});
