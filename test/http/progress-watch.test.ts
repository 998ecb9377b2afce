import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Progress } from "#domain/content/progress.ts";
import { createProgressWatch, type TileProgress } from "#http/streams/progress.ts";

const T0 = Date.UTC(2026, 10, 22, 3);
const createEntry = (tileId: string, more: Partial<Progress> = {}): Progress => ({
  businessId: "biz_1",
  boardId: "brd_1",
  tileId,
  stage: "fetch",
  attempt: 1,
  maxAttempts: 3,
  startedAt: T0,
  ...more,
});
const BOARD = { businessId: "biz_1", id: "brd_1" };

function setUp() {
  const state = { entries: [] as Progress[], looks: 0, isUnavailable: false, hold: null as Promise<void> | null };
  const watch = createProgressWatch(
    {
      report: async () => {},
      end: async () => {},
      async running(now) {
        state.looks++;
        expect(now).toBe(Date.now());
        const { entries } = state;
        await state.hold;
        if (state.isUnavailable) throw new Error("away");
        return entries;
      },
    },
    { now: () => Date.now() },
  );
  const follow = (board = BOARD) => {
    const told: (readonly TileProgress[])[] = [];
    return { told, stop: watch.watch(board, (tiles) => told.push(tiles)) };
  };
  return { state, follow };
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers({ now: T0 }));
afterEach(() => void vi.useRealTimers());

it("the progress watch polls twice a second for all streams together, and never without streams", async () => {
  const { state, follow } = setUp();
  await pass(5_000);
  expect(state.looks).toBe(0);
  const followers = Array.from({ length: 50 }, (_, n) => follow({ businessId: "biz_1", id: `brd_${n % 7}` }));
  await pass(5_000);
  expect(state.looks).toBe(11);
  for (const { stop } of followers) stop();
  await pass(5_000);
  expect(state.looks).toBe(11);
});

it("the progress watch sends the list of each board when it changes, without other boards and businesses", async () => {
  const { state, follow } = setUp();
  const [first, same, other, stranger] = [
    follow(),
    follow(),
    follow({ businessId: "biz_1", id: "brd_2" }),
    follow({ businessId: "biz_2", id: "brd_1" }),
  ];
  await pass(1_200);
  state.entries = [createEntry("til_a"), createEntry("til_b", { boardId: "brd_2", stage: "read", attempt: 2 })];
  await pass(1_200);
  state.entries = state.entries.slice(1);
  await pass(1_200);
  const a = { tileId: "til_a", stage: "fetch", attempt: 1, maxAttempts: 3, startedAt: "2026-11-22T03:00:00.000Z" };
  expect(first.told).toEqual([[a], []]);
  expect(same.told).toEqual(first.told);
  expect(other.told).toEqual([[{ ...a, tileId: "til_b", stage: "read", attempt: 2 }]]);
  expect(stranger.told).toEqual([]);
});

it("the progress watch sends the last state to a new stream at once, and nothing to closed streams", async () => {
  const { state, follow } = setUp();
  state.entries = [createEntry("til_a")];
  const first = follow();
  await pass(10);
  const late = follow();
  expect([first.told.length, late.told.length, state.looks]).toEqual([1, 1, 1]);
  first.stop();
  state.entries = [];
  await pass(600);
  expect([first.told.length, late.told.length]).toEqual([1, 2]);
  late.stop();
  // After a time without streams nothing from before is sent.
  expect(follow().told).toEqual([]);
});

it("the progress watch keeps the last state while the database is unavailable or slow, and continues afterwards", async () => {
  const { state, follow } = setUp();
  state.entries = [createEntry("til_a")];
  const { told } = follow();
  await pass(10);
  state.isUnavailable = true;
  await pass(2_000);
  expect(told).toHaveLength(1);
  state.isUnavailable = false;
  const slow = Promise.withResolvers<void>();
  state.hold = slow.promise;
  const { looks } = state;
  await pass(3_000);
  expect(state.looks).toBe(looks + 1);
  state.hold = null;
  state.entries = [];
  slow.resolve();
  await pass(600);
  expect(told).toHaveLength(2);
});
