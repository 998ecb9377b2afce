import { beforeEach, expect, it } from "vitest";
import { keepCreation } from "../../web/src/board/actions/creation/creation-step.ts";
import type { NewTileRequest } from "../../web/src/board/actions/creation/new-tile.ts";
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

const request = (text: string): NewTileRequest => ({ kind: "text", text, idempotencyKey: text, zoneId: null });

/** A history with an earlier step, and a creation of tiles that has begun. */
function begin(...texts: readonly string[]) {
  const calls: string[] = [];
  const record = (name: string) => async (ids: readonly string[]) => void calls.push(`${name} ${ids}`);
  const undo = createUndo({ move: (place) => void calls.push(`focus ${Object.values(place)}`), expect() {} });
  undo.add({ text: "Earlier.", place: { tileId: "0" }, undo: record("earlier").bind(null, []), redo: async () => undefined });
  const batches: { readonly created: BoardTile[]; readonly end: (...left: readonly string[]) => void }[] = [];
  keepCreation(undo, texts.map(request), {
    begin(newTiles) {
      const names = newTiles.map(({ idempotencyKey }) => idempotencyKey);
      calls.push(`begin ${names}`);
      const { promise: left, resolve } = Promise.withResolvers<readonly NewTileRequest[]>();
      const created: BoardTile[] = [];
      batches.push({ created, end: (...some) => resolve(some.map(request)) });
      return { placeholders: names.map(newTile), created, left, cancel: () => void calls.push("cancel") };
    },
    remove: record("remove"),
    restore: record("restore"),
  });
  return { calls, undo, batches };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));
const createdTile = (id: string, title: string): BoardTile => ({ ...newTile(title), id });

it("an undo of a creation under way takes its cards away at once, and deletes the tiles that were created", async () => {
  const { calls, undo, batches } = begin("a", "b");
  undo.undo();
  expect(shown()).toEqual(["Undone: Added 2 tiles."]);
  expect(calls.splice(0)).toEqual(["begin a,b", "focus new-a", "cancel"]);
  undo.redo();
  expect(calls.splice(0)).toEqual(["focus new-a"]);
  batches[0]!.created.push(createdTile("1", "a"));
  batches[0]!.end();
  await settle();
  expect(calls.splice(0)).toEqual(["remove 1", "restore 1"]);
  undo.undo();
  await settle();
  expect(shown()).toEqual(["Undone: Added “a”."]);
  expect(calls).toEqual(["focus 1", "cancel", "remove 1"]);
});

it("an undo deletes the tiles that exist at once, and a redo creates those that had not begun", async () => {
  const { calls, undo, batches } = begin("a", "b", "c");
  batches[0]!.created.push(createdTile("1", "a"));
  undo.undo();
  expect(calls.splice(0)).toEqual(["begin a,b,c", "focus new-a", "cancel", "remove 1"]);
  batches[0]!.created.push(createdTile("2", "b"));
  batches[0]!.end("c");
  await settle();
  expect(calls.splice(0)).toEqual(["remove 2"]);
  undo.redo();
  await settle();
  expect(shown()).toEqual(["Added 3 tiles."]);
  expect(calls.splice(0)).toEqual(["focus 1", "restore 1,2", "begin c"]);
  batches[1]!.created.push(createdTile("3", "c"));
  batches[1]!.end();
  await settle();
  undo.undo();
  await settle();
  expect(shown()).toEqual(["Undone: Added 3 tiles."]);
  expect(calls).toEqual(["focus 1", "cancel", "remove 1,2,3"]);
});

it("a redo that is undone while the creation is ending begins nothing", async () => {
  const { calls, undo, batches } = begin("a", "b");
  undo.undo();
  undo.redo();
  undo.undo();
  batches[0]!.created.push(createdTile("1", "a"));
  batches[0]!.end("b");
  await settle();
  expect(calls.filter((call) => !call.startsWith("focus"))).toEqual(["begin a,b", "cancel", "cancel", "remove 1", "remove 1"]);
  undo.redo();
  await settle();
  expect(calls.slice(-2)).toEqual(["restore 1", "begin b"]);
});

it("a creation without any tile is forgotten, also after an undo or redo", async () => {
  for (const isUndone of [false, true]) {
    const { calls, undo, batches } = begin("a", "b");
    if (isUndone) undo.undo();
    batches[0]!.end();
    await settle();
    expect(undo.canRedo()).toBe(false);
    calls.splice(0);
    undo.undo();
    expect(calls).toEqual(["focus 0", "earlier "]);
  }
  const { calls, undo, batches } = begin("a");
  undo.undo();
  batches[0]!.end("a");
  await settle();
  undo.redo();
  await settle();
  batches[1]!.end();
  await settle();
  calls.splice(0);
  undo.undo();
  expect(calls).toEqual(["focus 0", "earlier "]);
});
