import { readFileSync, statSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestService, startTestService } from "../support/service.ts";
import { runCommand } from "../e2e/support/commands.ts";
import { makeFolder, tessera, tesseraJson, tesseraWith } from "../e2e/support/process.ts";
import { listen, sendPage } from "../e2e/support/servers.ts";
import { fillBoard } from "./unusual-board.ts";

const COUNT = 300;

const folder = makeFolder();
const file = folder.path("board.jsonl");
const origin = listen((_request, response) => sendPage(response, "A page — 頁", "Words of the page."));
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ FETCH_ALLOW: (await origin).host });
  // The folder of `makeFolder` is created by its first use as a data directory; here it only has files.
  await fillBoard(service, COUNT, `${(await origin).url}/a`);
});
afterAll(async () => {
  await service?.stop();
  await (await origin).close();
  folder.remove();
});

const run = (...args: string[]) => runCommand(service.environment, ...args);
const boards = async (): Promise<string[]> =>
  (await tesseraJson(service.environment, "board", "list")).boards.map(({ name }: { name: string }) => name);
async function read(boardId: string) {
  const { zones } = (await service.call("GET", `/api/board/${boardId}/zones`)).json;
  const { tiles } = (await service.call("GET", `/api/board/${boardId}/tiles`)).json;
  const names = new Map(zones.map(({ id, name }: { id: string; name: string }) => [id, name]));
  const full = await Promise.all(
    tiles.map(async ({ id }: { id: string }) => (await service.call("GET", `/api/board/tiles/${id}`)).json.tile),
  );
  return {
    ids: [...zones, ...tiles].map(({ id }: { id: string }) => id),
    zones: zones.map(({ name, color, emoji, size, connectedToChat, sortOrder }: any) => ({
      name,
      color,
      emoji,
      size,
      connectedToChat,
      sortOrder,
    })),
    tiles: full.map(({ zoneId, type, title, rawContent, extractedText, status, sourceUrl, metadata, externalId }) => ({
      zone: zoneId === null ? null : names.get(zoneId),
      ...{ type, title, rawContent, extractedText, status, sourceUrl, metadata, externalId },
    })),
  };
}

test("a board of 300 unusual tiles is restored with the same zones, tiles and text under new ids", { timeout: 300_000 }, async () => {
  const exported = await tesseraJson(service.environment, "export", service.boardId, file);
  expect(exported).toEqual({ export: { board: service.boardId, file, lines: 1 + 2 + COUNT + 1 } });
  expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  expect(readFileSync(file, "utf8")).not.toContain("deleted words");
  const imported = await tesseraJson(service.environment, "import", "Copy — 写し", file);
  expect(imported).toEqual({
    board: { id: expect.stringMatching(/^brd_/), name: "Copy — 写し", slug: expect.any(String), isDefault: false },
    zones: 2,
    tiles: COUNT + 1,
  });
  const [before, after] = [await read(service.boardId), await read(imported.board.id)];
  expect(after.zones).toEqual(before.zones);
  expect(after.tiles).toEqual(before.tiles);
  expect(after.ids.filter((id: string) => before.ids.includes(id))).toEqual([]);
  expect(await run("export", service.boardId, file)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("exists already"),
  });
  expect(await run("export", "brd_unknown", folder.path("none"))).toMatchObject({
    code: 1,
    stdout: "",
    stderr: 'Board not found. "tessera board list" shows what there is.\n',
  });
  expect(await run("import", "x", folder.path("absent"))).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("absent"),
  });
  const text = await tessera(service.environment, "import", "In words", file);
  expect(text).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining(`${COUNT + 1}`) });
});

test("the export has the names and times of the API, and goes to standard output too", async () => {
  const { code, stdout, stderr } = await run("export", service.boardId, "-");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [first, ...lines] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(first).toEqual({ format: "tessera-board", version: 2, board: { name: expect.any(String) } });
  const { zones } = (await service.call("GET", `/api/board/${service.boardId}/zones`)).json;
  expect(lines.filter(({ zone }) => zone !== undefined)).toEqual(zones.map((zone: object) => ({ zone })));
  const tiles = lines.flatMap(({ tile }) => (tile === undefined ? [] : [tile]));
  expect(tiles).toHaveLength(COUNT + 1);
  for (const tile of [tiles[0], tiles.at(-1)]) {
    const { json } = await service.call("GET", `/api/board/tiles/${tile.id}`);
    // Where a tile comes from, and whether its file is stored, is true of this installation only.
    const { sourceId, hasFile, ...own } = json.tile;
    expect({ sourceId, hasFile }).toEqual({ sourceId: null, hasFile: false });
    expect(tile).toEqual({ ...own, titleOverridden: expect.any(Boolean) });
  }
  expect(await run("export", service.boardId, "-", "--json")).toMatchObject({ code: 2, stdout: "" });
  const imported = await tesseraWith(service.environment, stdout, "import", "From standard input", "-", "--json");
  expect(imported).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(imported.stdout)).toMatchObject({ board: { name: "From standard input" }, tiles: COUNT + 1 });
});

