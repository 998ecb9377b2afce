import { beforeAll, expect, test } from "vitest";
import { type People, gatherPeople, errorResponse, getError } from "../../support/people/settings.ts";
import { useTestService } from "../../support/service.ts";

const TOO_LARGE = "The file is too large. The maximum is 1 MiB. On the server, `tessera import NAME FILE` takes larger ones.";
const BOARDS = "/api/settings/boards";

const service = useTestService({
  ROLE: "api",
  LLM_PROVIDER: "openai-compatible",
  LLM_MODEL: "vendor/small",
  LLM_API_KEY: "sk-must-not-leak",
  LLM_BASE_URL: "http://127.0.0.1:9",
  MAX_FILE_BYTES: "1048576",
});
let people: People;
beforeAll(async () => {
  people = await gatherPeople(service);
});

const get = (path: string) => people.admin.call("GET", path);

const newBoard = async (name: string): Promise<string> =>
  (await service.call("POST", "/api/board/boards", { body: { name } })).json.board.id;

async function importFile(text: string | Blob, query = "", browser = people.admin) {
  const form = new FormData();
  form.set("file", typeof text === "string" ? new Blob([text]) : text, "board.jsonl");
  const sent = new Response(form);
  const headers = { "content-type": sent.headers.get("content-type") ?? "" };
  return browser.call("POST", `${BOARDS}/import${query}`, { body: new Uint8Array(await sent.arrayBuffer()), headers });
}

test("boards are exported as a file and imported as new boards", async () => {
  const id = await newBoard("Old: “Häfen”");
  const zone = (await service.call("POST", `/api/board/${id}/zones`, { body: { name: "Zone" } })).json.zone;
  await service.call("POST", `/api/board/${id}/tiles`, { body: { content: "The harbour opens at six.", zone_id: zone.id } });
  await service.call("POST", `/api/board/${id}/tiles`, { body: { content: "Zwei\u2028Zeilen 🌊", title: "Über" } });
  const file = await get(`${BOARDS}/${id}/export`);
  expect(file.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="old-hafen-\d{4}-\d{2}-\d{2}\.jsonl"$/);
  expect(file.text.trim().split("\n")).toHaveLength(4);
  const made = await importFile(file.text);
  expect(made.json).toMatchObject({ board: { name: "Old: “Häfen”", isDefault: false }, zones: 1, tiles: 2 });
  const { tiles } = (await service.call("GET", `/api/board/${made.json.board.id}/tiles`)).json;
  expect(tiles.map(({ title, extractedText }: any) => [title, extractedText])).toEqual([
    ["Untitled note", "The harbour opens at six."],
    ["Über", "Zwei\u2028Zeilen 🌊"],
  ]);
  expect((await importFile(file.text, "?name=Renamed")).json.board.name).toBe("Renamed");
});

const HEAD = JSON.stringify({ format: "tessera-board", version: 1, board: { name: "Half" } });

const ZONE = JSON.stringify({
  zone: { id: "z", name: "Zone", connectedToChat: true, color: null, emoji: null, size: "md", sortOrder: 1 },
});
const WARNING = { code: "truncated", message: "Only its beginning was kept." };

const tileLine = (more: object): string =>
  JSON.stringify({
    tile: {
      id: "t",
      zoneId: null,
      type: "TEXT",
      title: "Note",
      titleOverridden: true,
      rawContent: "Words.",
      extractedText: "Words.",
      status: "ready",
      sourceUrl: null,
      metadata: {},
      externalId: null,
      ...more,
    },
  });

