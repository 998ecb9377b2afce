import { afterAll, beforeAll, expect, test } from "vitest";
import { type Origin, startOrigin } from "../../support/servers/origin.ts";
import { type TestService, startTestService } from "../../support/service.ts";

let service: TestService;
let origin: Origin;
let board: string;
let closed: string;
const tiles: Record<string, string> = {};

const call = (method: string, path: string, body?: object) => service.call(method, path, body === undefined ? {} : { body });
const add = async (fields: object): Promise<string> => (await call("POST", `/api/board/${board}/tiles`, fields)).json.tile.id;

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    // Requests to /slow are never answered.
    if (request.url?.startsWith("/broken") === true) response.writeHead(404).end("gone");
  });
  service = await startTestService({ FETCH_ALLOW: new URL(origin.url).host, INGEST_ATTEMPTS: "1" });
  board = (await call("POST", "/api/board/boards", { name: "Searched" })).json.board.id;
  closed = (await call("POST", `/api/board/${board}/zones`, { name: "Closed", connected_to_chat: false })).json.zone.id;
  tiles["open"] = await add({ content: "The harbour gate opens at six.", title: "Gate" });
  tiles["closed"] = await add({ content: "The harbour master keeps a parrot called Admiral.", title: "Parrot", zone_id: closed });
  tiles["waiting"] = await add({ url: `${origin.url}/slow`, title: "Tide almanac of the harbour" });
  tiles["failed"] = await add({ url: `${origin.url}/broken?name=dredging-plan`, title: "Zeppelin report", zone_id: closed });
  await call("GET", `/api/board/tiles/${tiles["failed"]}?wait=20`);
});
afterAll(async () => {
  await service.stop();
  await origin.close();
});

const search = (q: string, more = "") => service.call("GET", `/api/board/${board}/search?q=${encodeURIComponent(q)}${more}`);
const found = async (q: string, more = "&scope=all"): Promise<string[]> =>
  (await search(q, more)).json.results.map(({ tileId }: { tileId: string }) => tileId);

test("a search with scope=all finds tiles of disconnected zones by text, marked as not connected", async () => {
  expect(await found("parrot admiral", "")).toEqual([]);
  expect(await found("parrot admiral", "&scope=connected")).toEqual([]);
  const [row] = (await search("parrot admiral", "&scope=all")).json.results;
  expect(row).toMatchObject({ tileId: tiles["closed"], title: "Parrot", connected: false, status: "ready" });
  expect(row.quote).toBe("The harbour master keeps a parrot called Admiral.");
  const [open] = (await search("gate", "&scope=all")).json.results;
  expect(open).toMatchObject({ tileId: tiles["open"], connected: true, status: "ready" });
});

test("a search with scope=all finds processing and failed tiles by title and address, without a quote", async () => {
  expect(await found("almanac", "")).toEqual([]);
  const [waiting] = (await search("almanac", "&scope=all")).json.results;
  expect(waiting).toEqual({
    tileId: tiles["waiting"],
    title: "Tide almanac of the harbour",
    type: "WEBSITE",
    score: expect.any(Number),
    quote: "",
    start: 0,
    end: 0,
    highlights: [],
    connected: true,
    status: "processing",
  });
  const [failed] = (await search("zeppelin", "&scope=all")).json.results;
  expect(failed).toMatchObject({ tileId: tiles["failed"], connected: false, status: "failed", quote: "" });
  for (const words of [
    "zeppelins",
    "zepp*",
    "reports zeppelin",
    "ZEPPELIN",
    '"zeppelin report"',
    "dredging",
    "dredging-pl*",
    `${origin.url}/broken`,
  ])
    expect(await found(words), words).toContain(tiles["failed"]);
  expect(await found('"report zeppelin"')).toEqual([]);
  expect(await found("xylophone")).toEqual([]);
});

test("a search with scope=all ranks titles of tiles without text among the texts", async () => {
  expect((await found("tide almanac harbour"))[0]).toBe(tiles["waiting"]);
  expect((await found("harbour gate"))[0]).toBe(tiles["open"]);
  const { results } = (await search("harbour", "&scope=all")).json;
  expect(results.map(({ tileId }: { tileId: string }) => tileId).toSorted()).toEqual(
    [tiles["open"], tiles["closed"], tiles["waiting"]].toSorted(),
  );
  const scores = results.map(({ score }: { score: number }) => score);
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
});

test("a search with scope=all applies the filters", async () => {
  expect(await found("zeppelin parrot", `&scope=all&zone_id=${closed}`)).toHaveLength(2);
  expect(await found("zeppelin parrot", "&scope=all&type=TEXT")).toEqual([tiles["closed"]]);
  expect(await found("harbour", "&scope=all&limit=1")).toHaveLength(1);
});

test("a search with scope=all finds no deleted tiles", async () => {
  const id = await add({ url: `${origin.url}/slow?again`, title: "Quicksilver" });
  expect(await found("quicksilver")).toEqual([id]);
  await call("DELETE", `/api/board/tiles/${id}`);
  expect(await found("quicksilver")).toEqual([]);
});

test("a search with scope=all is rejected with any other value", async () => {
  for (const scope of ["everything", "ALL", "true"]) {
    const { status, json } = await search("harbour", `&scope=${scope}`);
    expect({ status, error: json.error }).toEqual({ status: 400, error: "scope must be one of connected, all." });
  }
});

test("a search with scope=all does not extend what questions may read", async () => {
  const { json } = await call("POST", `/api/board/${board}/ask`, { question: "What is the parrot of the harbour master called?" });
  expect(json.citations.map(({ tileId }: { tileId: string }) => tileId)).not.toContain(tiles["closed"]);
});
