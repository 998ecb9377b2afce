import { QueryClient } from "@tanstack/react-query";
import type { Tile, TileChanges } from "@tessera-board/sdk";
import { describe, expect, it } from "vitest";
import { tilesKey } from "../../web/src/api/query-keys.ts";
import {
  rollBackTiles,
  updateCachedTiles,
  getSyncState,
  isCountChanged,
  cacheTile,
  type ListedTile,
  applyChanges,
  withSyncState,
} from "../../web/src/api/tiles/tile-cache.ts";

const BOARD = "brd";
const LATER = "2026-01-03T00:00:00.000Z";
const row = (id: string, updatedAt = "2026-01-01T00:00:00.000Z"): ListedTile => ({
  id,
  zoneId: null,
  type: "TEXT",
  title: id,
  status: "ready",
  sourceUrl: null,
  error: null,
  sortOrder: 0,
  externalId: null,
  tags: [],
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt,
});
/** Configured like the query of a board's tiles: structural sharing would copy the lists. */
const newClient = () => new QueryClient({ defaultOptions: { queries: { structuralSharing: false } } });
const answer = (shown: ListedTile): Tile => ({
  ...shown,
  boardId: BOARD,
  rawContent: "",
  extractedText: "",
  metadata: {},
  warnings: [],
  connectedToChat: null,
  properties: {},
  sourceId: null,
  hasFile: false,
});
const changes = (more: Partial<TileChanges>): TileChanges => ({ tiles: [], deleted: [], complete: false, syncToken: "next", ...more });
const getSyncToken = (rows: readonly ListedTile[] | undefined) => getSyncState(rows).syncToken;
const getIds = (rows: readonly ListedTile[] | undefined): string[] => rows?.map(({ id }) => id) ?? [];

describe("changes of rows", () => {
  it("changes add new tiles and remove deleted ones; unchanged rows keep their identity", () => {
    const rows = applyChanges(undefined, changes({ tiles: [row("a"), row("b"), row("c")], complete: true, syncToken: "first" }));
    expect(getSyncToken(rows)).toBe("first");
    const next = applyChanges(rows, changes({ tiles: [row("b", "2026-01-02T00:00:00.000Z"), row("d")], deleted: ["a", "unknown"] }));
    expect(getIds(next)).toEqual(["b", "c", "d"]);
    expect(next[1]).toBe(rows[2]);
    expect(getSyncToken(next)).toBe("next");
  });

  it("rows keep their list if nothing changed, with the new token", () => {
    const rows = applyChanges(undefined, changes({ tiles: [row("a")], complete: true }));
    expect(applyChanges(rows, changes({ tiles: [row("a")], deleted: ["x"], syncToken: "later" }))).toBe(rows);
    expect(getSyncToken(rows)).toBe("later");
  });

  it("rows are replaced by a complete listing", () => {
    const rows = applyChanges(undefined, changes({ tiles: [row("a"), row("b")], complete: true }));
    expect(getIds(applyChanges(rows, changes({ tiles: [row("c")], complete: true })))).toEqual(["c"]);
  });

  it("rows with an earlier time are accepted, from a server whose clock was set back", () => {
    const rows = applyChanges(undefined, changes({ tiles: [row("a", LATER), row("b")], complete: true }));
    const next = applyChanges(rows, changes({ tiles: [{ ...row("a"), title: "renamed" }] }));
    expect(next).toEqual([{ ...row("a"), title: "renamed" }, row("b")]);
    expect(next[1]).toBe(rows[1]);
  });
});

const first = () => applyChanges(undefined, changes({ tiles: [row("a")], syncToken: "first" }));

it("the rows of a board that is loaded in part keep what is loaded through changes, and cover the board after a complete listing", () => {
  expect(getSyncState(first())).toEqual({ syncToken: "first", loaded: new Map() });
  const loaded = new Map([[null, { cursor: "next", last: row("a") }]]);
  const rows = withSyncState(first(), { syncToken: "first", loaded });
  expect(getSyncState(applyChanges(rows, changes({ tiles: [row("b")] })))).toEqual({ syncToken: "next", loaded });
  expect(getSyncState(applyChanges(rows, changes({ tiles: [row("b")], complete: true }))).loaded).toBe(null);
});

it("the rows of a board that is loaded in part say which changes alter the numbers of tiles", () => {
  const rows = first();
  expect(isCountChanged(rows, changes({ tiles: [{ ...row("a", LATER), title: "renamed" }] }))).toBe(false);
  expect(isCountChanged(rows, changes({ tiles: [{ ...row("a"), zoneId: "z" }] }))).toBe(true);
  expect(isCountChanged(rows, changes({ tiles: [{ ...row("a"), status: "failed" }] }))).toBe(true);
  expect(isCountChanged(rows, changes({ tiles: [row("unknown")] }))).toBe(true);
  expect(isCountChanged(rows, changes({ deleted: ["unknown"] }))).toBe(true);
});

it("cached rows keep their token when the page changes them, and return with it after a failed mutation", async () => {
  const client = newClient();
  const rows = applyChanges(undefined, changes({ tiles: [row("a"), row("b")], complete: true, syncToken: "first" }));
  client.setQueryData(tilesKey(BOARD), rows);
  updateCachedTiles(client, BOARD, (shown) => shown.filter(({ id }) => id !== "a"));
  const shown = () => client.getQueryData<readonly ListedTile[]>(tilesKey(BOARD));
  expect([getIds(shown()), getSyncToken(shown())]).toEqual([["b"], "first"]);
  await rollBackTiles(client, BOARD, rows);
  expect([getIds(shown()), getSyncToken(shown())]).toEqual([["a", "b"], "first"]);
});

it("cached rows accept the response for one tile unless they are newer", () => {
  const client = newClient();
  const shown = () => client.getQueryData<readonly ListedTile[]>(tilesKey(BOARD));
  client.setQueryData(tilesKey(BOARD), [row("a", LATER), row("b")]);
  const before = shown();
  cacheTile(client, answer({ ...row("a"), title: "old" }));
  expect(shown()).toBe(before);
  cacheTile(client, answer({ ...row("b", LATER), title: "new" }));
  expect(shown()?.map(({ title }) => title)).toEqual(["a", "new"]);
});