test.each([
  ["", "The file is empty."],
  ["not ours", "Line 1 is not a line of an exported board."],
  [`${HEAD}\n${ZONE}\n{"tile":{}}\n`, "Line 3 is not a line of an exported board."],
  [`${ZONE}\n`, "Line 1 is out of place: an exported board has exactly one header, in its first line."],
  [`${HEAD}\n${HEAD}\n`, "Line 2 is out of place: an exported board has exactly one header, in its first line."],
  [HEAD.replace(":1,", ':{"toString":1},'), "Line 1 is not a line of an exported board."],
  [HEAD.replace(":1,", ":9,"), "Line 1 has version 9; this Tessera reads versions 1 and 2."],
  [`${HEAD}\n${ZONE.replace("Zone", "\\u0000")}\n`, "Line 2 is not a line of an exported board."],
  [`${HEAD}\n${ZONE.replace("Zone", "\\ud800")}\n`, "Line 2 is not a line of an exported board."],
  [`${HEAD.replace("Half", "n".repeat(201))}\n`, "Line 1: the board's name is too long. The maximum is 200 characters."],
  [`${HEAD}\n${ZONE.replace("Zone", "🌊".repeat(201))}\n`, "Line 2: the zone's name is too long. The maximum is 200 characters."],
  [`${HEAD}\n${ZONE.replace("Zone", " ")}\n`, "Line 2: the zone's name must not be blank."],
  [`${HEAD}\n${ZONE.replace('"emoji":null', '"emoji":"<b>"')}\n`, "Line 2: the zone's emoji must be one emoji or null."],
  [`${HEAD}\n${ZONE.replace(":1}", ":1000000001}")}\n`, "Line 2: the zone's sortOrder is out of bounds."],
  [`${HEAD}\n${ZONE}\n\n${tileLine({ title: "t".repeat(501) })}\n`, "Line 4: the tile's title is too long. The maximum is 500 characters."],
  [`${HEAD}\n${tileLine({ externalId: "x".repeat(201) })}\n`, "Line 2: the tile's externalId is too long. The maximum is 200 characters."],
  [`${HEAD}\n${tileLine({ id: "t".repeat(201) })}\n`, "Line 2 is not a line of an exported board."],
  [`${HEAD}\n${ZONE.replace('"z"', `"${"z".repeat(201)}"`)}\n`, "Line 2 is not a line of an exported board."],
  [
    `${HEAD}\n${tileLine({ warnings: Array.from({ length: 17 }, () => WARNING) })}\n`,
    "Line 2: the tile has too many warnings. The maximum is 16.",
  ],
  [
    `${HEAD}\n${tileLine({ warnings: [{ ...WARNING, code: "c".repeat(65) }] })}\n`,
    "Line 2: the code of a warning is too long. The maximum is 64 characters.",
  ],
  [
    `${HEAD}\n${tileLine({ warnings: [WARNING, { ...WARNING, message: "m".repeat(1_001) }] })}\n`,
    "Line 2: the message of a warning is too long. The maximum is 1,000 characters.",
  ],
])("boards are not imported from a file with %j, and nothing remains of it", async (text, message) => {
  const before = (await get(BOARDS)).json;
  expect(getError(await importFile(text))).toEqual(errorResponse(400, message));
  expect((await get(BOARDS)).json).toEqual(before);
});

test("boards accept names and titles of maximum length; a blank title counts as none", async () => {
  const zone = ZONE.replace("Zone", "🌊".repeat(200));
  const made = await importFile(`${HEAD}\n${zone}\n${tileLine({ title: "🌊".repeat(500) })}\n${tileLine({ title: "  " })}\n`);
  expect(made.json).toMatchObject({ zones: 1, tiles: 2 });
  const { tiles } = (await service.call("GET", `/api/board/${made.json.board.id}/tiles`)).json;
  expect(tiles.map(({ title }: any) => title)).toEqual(["🌊".repeat(500), "Untitled note"]);
});

test.each([
  ["a header with a zone", { format: "tessera-board", version: 1, board: { name: "x" }, zone: null }, 1],
  ["a tile with a zone", { tile: JSON.parse(tileLine({})).tile, zone: null }, 2],
  ["a zone with a tile", { zone: JSON.parse(ZONE).zone, tile: 5 }, 2],
])("boards are not imported from a line that is %s", async (_name, line, number) => {
  const lines = number === 1 ? [JSON.stringify(line)] : [HEAD, JSON.stringify(line)];
  const { status, json } = await importFile(`${lines.join("\n")}\n`);
  expect({ status, json }).toMatchObject({ status: 400, json: { error: `Line ${number} is not a line of an exported board.` } });
});

test("boards are not imported if two tiles have the same externalId", async () => {
  const line = tileLine({ externalId: "sync-1" });
  const { status, json } = await importFile(`${HEAD}\n${line}\n${line}\n`);
  expect({ status, error: json.error }).toEqual({ status: 400, error: "Line 3: another tile of the file has the same externalId." });
});

test("boards are imported without unknown and invalid metadata", async () => {
  const metadata = { author: "A. Writer", wordCount: 7, thumbnailUrl: 123, stats: { likes: 3, bad: "x" }, siteName: {}, extra: [[]] };
  const { json } = await importFile(`${HEAD}\n${tileLine({ metadata })}\n`);
  const { tiles } = (await service.call("GET", `/api/board/${json.board.id}/tiles?metadata=true`)).json;
  expect(tiles[0].metadata).toEqual({ author: "A. Writer", wordCount: 7, stats: { likes: 3 } });
});

test.each([
  ["a text", "9".repeat(1_000)],
  ["a list", [1, 2]],
  ["a long name", { ["l".repeat(65)]: 1 }],
])("boards are imported without stats that are no counts by short names: %s", async (_name, stats) => {
  const { json } = await importFile(`${HEAD}\n${tileLine({ metadata: { stats } })}\n`);
  const { tiles } = (await service.call("GET", `/api/board/${json.board.id}/tiles?metadata=true`)).json;
  expect(tiles[0].metadata).toEqual({});
});

