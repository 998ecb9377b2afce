import { beforeEach, expect, it } from "vitest";
import { keepCreation } from "../../web/src/board/actions/creation-step.ts";
import { createUndo } from "../../web/src/board/actions/use-undo.ts";
import type { BoardTile } from "../../web/src/board/model/tile.ts";
import { closeToast, getToasts } from "../../web/src/ui/toasts.ts";

beforeEach(() => getToasts().forEach(({ id }) => closeToast(id)));

const shown = (): readonly string[] => getToasts().map(({ text }) => text);
const newTile = (title: string): BoardTile => ({
  id: `new-${title}`,
  zoneId: null,
  type: "TEXT",
  title,
  status: "processing",
  sourceUrl: null,
  error: null,
  externalId: null,
  tags: [],
  sortOrder: 0,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
});

/** A history with an earlier step, and a creation of two tiles that has begun. */
function begin() {
  const calls: string[] = [];
  const record = (name: string) => async (ids: readonly string[]) => void calls.push(`${name} ${ids}`);
  const undo = createUndo({ move: (place) => void calls.push(`focus ${Object.values(place)}`), expect() {} });
  undo.add({ text: "Earlier.", place: { tileId: "0" }, undo: record("earlier").bind(null, []), redo: async () => undefined });
  const created = Promise.withResolvers<readonly BoardTile[]>();
  keepCreation(undo, {
    placeholders: [newTile("a"), newTile("b")],
    created: created.promise,
    cancel: () => void calls.push("cancel"),
    remove: record("remove"),
    restore: record("restore"),
  });
  return { calls, undo, created };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

it("an undo of a creation under way takes its cards away at once, and deletes the tiles that were created", async () => {
  const { calls, undo, created } = begin();
  undo.undo();
  expect(shown()).toEqual(["Undone: Added 2 tiles."]);
  expect(calls.splice(0)).toEqual(["focus new-a", "cancel"]);
  undo.redo();
  expect(calls.splice(0)).toEqual(["focus new-a"]);
  created.resolve([{ ...newTile("a"), id: "1" }]);
  await settle();
  expect(calls.splice(0)).toEqual(["remove 1", "restore 1"]);
  undo.undo();
  await settle();
  expect(shown()).toEqual(["Undone: Added “a”."]);
  expect(calls).toEqual(["focus 1", "cancel", "remove 1"]);
});

it("a creation without any tile is forgotten, also after an undo", async () => {
  for (const isUndone of [false, true]) {
    const { calls, undo, created } = begin();
    if (isUndone) undo.undo();
    created.resolve([]);
    await settle();
    expect(undo.canRedo()).toBe(false);
    calls.splice(0);
    undo.undo();
    expect(calls).toEqual(["focus 0", "earlier "]);
  }
});
