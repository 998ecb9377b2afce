import { describe, expect, it } from "vitest";
import { describeEntries, isLink, parseEntries, readTransferText } from "../../web/src/board/model/parse-input.ts";
import { extendSelection, retainExisting, NO_SELECTION, toggleTile, selectAll } from "../../web/src/board/model/selection.ts";
import type { BoardTile } from "../../web/src/board/model/tile.ts";
import { buildColumns, DEFAULT_VIEW } from "../../web/src/board/model/view.ts";
import { formatCount } from "../../web/src/text/plural.ts";
import { formatAge, truncate, getSite } from "../../web/src/board/model/format.ts";

const at = (age: number): string => new Date(1_700_000_000_000 + age * 1_000).toISOString();

describe("typed and dropped text", () => {
  it("typed text becomes links if every line is one", () => {
    expect(parseEntries(" https://a.test/x \n\nwww.b.test\nyoutu.be/abc\nhttps://a.test/x")).toEqual([
      { kind: "link", url: "https://a.test/x" },
      { kind: "link", url: "www.b.test" },
      { kind: "link", url: "youtu.be/abc" },
    ]);
  });

  it("typed text becomes one text otherwise, with its line breaks", () => {
    expect(parseEntries("See https://a.test\nand this")).toEqual([{ kind: "text", text: "See https://a.test\nand this" }]);
    expect(parseEntries("  \n ")).toEqual([]);
  });

  it.each([
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,x",
    "notes.txt",
    "and/or",
    "3.5",
    "http://",
    "..test/x",
    "a b.test/x",
  ])("%j is not accepted as a link", (text) => expect(isLink(text)).toBe(false));

  it.each([
    ["", ""],
    ["https://a.test/x", "1 link"],
    ["www.a.test\nwww.b.test", "2 links"],
    ["Milk and bread", "One note"],
    ["nonsense", "One note, not a link"],
    ["https://", "One note, not a link"],
  ])("the field says what %j becomes: %s", (text, hint) => expect(describeEntries(parseEntries(text))).toBe(hint));

  it("a list of URLs is preferred over plain text", () => {
    const data = (all: Record<string, string>) => ({ getData: (format: string) => all[format] ?? "" });
    expect(readTransferText(data({ "text/uri-list": "# note\r\nhttps://a.test/\r\n", "text/plain": "A" }))).toBe("https://a.test/");
    expect(readTransferText(data({ "text/plain": "A" }))).toBe("A");
  });
});

const column = ["a", "b", "c", "d"];

it("selections extend from the anchor in both directions", () => {
  expect([...extendSelection(toggleTile(NO_SELECTION, "c"), "a", column).ids].sort()).toEqual(["a", "b", "c"]);
  expect([...extendSelection(toggleTile(NO_SELECTION, "b"), "d", column).ids].sort()).toEqual(["b", "c", "d"]);
  expect([...extendSelection(toggleTile(NO_SELECTION, "x"), "d", column).ids].sort()).toEqual(["d", "x"]);
});

it("selections drop deleted tiles, and keep their identity otherwise", () => {
  const all = selectAll(NO_SELECTION, column);
  expect(retainExisting(all, () => true)).toBe(all);
  expect([...retainExisting(all, (id) => id !== "b").ids]).toEqual(["a", "c", "d"]);
});

const tile = (id: string, zoneId: string | null, more: Partial<BoardTile> = {}): BoardTile => ({
  id,
  zoneId,
  type: "TEXT",
  title: id,
  status: "ready",
  sourceUrl: null,
  error: null,
  sortOrder: 0,
  externalId: null,
  tags: [],
  createdAt: at(0),
  updatedAt: at(0),
  ...more,
});
const zone = (id: string, sortOrder: number) => ({
  id,
  name: id,
  sortOrder,
  connectedToChat: true,
  color: null,
  emoji: null,
  size: "md",
});
const zones = [zone("z2", 2), zone("z1", 1)];

it("columns are the zones by position, and a last one for other tiles if there are any", () => {
  expect(buildColumns(zones, [tile("a", "z1")], DEFAULT_VIEW).map(({ id }) => id)).toEqual(["z1", "z2"]);
  const columns = buildColumns(zones, [tile("a", null), tile("b", "gone")], DEFAULT_VIEW);
  expect(columns.map(({ id, total }) => [id, total])).toEqual([
    ["z1", 0],
    ["z2", 0],
    ["none", 2],
  ]);
});

it("columns show the loaded part of a zone, without rows beyond it, and the number of its tiles", () => {
  const tiles = [
    tile("a", "z1"),
    tile("b", "z1", { sortOrder: 5 }),
    tile("far", "z1", { sortOrder: 9 }),
    tile("other", "z2"),
    tile("new-x", "z2"),
  ];
  const loaded = new Map([["z1", { cursor: "more", last: { sortOrder: 5, createdAt: at(0) } }]]);
  const columns = buildColumns(zones, tiles, DEFAULT_VIEW, { loaded, counts: new Map([["z1", 700]]) });
  expect(columns.map((column) => [column.loaded, column.tiles.map(({ id }) => id), column.total])).toEqual([
    ["part", ["a", "b"], 700],
    ["nothing", ["new-x"], null],
  ]);
  const whole = buildColumns(zones, tiles, DEFAULT_VIEW, { loaded: new Map([["z1", { cursor: null, last: null }]]), counts: new Map() });
  expect([whole[0]!.loaded, whole[0]!.total]).toEqual(["all", 3]);
});

it("columns count hidden tiles", () => {
  const tiles = [
    tile("Tea", "z1"),
    tile("v", "z1", { type: "YOUTUBE", status: "failed", sourceUrl: "https://youtu.be/TEA" }),
    tile("n", "z1"),
  ];
  const only = (view: Partial<typeof DEFAULT_VIEW>) => buildColumns(zones, tiles, { ...DEFAULT_VIEW, ...view })[0]!;
  expect(only({ query: " tea " }).tiles.map(({ id }) => id)).toEqual(["Tea", "v"]);
  expect(only({ group: "video" }).tiles.map(({ id }) => id)).toEqual(["v"]);
  expect(only({ status: "ready" }).tiles.length).toBe(2);
  expect(only({ status: "ready" }).total).toBe(3);
  expect(only({ sorting: "title" }).tiles.map(({ id }) => id)).toEqual(["n", "Tea", "v"]);
});

it("counts, titles and sites are formatted", () => {
  expect([formatCount(1, "tile"), formatCount(2_000, "tile")]).toEqual(["1 tile", "2,000 tiles"]);
  expect([truncate("short"), truncate("a long title 👍👍", 9)]).toEqual(["short", "a long t…"]);
  const ages = [0, 59, 60, 7_200, 12 * 86_400, 800 * 86_400].map((age) => formatAge(at(0), Date.parse(at(age))));
  expect(ages).toEqual(["now", "now", "1 min", "2 h", "12 d", "2 y"]);
  expect(formatAge("never", 0)).toBeUndefined();
  expect([getSite("https://www.a.test/x"), getSite("javascript://a.test/%0aalert(1)"), getSite(null)]).toEqual(["a.test", null, null]);
});