test("boards are imported with the fields of warnings and segments, and nothing else in them", async () => {
  const [segment, extra] = [{ start: 0, end: 5, seconds: 2 }, { extra: "x".repeat(10_000) }];
  const line = tileLine({ warnings: Array.from({ length: 16 }, () => ({ ...WARNING, ...extra })), segments: [{ ...segment, ...extra }] });
  const { json } = await importFile(`${HEAD.replace(":1,", ":2,")}\n${line}\n`);
  const { tiles } = (await service.call("GET", `/api/board/${json.board.id}/tiles?metadata=true`)).json;
  expect(tiles[0].warnings).toEqual(Array.from({ length: 16 }, () => WARNING));
  expect((await service.call("GET", `/api/board/tiles/${tiles[0].id}`)).json.tile.segments).toEqual([segment]);
});

test("boards are imported with the mark of a replaced text, which a retry keeps", async () => {
  const link = { type: "WEBSITE", sourceUrl: "https://example.com/", textOverridden: true };
  const { json } = await importFile(`${HEAD}\n${tileLine(link)}\n`);
  const { tiles } = (await service.call("GET", `/api/board/${json.board.id}/tiles?metadata=true`)).json;
  expect(tiles[0].textOverridden).toBe(true);
  expect((await service.call("POST", `/api/board/tiles/${tiles[0].id}/retry`)).status).toBe(409);
});

test("boards are imported with zones beyond the maximum position", async () => {
  const id = await newBoard("Far");
  const add = (body: object) => service.call("POST", `/api/board/${id}/zones`, { body });
  const last = (await add({ name: "Last" })).json.zone.id;
  await service.call("PATCH", `/api/board/zones/${last}`, { body: { sort_order: 1_000_000_000 } });
  expect((await add({ name: "After" })).json.zone.sortOrder).toBe(1_000_000_001);
  const { text } = await get(`${BOARDS}/${id}/export`);
  expect((await importFile(text)).json).toMatchObject({ zones: 2 });
});

test("boards are imported from a file of version 0.1, which names a field differently", async () => {
  const line = tileLine({}).replace("titleOverridden", "titleByHand");
  expect(line).toContain("titleByHand");
  const { json } = await importFile(`${HEAD}\n${line}\n${tileLine({ titleOverridden: undefined, titleByHand: false })}\n`);
  expect(json).toMatchObject({ zones: 0, tiles: 2 });
  const exported = (await get(`${BOARDS}/${json.board.id}/export`)).text.trim().split("\n").slice(1);
  expect(exported.map((tile) => JSON.parse(tile).tile.titleOverridden)).toEqual([true, false]);
});

test("boards of a failed import are erased, cannot be restored, and free their slug", async () => {
  const { store } = service.appContext.deps;
  const counted = async () => (await store.tiles.counts()).indexPending;
  const before = await counted();
  const tiles = Array.from({ length: 250 }, () => `${tileLine({})}\n`).join("");
  const head = HEAD.replace("Half", "Torn");
  expect(getError(await importFile(`${head}\n${ZONE}\n${tiles}torn\n`))).toEqual(
    errorResponse(400, "Line 253 is not a line of an exported board."),
  );
  expect(await counted()).toBe(before);
  const { entries } = (await get("/api/settings/audit?limit=2")).json;
  expect(entries.map(({ action }: any) => action)).toEqual(["board.delete", "board.create"]);
  expect((await people.admin.call("POST", `/api/board/boards/${entries[0].subject}/restore`)).status).toBe(404);
  expect((await importFile(`${head}\n${ZONE}\n`)).json.board.slug).toBe("torn");
});

test("boards are not imported from a file that is too large or a body that is no form", async () => {
  const before = (await service.call("GET", "/api/board/boards")).json;
  // The second body exceeds the limit only after most of it was read.
  for (const length of [3_000_000, 1_090_000]) {
    const large = `${HEAD}\n${`${tileLine({ rawContent: "n".repeat(50_000) })}\n`.repeat(length / 50_000)}`;
    expect(getError(await importFile(large))).toEqual(errorResponse(413, TOO_LARGE));
  }
  const json = await people.admin.call("POST", `${BOARDS}/import`, { body: { name: "x" } });
  expect(getError(json)).toEqual(errorResponse(415, "Send the file as multipart/form-data."));
  expect(getError(await importFile(`${HEAD}\n`, `?name=${"n".repeat(201)}`))).toEqual(
    errorResponse(400, "name is too long. The maximum is 200 characters."),
  );
  expect((await service.call("GET", "/api/board/boards")).json).toEqual(before);
});