test("files of version 0.1 are imported", async () => {
  const old = folder.path("old.jsonl");
  const times = { createdAt: 1_760_000_000_000, updatedAt: 1_760_000_000_000, version: 3, businessId: "biz_1" };
  const lines = [
    { format: "tessera-board", version: 1, board: { name: "Old" } },
    {
      zone: {
        ...times,
        id: "zon_1",
        boardId: "brd_1",
        name: "Z",
        sortOrder: 2,
        connectedToChat: true,
        color: null,
        emoji: null,
        size: "md",
      },
    },
    {
      tile: {
        ...{ ...times, id: "til_1", boardId: "brd_1", zoneId: "zon_1", sequence: 1, type: "TEXT", status: "ready", sortOrder: 0 },
        ...{ title: "By hand", titleByHand: true, rawContent: "words", extractedText: "words", sourceUrl: null, metadata: {} },
        ...{ warnings: [], segments: [], error: null, earlier: null, file: null, refreshMinutes: null, externalId: "e-1" },
      },
    },
  ];
  writeFileSync(old, lines.map((line) => JSON.stringify(line)).join("\n"));
  const { board } = await tesseraJson(service.environment, "import", "From 0.1", old);
  const { zones, tiles } = await read(board.id);
  expect([zones, tiles]).toMatchObject([[{ name: "Z", sortOrder: 2 }], [{ zone: "Z", title: "By hand", externalId: "e-1" }]]);
});

const head = '{"format":"tessera-board","version":1,"board":{"name":"x"}}';
const zone = '{"zone":{"id":"zon_1","name":"Z","connectedToChat":true,"color":null,"emoji":null,"size":"md","sortOrder":0}}';
test.each([
  ["is not JSON", [head, zone, "{broken"], 3],
  ["is not an object", [head, "[1,2]"], 2],
  ["is a tile that is null", [head, '{"tile":null}'], 2],
  ["is a tile without its fields", [head, zone, '{"tile":{"id":"til_1"}}'], 3],
  [
    "is a tile with fields of wrong types",
    [
      head,
      '{"tile":{"id":"t","zoneId":null,"type":7,"title":{},"rawContent":[],"extractedText":"","status":"ready","sourceUrl":null,"metadata":{},"externalId":null}}',
    ],
    2,
  ],
  [
    "is a tile with an invalid address",
    [
      head,
      '{"tile":{"id":"t","zoneId":null,"type":"WEBSITE","title":"t","rawContent":"","extractedText":"","status":"ready","sourceUrl":"javascript:alert(1)","metadata":{},"externalId":null}}',
    ],
    2,
  ],
  ["is a zone without a name", [head, '{"zone":{"id":"zon_1"}}'], 2],
  ["is a header of another format", ['{"format":"other","version":1,"board":{"name":"x"}}'], 1],
  ["is of a later version", ['{"format":"tessera-board","version":99,"board":{"name":"x"}}'], 1],
  ["is a second header", [head, head], 2],
  ["comes before the header", [zone, head], 1],
])("a line that %s is reported, and nothing of the file is imported", async (_what, lines, number) => {
  const rubbish = folder.path("rubbish.jsonl");
  writeFileSync(rubbish, `${lines.join("\n")}\n`);
  const { code, stdout, stderr } = await run("import", "Rubbish", rubbish, "--json");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(new RegExp(`^[^\\n]*\\b[Ll]ine ${number}\\b[^\\n]*\\n$`));
  expect(await boards()).not.toContain("Rubbish");
});

test("an empty file is rejected", async () => {
  const empty = folder.path("empty.jsonl");
  writeFileSync(empty, "\n");
  expect(await run("import", "Empty", empty)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("empty") });
  expect(await boards()).not.toContain("Empty");
});
