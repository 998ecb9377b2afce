import { describe, expect, it, vi } from "vitest";
import { createHostThrottle } from "#net/host-throttle.ts";

const never = new AbortController().signal;

describe("requests to one host", () => {
  it("are spaced in the order of the calls, and other hosts do not wait", async () => {
    vi.useFakeTimers();
    try {
      const started: [string, number][] = [];
      const begin = Date.now();
      const throttle = createHostThrottle(100, () => Date.now());
      const ask = (host: string): Promise<void> => throttle(host, never).then(() => void started.push([host, Date.now() - begin]));
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

  it("that wait end with their signal", async () => {
    const throttle = createHostThrottle(60_000);
    await throttle("a.example", never);
    const controller = new AbortController();
    const waiting = throttle("a.example", controller.signal);
    controller.abort(new Error("Enough."));
    await expect(waiting).rejects.toThrow("Enough.");
    await expect(throttle("a.example", AbortSignal.abort(new Error("Late.")))).rejects.toThrow("Late.");
  });
});
