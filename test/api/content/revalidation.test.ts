import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";

/** Enough tiles for several steps of a streamed listing. */
const TILES = 1_500;
const IDENTITY = { "accept-encoding": "identity" };
const service = useTestService({ ROLE: "api" });
let path: string;
beforeAll(async () => {
  path = `/api/board/${service.boardId}`;
  for (let at = 0; at < TILES; at += 500) {
    const tiles = Array.from({ length: 500 }, (_, n) => ({
      board_id: service.boardId,
      title: `Entry ${at + n} of the harbour's log`,
      content: `What was written down as number ${at + n}. ${"The tide came in. ".repeat(20)}`,
    }));
    await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles } });
  }
  for (let n = 0; n < 60; n++) await service.call("POST", `${path}/zones`, { body: { name: `Zone ${n}` } });
});

type Sent = { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly body: Buffer };

/** A raw request: nothing is decompressed, and no header is added. */
const send = (asked: string, headers: Record<string, string> = {}, method = "GET"): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const call = request(service.url + asked, { method, headers: { "x-api-key": service.key, ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }));
      response.on("error", reject);
    });
    call.on("error", reject).end();
  });

test.each(["tiles", "tiles?limit=100", "tiles?text=false", "zones", "zones?limit=50"])(
  "compression of %s happens if the client accepts it",
  async (listing) => {
    // Three requests each, so that a cached response is tested too.
    for (let n = 0; n < 3; n++) {
      const plain = await send(`${path}/${listing}`);
      expect([plain.status, plain.headers["content-encoding"], plain.headers["vary"]]).toEqual([200, undefined, "Accept-Encoding"]);
      const gzip = await send(`${path}/${listing}`, { "accept-encoding": "gzip, deflate" });
      expect([gzip.headers["content-encoding"], gzip.headers["vary"]]).toEqual(["gzip", "Accept-Encoding"]);
      expect(gunzipSync(gzip.body)).toEqual(plain.body);
      const brotli = await send(`${path}/${listing}`, { "accept-encoding": "gzip, br;q=0.9" });
      expect([brotli.headers["content-encoding"], brotli.headers["content-type"]]).toEqual(["br", "application/json; charset=utf-8"]);
      expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
      expect(brotli.body.length).toBeLessThan(plain.body.length / 4);
      for (const accepted of ["identity", "br;q=0, gzip;q=0.000", "zstd", "*;q=0", ""]) {
        const refused = await send(`${path}/${listing}`, { "accept-encoding": accepted });
        expect([refused.headers["content-encoding"], refused.body.equals(plain.body)]).toEqual([undefined, true]);
      }
    }
  },
);

test("compression is not applied to short responses, settings and event streams", async () => {
  const headers = { "accept-encoding": "gzip, br" };
  const short = await send(`${path}/tiles?limit=1`, headers);
  expect([short.headers["content-encoding"], short.headers["vary"]]).toEqual([undefined, undefined]);
  for (let n = 0; n < 40; n++) await service.newKey();
  expect((await send("/api/me", headers)).headers["content-encoding"]).toBeUndefined();
  const first = await fetch(`${service.url}${path}/events`, { headers: { ...headers, "x-api-key": service.key } });
  expect([first.headers.get("content-type"), first.headers.get("content-encoding")]).toEqual(["text/event-stream; charset=utf-8", null]);
  await first.body?.cancel();
});

test("compression does not change a long tile or an error", async () => {
  const { json } = await service.call("POST", `${path}/tiles`, { body: { content: "Tide. ".repeat(5_000) } });
  const tile = await send(`/api/board/tiles/${json.tile.id}`, { "accept-encoding": "br" });
  expect(JSON.parse(brotliDecompressSync(tile.body).toString()).tile).toEqual(json.tile);
  const refused = await send(`${path}/tiles?cursor=x`, { "accept-encoding": "br" });
  expect([refused.status, refused.body.toString()]).toEqual([400, '{"error":"cursor is not valid."}']);
  await service.call("DELETE", `/api/board/tiles/${json.tile.id}`);
});

test.each(["tiles?text=false", "tiles?limit=2", "zones"])("revalidation of %s returns 304 while it is unchanged", async (listing) => {
  const first = await send(`${path}/${listing}`, IDENTITY);
  const etag = String(first.headers["etag"]);
  expect([etag.startsWith('W/"'), first.headers["cache-control"]]).toEqual([true, "private, no-cache"]);
  for (const known of [etag, etag.slice(2), `"other", ${etag}`]) {
    const again = await send(`${path}/${listing}`, { "if-none-match": known });
    expect([again.status, again.body.length, again.headers["etag"], again.headers["cache-control"]]).toEqual([
      304,
      0,
      etag,
      "private, no-cache",
    ]);
  }
  for (const other of [
    '"other"',
    "*",
    String((await send(`${path}/${listing === "zones" ? "zones?limit=1" : "tiles?limit=3"}`)).headers["etag"]),
  ])
    expect((await send(`${path}/${listing}`, { "if-none-match": other })).status, other).toBe(200);
  const { json } = await service.call("POST", `${path}/zones`, { body: { name: "New" } });
  const changed = await send(`${path}/${listing}`, { "if-none-match": etag });
  expect([changed.status, changed.headers["etag"] === etag]).toEqual([200, false]);
  await service.call("DELETE", `/api/board/zones/${json.zone.id}`);
});

test.each(["tiles?cursor=x", "tiles?zone_id=zon_none", "tiles?updated_since=soon", "tiles?limit=0", "zones?cursor=x", "zones?limit=0"])(
  "revalidation of %s returns 400 despite If-None-Match",
  async (listing) => {
    const known = [String((await send(`${path}/${listing.split("?")[0]}`)).headers["etag"]), "*"];
    for (const tag of known) {
      const refused = await send(`${path}/${listing}`, { "if-none-match": tag });
      expect([refused.status, refused.headers["etag"], refused.headers["cache-control"]]).toEqual([400, undefined, "no-store"]);
    }
  },
);

test("revalidation uses the same ETag for cached responses", async () => {
  const tags = [];
  for (let n = 0; n < 4; n++) tags.push((await send(`${path}/tiles?limit=4`, IDENTITY)).headers["etag"]);
  expect(new Set(tags).size).toBe(1);
  expect((await send(`${path}/tiles?limit=4`, { "if-none-match": String(tags[3]) })).status).toBe(304);
});

test("revalidation without read permission is rejected", async () => {
  const etag = String((await send(`${path}/zones`)).headers["etag"]);
  const { key } = await service.newKey({ permission: "inbound" });
  expect((await send(`${path}/zones`, { "if-none-match": etag, "x-api-key": key })).status).toBe(403);
  expect((await send(`${path}/zones`, { "if-none-match": etag, "x-api-key": "x" })).status).toBe(401);
});

test("a 304 varies by coding like the response", async () => {
  const { json } = await service.call("POST", "/api/inbound/tiles", {
    body: { board_id: service.boardId, content: "Tide. ".repeat(2_000) },
  });
  const tile = `/api/board/tiles/${json.tile.id}`;
  const { headers } = await send(tile);
  const known = await send(tile, { "if-none-match": String(headers["etag"]) });
  expect([known.status, known.headers["vary"]]).toEqual([304, headers["vary"]]);
});
