import { expect, test } from "vitest";
import { claimOwner } from "../../support/people/people.ts";
import { jpeg, pictures } from "../../support/pictures.ts";
import {
  MIB,
  asPicture,
  served,
  countRequests,
  origin,
  service,
  finish,
  addServed,
  thumbnailPath,
  getThumbnail,
  toError,
  none,
  useThumbnailService,
} from "./support/thumbnail-service.ts";

useThumbnailService();

const fetchThumbnail = async (tileId: string): Promise<Buffer> => {
  const response = await fetch(service.url + thumbnailPath(tileId), { headers: { "x-api-key": service.key } });
  return Buffer.from(await response.arrayBuffer());
};

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

test("access to a thumbnail works with a session for images of the page, but not from other sites", async () => {
  const { id } = await addServed(asPicture(pictures.png(4, 4)));
  const { cookie } = await claimOwner(service);
  const as = (site: string) => getThumbnail(id, { key: null, headers: { cookie, "sec-fetch-site": site, "sec-fetch-dest": "image" } });
  expect((await as("same-origin")).status).toBe(200);
  expect((await as("cross-site")).status).toBe(403);
  expect((await as("same-site")).status).toBe(403);
});
