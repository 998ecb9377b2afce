import { describe, expect, it } from "vitest";
import { Pace } from "#storage/sqlite/engine/pace.ts";

/** A thread whose clock and share of time at work are set by hand. */
function threadByHand() {
  const thread = { time: 1_000, active: 0 };
  const pace = new Pace({
    now: () => thread.time,
    eventLoopUtilization: (now, before) => {
      if (now === undefined || before === undefined) return { active: thread.active, idle: 0, utilization: 0 };
      return { active: 0, idle: 0, utilization: (now.active - before.active) / 100 };
    },
  });
  return {
    pace,
    /** Lets 100 ms go by, so many of them at work. */
    spend(active: number): void {
      thread.time += 100;
      thread.active += active;
      pace.wait();
    },
    pass: (ms: number) => void (thread.time += ms),
  };
}

describe("the pace of commits", () => {
  it("never makes a quiet thread wait", () => {
    const { pace, spend, pass } = threadByHand();
    spend(50);
    for (let n = 0; n < 10; n++) {
      expect(pace.wait()).toBe(0);
      pace.noteCommit();
      pass(0.1);
    }
  });

  it("keeps the commits of a busy thread three milliseconds apart", () => {
    const { pace, spend, pass } = threadByHand();
    spend(90);
    expect(pace.wait()).toBe(0);
    pace.noteCommit();
    pass(0.5);
    expect(pace.wait()).toBe(2.5);
    pass(2.5);
    expect(pace.wait()).toBe(0);
  });

  it("notices when the thread is quiet again", () => {
    const { pace, spend } = threadByHand();
    spend(90);
    spend(10);
    pace.noteCommit();
    expect(pace.wait()).toBe(0);
  });
});
