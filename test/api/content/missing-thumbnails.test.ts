import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { jpeg, pictures } from "../../support/pictures.ts";
import {
  type Serve,
  MIB,
  asPicture,
  countRequests,
  innerHits,
  inner,
  service,
  addTile,
  addServed,
  thumbnailPath,
  getThumbnail,
  toError,
  none,
  useThumbnailService,
} from "./support/thumbnail-service.ts";

useThumbnailService();

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
