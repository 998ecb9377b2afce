import { expect, it } from "vitest";
import type { Segment } from "#domain/content/tile.ts";
import type { Citation } from "#retrieval/answer/extractive.ts";
import { addTimes } from "#service/answer/citation-times.ts";
import type { Deps } from "#service/deps.ts";
import { createWorkQueue } from "#service/work-queue.ts";

const ACTOR = { kind: "operator", businessId: "biz_1" } as const;
const SEGMENTS: readonly Segment[] = [
  { start: 0, end: 10, seconds: 0 },
  { start: 10, end: 20, seconds: 4.5 },
];
const cite = (tileId: string, start: number, type: Citation["type"] = "YOUTUBE"): Citation => ({
  ...{ tileId, title: "Film", type, sourceUrl: null, quote: "Quote" },
  ...{ start, end: start + 5 },
});

/** Records which tiles are read, and how many at once. */
function createDeps() {
  const read: string[] = [];
  let running = 0;
  let most = 0;
  const findSegments = async (businessId: string, tileId: string): Promise<readonly Segment[]> => {
    read.push(`${businessId} ${tileId}`);
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return tileId === "til_gone" ? [] : SEGMENTS;
  };
  const workQueue = createWorkQueue({ slots: 1 });
  return { deps: { store: { tiles: { findSegments } }, workQueue } as unknown as Deps, workQueue, read, most: () => most };
}

const { signal } = new AbortController();

it("citations of transcripts get the second of their segment, and each transcript is read once", async () => {
  const { deps, read, most } = createDeps();
  const citations = [cite("til_1", 0), cite("til_2", 12), cite("til_1", 15), cite("til_gone", 0), cite("til_page", 0, "WEBSITE")];
  const timed = await addTimes(deps, ACTOR, citations, signal);
  expect(timed.map(({ seconds }) => seconds)).toEqual([0, 4.5, 4.5, undefined, undefined]);
  expect(read).toEqual(["biz_1 til_1", "biz_1 til_2", "biz_1 til_gone"]);
  expect(most()).toBe(1);
});

it("the second is that of the first highlight", async () => {
  const { deps } = createDeps();
  const citation = { ...cite("til_1", 5), end: 20, highlights: [{ start: 8, end: 12 }] };
  expect(await addTimes(deps, ACTOR, [citation], signal)).toEqual([{ ...citation, seconds: 4.5 }]);
});

it("transcripts are read in the caller's turn, and not for a caller who has gone", async () => {
  const { deps, workQueue, read } = createDeps();
  let release = (): void => {};
  const held = workQueue.run(() => new Promise<void>((resolve) => (release = resolve)), { owner: [ACTOR.businessId, "key_2"] });
  const controller = new AbortController();
  const gone = addTimes(deps, ACTOR, [cite("til_1", 0)], controller.signal);
  const waiting = addTimes(deps, ACTOR, [cite("til_2", 0)], signal);
  await new Promise(setImmediate);
  expect(read).toEqual([]);
  controller.abort(new Error("gone"));
  await expect(gone).rejects.toThrow("gone");
  release();
  await held;
  expect((await waiting)[0]?.seconds).toBe(0);
  expect(read).toEqual(["biz_1 til_2"]);
});

it("pages are not read again", async () => {
  const { deps, read } = createDeps();
  const citations = [cite("til_page", 0, "WEBSITE")];
  expect(await addTimes(deps, ACTOR, citations, signal)).toBe(citations);
  expect(read).toEqual([]);
});
