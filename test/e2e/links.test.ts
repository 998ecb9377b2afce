import { afterAll, beforeAll, expect, test } from "vitest";
import { sample } from "../wire/support/wire.ts";
import { type Environment, type ServerProcess, call, makeFolder, startServer, tesseraJson } from "./support/process.ts";
import { type LocalServer, articlePage, listen } from "./support/servers.ts";

const folder = makeFolder();
const PARAGRAPHS = { first: "The harbour gate opens at six in the morning.", second: "The office closes at nine in the evening." };
let page = PARAGRAPHS.first;
let origin: LocalServer;
let server: ServerProcess;
let key: string;
let boardId: string;

/** The responses of all sources, by host. One server returns them all. */
const ANSWERS: Readonly<Record<string, (path: string) => string | undefined>> = {
  "www.youtube.com": (path) =>
    path.startsWith("/youtubei/v1/player")
      ? sample("youtube/youtube.player.json")
      : path.startsWith("/api/timedtext")
        ? sample("youtube/youtube.timedtext.json3.json")
        : undefined,
  "hn.algolia.com": () => sample("social/hackernews.algolia.item.json"),
  "pages.example": () => articlePage("Hours", page),
};

beforeAll(async () => {
  origin = await listen((request, response) => {
    const answer = ANSWERS[request.headers.host ?? ""]?.(request.url ?? "/");
    const isJson = answer?.trimStart().startsWith("{") === true;
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": isJson ? "application/json" : "text/html; charset=utf-8" });
    response.end(answer ?? "");
  });
  const environment: Environment = {
    DATA_DIR: folder.dataDir,
    FETCH_ALLOW: origin.host,
    FETCH_ROUTES: Object.keys(ANSWERS)
      .map((host) => `https://${host}=${origin.url}`)
      .join(","),
    INGEST_ATTEMPTS: "1",
    LOG_LEVEL: "error",
  };
  server = await startServer(environment);
  ({ key } = await tesseraJson(environment, "key", "create", "--name", "test"));
  boardId = (await call(server.url, key, "GET", "/api/board/boards")).json.boards[0].id;
}, 60_000);
afterAll(async () => {
  await server?.kill("SIGTERM");
  await origin?.close();
  folder.remove();
});

async function ingest(url: string): Promise<any> {
  const { json } = await call(server.url, key, "POST", "/api/inbound/tiles", { board_id: boardId, url });
  return read(json.tile.id);
}
const read = async (id: string): Promise<any> => (await call(server.url, key, "GET", `/api/board/tiles/${id}?wait=25`)).json.tile;

test("a link of a video has its transcript with times, and an answer cites the second", { timeout: 300_000 }, async () => {
  const tile = await ingest("https://www.youtube.com/watch?v=fakeVid0001");
  expect(tile).toMatchObject({ type: "YOUTUBE", status: "ready", title: "How a lighthouse lens bends light", warnings: [] });
  expect(tile.segments.map(({ start, end, seconds }: any) => [tile.extractedText.slice(start, end), seconds])).toEqual([
    ["A lighthouse lens is a stack of prisms.", 0.4],
    ["Each ring bends light & sends it out flat.", 3.7],
  ]);
  const { json } = await call(server.url, key, "POST", `/api/board/${boardId}/ask`, {
    question: "What does each ring of the lens bend?",
  });
  const cited = json.citations.find((citation: any) => citation.quote.includes("Each ring bends light"));
  expect(cited).toMatchObject({ tileId: tile.id, type: "YOUTUBE", seconds: expect.any(Number) });
  expect(tile.extractedText.slice(cited.start, cited.end)).toBe(cited.quote);
});

test("a link of a discussion has its comments", { timeout: 300_000 }, async () => {
  expect(await ingest("https://news.ycombinator.com/item?id=40000001")).toMatchObject({
    type: "HACKERNEWS",
    status: "ready",
    extractedText: expect.stringContaining("Less glass, same bending."),
  });
});

test("a link keeps its id when it is refreshed, and lists what was added and removed", { timeout: 300_000 }, async () => {
  const tile = await ingest("https://pages.example/hours");
  expect(tile.extractedText).toContain(PARAGRAPHS.first);
  expect(tile.changes).toBeUndefined();
  page = PARAGRAPHS.second;
  expect((await call(server.url, key, "POST", `/api/board/tiles/${tile.id}/retry`)).json.tile).toMatchObject({
    id: tile.id,
    status: "processing",
  });
  expect(await read(tile.id)).toMatchObject({
    id: tile.id,
    status: "ready",
    extractedText: expect.stringContaining(PARAGRAPHS.second),
    changes: { at: expect.stringMatching(/Z$/), added: [PARAGRAPHS.second], removed: [PARAGRAPHS.first] },
  });
});

test.each([
  ["ftp://pages.example/a", "url must be an http or https address."],
  ["https://user:pass@pages.example/", "url must not carry credentials."],
  ["http://127.0.0.1/", "url points inside the network."],
  [`https://pages.example/${"a".repeat(2_100)}`, "url is too long."],
])("a link is rejected immediately if it is invalid: %s", async (url, error) => {
  const { status, json } = await call(server.url, key, "POST", "/api/inbound/tiles", { board_id: boardId, url });
  expect({ status, error: json.error }).toEqual({ status: 400, error: expect.stringContaining(error) });
});
