import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HOLD_MS, createEdgePager } from "../../web/src/board/drag/edge-pager.ts";

const EDGES = { left: 0, right: 390 };

let steps: number[];
let pager: ReturnType<typeof createEdgePager>;

beforeEach(() => {
  vi.useFakeTimers();
  steps = [];
  pager = createEdgePager((step) => steps.push(step));
});
afterEach(() => void vi.useRealTimers());

it("a tile that is held at the edge turns to one zone at a time", () => {
  pager.move(385, EDGES);
  vi.advanceTimersByTime(HOLD_MS - 1);
  expect(steps).toEqual([]);
  // A finger is never quite still.
  pager.move(383, EDGES);
  vi.advanceTimersByTime(1);
  expect(steps).toEqual([1]);
  vi.advanceTimersByTime(HOLD_MS);
  expect(steps).toEqual([1, 1]);
});

it("the pager turns back at the other edge, and not at all in between or after the end", () => {
  pager.move(385, EDGES);
  pager.move(200, EDGES);
  vi.advanceTimersByTime(10 * HOLD_MS);
  expect(steps).toEqual([]);
  pager.move(3, EDGES);
  vi.advanceTimersByTime(HOLD_MS);
  pager.stop();
  vi.advanceTimersByTime(10 * HOLD_MS);
  expect(steps).toEqual([-1]);
});
