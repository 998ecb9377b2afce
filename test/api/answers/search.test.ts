import { beforeAll, expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";

const service = useTestService();
let board: string;
let zone: string;
const tiles: Record<string, string> = {};

beforeAll(async () => {
  board = (await service.call("POST", "/api/board/boards", { body: { name: "Searched" } })).json.board.id;
  zone = (await service.call("POST", `/api/board/${board}/zones`, { body: { name: "Z" } })).json.zone.id;
  const add = async (content: string, fields: object = {}): Promise<string> =>
    (await service.call("POST", `/api/board/${board}/tiles`, { body: { content, ...fields } })).json.tile.id;
  tiles["gate"] = await add("The harbour gate opens at six. The old lighthouse keeper sleeps until noon.", { zone_id: zone });
  tiles["roses"] = await add("Roses need six hours of sun. The gardener prunes them in February.");
  tiles["house"] = await add("A lamp stood in the old house by the harbour. Light fell on the keeper of the keys.");
});

const search = (q: string, more = "") => service.call("GET", `/api/board/${board}/search?q=${encodeURIComponent(q)}${more}`);
const found = async (q: string, more = ""): Promise<string[]> =>
  (await search(q, more)).json.results.map(({ tileId }: { tileId: string }) => tileId);

test("a search finds phrases, prefixes and misspelt words, and marks the matches", async () => {
  expect(await found('"lighthouse keeper"')).toEqual([tiles["gate"]]);
  expect(await found('"keeper lighthouse"')).toEqual([]);
  expect(await found("gard*")).toEqual([tiles["roses"]]);
  expect(await found("februray")).toEqual([tiles["roses"]]);
  const [row] = (await search("lamp")).json.results;
  expect(row).toEqual({
    tileId: tiles["house"],
    title: "Untitled note",
    type: "TEXT",
    score: expect.any(Number),
    quote: expect.any(String),
    start: expect.any(Number),
    end: expect.any(Number),
    highlights: expect.any(Array),
  });
  expect(row.highlights.map(({ start, end }: { start: number; end: number }) => row.quote.slice(start, end))).toEqual(["lamp"]);
  const tile = (await service.call("GET", `/api/board/tiles/${row.tileId}`)).json.tile;
  expect(tile.extractedText.slice(row.start, row.end)).toBe(row.quote);
});

test("a search filters by zone, type and time", async () => {
  expect(new Set(await found("harbour"))).toEqual(new Set([tiles["gate"], tiles["house"]]));
  expect(await found("harbour", `&zone_id=${zone}`)).toEqual([tiles["gate"]]);
  expect(await found("harbour", "&type=PDF")).toEqual([]);
  expect(await found("harbour", "&type=TEXT")).toHaveLength(2);
  const { createdAt } = (await service.call("GET", `/api/board/tiles/${tiles["house"]}`)).json.tile;
  expect(await found("harbour", `&created_since=${createdAt}`)).toEqual([tiles["house"]]);
  expect(await found("harbour", `&created_before=${createdAt}`)).toEqual([tiles["gate"]]);
  expect(await found("harbour", "&created_before=2001-01-01")).toEqual([]);
});

test("a search rejects zones of other boards, invalid times and unknown types", async () => {
  const other = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Other" } })).json.zone.id;
  for (const [query, message] of [
    [`&zone_id=${other}`, "The zone does not belong to this board."],
    ["&zone_id=zon_nowhere", "The zone does not belong to this board."],
    ["&created_since=soon", "created_since must be an ISO 8601 time, such as 2026-01-31T12:00:00.000Z."],
    ["&created_since=2026-04-31T10:00:00%2B02:00", "created_since must be an ISO 8601 time, such as 2026-01-31T12:00:00.000Z."],
    ["&created_before=13:00", "created_before must be an ISO 8601 time, such as 2026-01-31T12:00:00.000Z."],
  ] as const) {
    const { status, json } = await search("harbour", query);
    expect({ status, error: json.error }).toEqual({ status: 400, error: message });
  }
  expect((await search("harbour", "&type=NOTHING")).status).toBe(400);
});
