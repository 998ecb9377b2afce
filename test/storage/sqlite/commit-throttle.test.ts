import { describe, expect, it } from "vitest";
import { CommitThrottle } from "#storage/sqlite/engine/commit-throttle.ts";

/** A thread whose clock and utilisation the test sets. */
function createFakeThread() {
  const thread = { time: 1_000, active: 0 };
  const throttle = new CommitThrottle({
    now: () => thread.time,
    eventLoopUtilization: (now, before) => {
      if (now === undefined || before === undefined) return { active: thread.active, idle: 0, utilization: 0 };
      return { active: 0, idle: 0, utilization: (now.active - before.active) / 100 };
    },
  });
  return {
    throttle,
    /** Advances the clock by 100 ms; the thread is busy for `active` of them. */
    spend(active: number): void {
      thread.time += 100;
      thread.active += active;
      throttle.delay();
    },
    pass: (ms: number) => void (thread.time += ms),
  };
}

describe("the commit throttle", () => {
  it("never delays an idle thread", () => {
    const { throttle, spend, pass } = createFakeThread();
    spend(50);
    for (let n = 0; n < 10; n++) {
      expect(throttle.delay()).toBe(0);
      throttle.recordCommit();
      pass(0.1);
    }
  });

  it("keeps commits of a busy thread three milliseconds apart", () => {
    const { throttle, spend, pass } = createFakeThread();
    spend(90);
    expect(throttle.delay()).toBe(0);
    throttle.recordCommit();
    pass(0.5);
    expect(throttle.delay()).toBe(2.5);
    pass(2.5);
    expect(throttle.delay()).toBe(0);
  });

  it("detects when the thread is idle again", () => {
    const { throttle, spend } = createFakeThread();
    spend(90);
    spend(10);
    throttle.recordCommit();
    expect(throttle.delay()).toBe(0);
  });
});
