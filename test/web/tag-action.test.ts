import { beforeEach, expect, it } from "vitest";
import type { TaggedTiles } from "../../web/src/api/tiles/bulk.ts";
import { applyTags } from "../../web/src/board/actions/use-tag-action.ts";
import { createUndo } from "../../web/src/board/actions/use-undo.ts";
import { closeToast, getToasts } from "../../web/src/ui/toasts.ts";

const TILES = [
  { id: "1", title: "One", tags: ["Tide"] },
  { id: "2", title: "Two", tags: [] },
];

beforeEach(() => getToasts().forEach(({ id }) => closeToast(id)));

it("tags that have an effect on the same tiles are one request, also when they are undone", async () => {
  const calls: TaggedTiles[] = [];
  const undo = createUndo({ move() {}, expect() {} });
  const tagTiles = async (change: TaggedTiles) => void calls.push(change);
  expect(applyTags(undo, tagTiles, TILES, { kind: "add", tags: ["a", "tide", "b"] })).toBe(true);
  const both = { tags: ["a", "b"], tileIds: ["1", "2"] };
  const second = { tags: ["tide"], tileIds: ["2"] };
  expect(calls.splice(0)).toEqual([both, second].map((edit) => ({ ...edit, kind: "add" })));
  expect(getToasts()[0]?.text).toBe("Tagged 2 tiles “a”, “b”, “tide”.");
  undo.undo();
  expect(calls).toEqual([both, second].map((edit) => ({ ...edit, kind: "remove" })));
});
