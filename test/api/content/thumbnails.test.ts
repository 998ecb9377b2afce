import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TileType } from "#domain/content/tile.ts";
import { ingested } from "../../support/boards.ts";
import { type Origin, startOrigin } from "../../support/servers/origin.ts";
import { claimOwner } from "../../support/people/people.ts";
import { jpeg, pictures } from "../../support/pictures.ts";
import { type Answer, type TestService, startTestService } from "../../support/service.ts";

type Serve = (response: ServerResponse, request: IncomingMessage) => void;

const MIB = 1_048_576;
const NONE = "This tile has no picture that can be shown.";
const asPicture =
  (body: Buffer | string, type = "image/png"): Serve =>
  (response) =>
    response.writeHead(200, { "content-type": type }).end(body);

/** The responses of the other host by path, set by each test. */
const served = new Map<string, Serve>();
const requestCounts = new Map<string, number>();
const countRequests = (path: string): number => requestCounts.get(path) ?? 0;
let innerHits = 0;

let origin: Origin;
/** On loopback like the other host, but not allowed. */
let inner: Origin;
let service: TestService;
let paths = 0;

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const path = request.url ?? "";
    requestCounts.set(path, countRequests(path) + 1);
    const serve = served.get(path);
    if (serve === undefined) response.writeHead(404, { "content-type": "text/html" }).end("<p>Gone.</p>");
    else serve(response, request);
  });
  inner = await startOrigin((_request, response) => {
    innerHits++;
    response.writeHead(200, { "content-type": "image/png" }).end(pictures.png(2, 2));
  });
  service = await startTestService({ ROLE: "api", FETCH_ALLOW: `127.0.0.1:${origin.port}` });
});
afterAll(async () => {
  await service?.stop();
  await origin?.close();
  await inner?.close();
});

/** A ready tile whose thumbnail has this address. */
async function addTile(thumbnailUrl?: string): Promise<string> {
  const { store } = service.appContext.deps;
  const made = await service.call("POST", "/api/inbound/tiles", {
    body: { board_id: service.boardId, url: `https://site-${paths++}.example/page` },
  });
  await finish(made.json.tile.id, thumbnailUrl);
  expect(await store.tiles.find(service.businessId, made.json.tile.id)).toMatchObject({ status: "ready" });
  return made.json.tile.id;
}

async function finish(tileId: string, thumbnailUrl?: string, type: TileType = "WEBSITE"): Promise<void> {
  const { queue } = service.appContext.deps.store;
  const [job] = await queue.claim(1, 1, Date.now());
  expect(job?.tileId).toBe(tileId);
  await queue.complete(job!, ingested("Words.", { type, metadata: thumbnailUrl === undefined ? {} : { thumbnailUrl } }), Date.now());
}

/** A ready tile whose thumbnail the other host serves, and its path there. */
async function addServed(serve: Serve): Promise<{ readonly id: string; readonly path: string }> {
  const path = `/picture-${paths++}`;
  served.set(path, serve);
  return { id: await addTile(origin.url + path), path };
}

const thumbnailPath = (tileId: string, boardId = service.boardId): string => `/api/board/${boardId}/tiles/${tileId}/thumbnail`;
const getThumbnail = (tileId: string, options: Parameters<TestService["call"]>[2] = {}): Promise<Answer> =>
  service.call("GET", thumbnailPath(tileId), options);
const fetchThumbnail = async (tileId: string): Promise<Buffer> => {
  const response = await fetch(service.url + thumbnailPath(tileId), { headers: { "x-api-key": service.key } });
  return Buffer.from(await response.arrayBuffer());
};
const toError = ({ status, json }: Answer): unknown => ({ status, json });
const none = { status: 404, json: { error: NONE } };

test.each(Object.entries(pictures))(
  "the thumbnail of a tile in the format %s is fetched once, cached, and sent with the type of its bytes",
  async (form, make) => {
    const body = make(40, 30);
    const { id, path } = await addServed(asPicture(body, "text/html"));
    const first = await getThumbnail(id);
    expect(first.status).toBe(200);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "content-type": `image/${form}`,
      "content-length": String(body.length),
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
      "content-disposition": "inline",
      "cache-control": "private, max-age=86400",
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
    expect(await fetchThumbnail(id)).toEqual(body);
    expect(countRequests(path)).toBe(1);
  },
);

