import { AsyncLocalStorage } from "node:async_hooks";
import { beforeEach, describe, expect, it } from "vitest";
import type { Authorized, Permission } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import type { Zone } from "#domain/content/zone.ts";
import { changeTiles, retryFailedTiles } from "#service/content/bulk.ts";
import { deleteZone, restoreZone } from "#service/content/zones.ts";
import type { Deps } from "#service/deps.ts";
import { createWorkQueue } from "#service/work-queue.ts";

const STEPS = 3;
const scope = {
  actor: { kind: "operator", businessId: "biz_1" },
  target: { businessId: "biz_1", id: "brd_1" },
} as unknown as Authorized<Board, Permission>;
const zone = { id: "zon_1" } as Zone;

/** The number of steps that have begun, and what happens in each. */
let begun: number;
let onStep: () => void;
let deps: Deps;

/** A store whose changes take three steps each. */
const createDeps = (): Deps => {
  const step = async (): Promise<boolean> => {
    begun++;
    onStep();
    return begun >= STEPS;
  };
  const store = {
    tiles: { changeMany: async () => ({ matched: [], changed: 0, lostExternalIds: [], overLimit: [], next: (await step()) ? null : 1 }) },
    zones: { remove: step, restore: async () => ({ zone, lostExternalIds: [], deletedUntil: (await step()) ? null : 1 }) },
  };
  const workQueue = createWorkQueue({ slots: 1, maxPerCaller: 2 });
  return { store, clock: { now: () => 0 }, settings: { ingestAttempts: 1 }, workQueue } as unknown as Deps;
};

beforeEach(() => {
  begun = 0;
  onStep = () => {};
  deps = createDeps();
});

/** Occupies the only slot of the caller until it is released. */
function occupy(): { readonly release: () => void; readonly ended: Promise<void> } {
  const held = Promise.withResolvers<void>();
  return { release: held.resolve, ended: deps.workQueue.run(() => held.promise, { owner: ["biz_1", "operator"] }) };
}

const change = (isDryRun: boolean) => ({ filter: {}, action: { kind: "delete" }, isDryRun }) as const;
const CALLS: readonly (readonly [string, (signal?: AbortSignal) => Promise<unknown>])[] = [
  ["a bulk change", (signal) => changeTiles(deps, scope, change(false), signal)],
  ["a retry of all failed tiles", (signal) => retryFailedTiles(deps, scope, signal)],
  ["the deletion of a zone", (signal) => deleteZone(deps, scope, zone, undefined, signal)],
  ["the restoration of a zone", (signal) => restoreZone(deps, scope, zone, signal)],
];

describe.each(CALLS)("%s", (_name, call) => {
  it("a change is refused when too much work of the caller is waiting, and not between its steps", async () => {
    const { release, ended } = occupy();
    const first = call();
    await expect(call()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 1 });
    expect(begun).toBe(0);
    let others: Promise<unknown> = Promise.resolve();
    const asAnotherCall = AsyncLocalStorage.snapshot();
    onStep = () =>
      (others = Promise.all([others, asAnotherCall(() => deps.workQueue.run(async () => {}, { owner: ["biz_1", "operator"] }))]));
    release();
    await Promise.all([ended, first]);
    await others;
    expect(begun).toBe(STEPS);
  });

  it("a change is not begun for a client that has gone, and completed for one that goes later", async () => {
    const { release, ended } = occupy();
    const waiting = new AbortController();
    const first = call(waiting.signal);
    waiting.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    release();
    await ended;
    expect(begun).toBe(0);
    const running = new AbortController();
    onStep = () => running.abort(new Error("gone"));
    await call(running.signal);
    expect(begun).toBe(STEPS);
  });
});

it("a dry run stops when its client has gone", async () => {
  const running = new AbortController();
  onStep = () => running.abort(new Error("gone"));
  await expect(changeTiles(deps, scope, change(true), running.signal)).rejects.toThrow("gone");
  expect(begun).toBe(1);
});