test("the thumbnail of a tile that the client has already cached returns 304 without a body", async () => {
  const { id } = await addServed(asPicture(pictures.png(4, 4)));
  const etag = (await getThumbnail(id)).headers.get("etag")!;
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    const again = await getThumbnail(id, { headers: { "if-none-match": known } });
    expect({ status: again.status, text: again.text, etag: again.headers.get("etag") }).toEqual({ status: 304, text: "", etag });
    expect(again.headers.get("cache-control")).toBe("private, max-age=86400");
  }
  expect((await getThumbnail(id, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
});

test("the thumbnail of a tile is fetched once for concurrent requests", async () => {
  const { id, path } = await addServed(
    (response) => void setTimeout(() => asPicture(pictures.gif(4, 4))(response, undefined as never), 200),
  );
  const answers = await Promise.all(Array.from({ length: 12 }, () => getThumbnail(id)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(countRequests(path)).toBe(1);
});

test("the thumbnail of a tile is fetched again when its address changes", async () => {
  const { id } = await addServed(asPicture(pictures.png(4, 4)));
  const first = await getThumbnail(id);
  const other = pictures.png(6, 6, [1, 2, 3]);
  served.set("/other", asPicture(other));
  await service.call("POST", `/api/board/tiles/${id}/retry`);
  await finish(id, `${origin.url}/other`);
  const second = await getThumbnail(id);
  expect(second.headers.get("etag")).not.toBe(first.headers.get("etag"));
  expect(await fetchThumbnail(id)).toEqual(other);
});

test("the thumbnail of a tile is no longer fetched after all clients disconnected, and fetched for the next one", async () => {
  let isClosed = false;
  const { id, path } = await addServed((response) => void response.once("close", () => (isClosed = true)));
  const gone = new AbortController();
  const first = fetch(service.url + thumbnailPath(id), { headers: { "x-api-key": service.key }, signal: gone.signal }).catch(() => null);
  await expect.poll(() => countRequests(path)).toBe(1);
  gone.abort();
  await first;
  await expect.poll(() => isClosed).toBe(true);
  served.set(path, asPicture(pictures.png(4, 4)));
  expect((await getThumbnail(id)).status).toBe(200);
});

test("the thumbnail of a tile follows its tile: 404 when deleted, back when restored, erased by the purge", async () => {
  const { id, path } = await addServed(asPicture(pictures.png(4, 4)));
  const { store } = service.appContext.deps;
  await getThumbnail(id);
  await service.call("DELETE", `/api/board/tiles/${id}`);
  expect(toError(await getThumbnail(id))).toEqual({ status: 404, json: { error: "Tile not found." } });
  await service.call("POST", `/api/board/tiles/${id}/restore`);
  expect((await getThumbnail(id)).status).toBe(200);
  expect(countRequests(path)).toBe(1);
  await service.call("DELETE", `/api/board/tiles/${id}`);
  expect(await store.thumbnails.get(service.businessId, id)).not.toBeNull();
  await store.purge(Date.now() + 1, Date.now());
  expect(await store.thumbnails.get(service.businessId, id)).toBeNull();
});

test("the thumbnail of a tile that was uploaded is sent unchanged if it is small and in a format that browsers support", async () => {
  const small = pictures.png(8, 8);
  expect(await fetchThumbnail(await upload(small))).toEqual(small);
  const large = Buffer.concat([small, Buffer.alloc(MIB)]);
  for (const odd of [large, jpeg(20_000, 20_000), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')])
    expect(toError(await getThumbnail(await upload(odd)))).toEqual(none);
});

async function upload(bytes: Buffer): Promise<string> {
  const body = Buffer.concat([
    Buffer.from('--x1\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'),
    bytes,
    Buffer.from("\r\n--x1--\r\n"),
  ]);
  const headers = { "content-type": "multipart/form-data; boundary=x1" };
  const { json } = await service.call("POST", `/api/board/${service.boardId}/files`, { body, headers });
  await finish(json.tile.id, undefined, "IMAGE");
  return json.tile.id;
}

const page = "<!doctype html><script>alert(1)</script>";
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
test.each<readonly [string, Serve]>([
  ["an SVG with a script", asPicture(drawing, "image/svg+xml")],
  ["an SVG with the media type of a PNG", asPicture(drawing, "image/png")],
  ["an HTML page", asPicture(page, "text/html")],
  ["an HTML page with the media type of a picture", asPicture(page, "image/jpeg")],
  ["no bytes", asPicture("")],
  ["a picture of more than 1 MiB", asPicture(Buffer.concat([pictures.png(4, 4), Buffer.alloc(MIB)]))],
  ["a picture without end", (response) => void pour(response)],
  ["a picture of more than 40 megapixels", asPicture(jpeg(8_000, 8_000), "image/jpeg")],
  ["a 404 with a picture", (response) => response.writeHead(404).end(pictures.png(4, 4))],
  ["a redirect to a private address", (response) => response.writeHead(302, { location: `${inner.url}/secret.png` }).end()],
  ["a redirect to itself", (response, request) => response.writeHead(302, { location: request.url }).end()],
  ["a redirect to a file", (response) => response.writeHead(302, { location: "file:///etc/passwd" }).end()],
  ["a connection that breaks off", (response) => response.destroy()],
  ["a 503", (response) => response.writeHead(503).end()],
])("a missing thumbnail of %s returns 404, and is not fetched on every request", async (_, serve) => {
  const { id, path } = await addServed(serve);
  const first = await getThumbnail(id);
  expect(toError(first)).toEqual(none);
  expect(first.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(first.headers.get("cache-control")).toBe("private, max-age=3600");
  const before = countRequests(path);
  expect(before).toBeGreaterThan(0);
  expect(toError(await getThumbnail(id))).toEqual(none);
  expect(countRequests(path)).toBe(before);
});

test("a missing thumbnail at a private address is never fetched, however it is written", async () => {
  const { port } = new URL(inner.url);
  const addresses = [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f.1:${port}/`,
    "http://169.254.169.254/latest/meta-data/",
    "http://user:word@example.com/a.png",
    "file:///etc/passwd",
    "data:image/png;base64,iVBORw0KGgo=",
    "not an address",
  ];
  for (const address of addresses) expect(toError(await getThumbnail(await addTile(address))), address).toEqual(none);
  expect(innerHits).toBe(0);
});

test("a missing thumbnail of a text tile or a link without image returns 404", async () => {
  const { json } = await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "Text" } });
  expect(toError(await getThumbnail(json.tile.id))).toEqual(none);
  expect(toError(await getThumbnail(await addTile()))).toEqual(none);
});

test("access to a thumbnail requires read permission on the board of the tile", async () => {
  const { id, path } = await addServed(asPicture(pictures.png(4, 4)));
  const second = (await service.call("POST", "/api/board/boards", { body: { name: "Second" } })).json.board.id;
  const other = await service.newBusiness("Other Lab");
  const reader = await service.newKey({ permission: "read", boardId: service.boardId });
  const elsewhere = await service.newKey({ boardId: second });
  const foreign = await service.newKey({ businessId: other.businessId });
  const inbound = await service.newKey({ permission: "inbound" });
  expect((await getThumbnail(id, { key: null })).status).toBe(401);
  expect((await getThumbnail(id, { key: inbound.key })).status).toBe(403);
  expect((await getThumbnail(id, { key: elsewhere.key })).status).toBe(403);
  expect(toError(await getThumbnail(id, { key: foreign.key }))).toEqual({ status: 404, json: { error: "Tile not found." } });
  for (const boardId of [second, other.boardId, "brd_none"])
    expect(toError(await service.call("GET", thumbnailPath(id, boardId)))).toEqual({ status: 404, json: { error: "Tile not found." } });
  expect(countRequests(path)).toBe(0);
  expect((await getThumbnail(id, { key: reader.key })).status).toBe(200);
});

test("access to a thumbnail works with a session for images of the page, but not from other sites", async () => {
  const { id } = await addServed(asPicture(pictures.png(4, 4)));
  const { cookie } = await claimOwner(service);
  const as = (site: string) => getThumbnail(id, { key: null, headers: { cookie, "sec-fetch-site": site, "sec-fetch-dest": "image" } });
  expect((await as("same-origin")).status).toBe(200);
  expect((await as("cross-site")).status).toBe(403);
  expect((await as("same-site")).status).toBe(403);
});

/** Writes the start of a picture, then zeros for as long as the client reads. */
function pour(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "image/png" });
  response.write(pictures.png(4, 4));
  const write = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    if (!response.destroyed) response.once("drain", write);
  };
  write();
}
