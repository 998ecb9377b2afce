import { expect, test } from "vitest";
import { createClient, TesseraError } from "@tessera-board/sdk";
import { serve } from "./server.ts";
import type { Answer } from "./server.ts";

const KEY = "tsr_key";

test("the key is sent in X-API-Key, and ids are escaped in the path", async () => {
  await using server = await serve(() => ({ body: { zones: [] } }));
  await createClient({ baseUrl: `${server.url}/`, apiKey: KEY }).zones.list("a/b?c");
  expect(server.seen[0]).toMatchObject({ method: "GET", url: "/api/board/a%2Fb%3Fc/zones", headers: { "x-api-key": KEY } });
});

test("fields are sent under their documented names", async () => {
  await using server = await serve(() => ({ body: { zone: { id: "z" }, tile: { id: "t" } } }));
  const client = createClient({ baseUrl: server.url, apiKey: KEY });
  await client.zones.create("b", { name: "Zone", connectedToChat: false, sortOrder: 3 }, { idempotencyKey: "once" });
  await client.tiles.create("b", { content: "Text", zoneId: "z", externalId: "e" });
  await client.tiles.update("t", { zoneId: null }, { ifMatch: '"1"' });
  await client.inbound.create({ boardId: "b", zoneId: "z", url: "https://example.com", title: "T", externalId: "e" });
  expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["POST", "/api/board/b/zones", { name: "Zone", connected_to_chat: false, sort_order: 3 }],
    ["POST", "/api/board/b/tiles", { content: "Text", zone_id: "z", external_id: "e" }],
    ["PATCH", "/api/board/tiles/t", { zone_id: null }],
    ["POST", "/api/inbound/tiles", { board_id: "b", zone_id: "z", url: "https://example.com", title: "T", external_id: "e" }],
  ]);
  expect(server.seen[0]?.headers["idempotency-key"]).toBe("once");
  expect(server.seen[2]?.headers["if-match"]).toBe('"1"');
});

test("connected_to_chat of a tile and the scope of a search are sent under their documented names", async () => {
  const result = {
    tileId: "t",
    title: "T",
    type: "TEXT",
    score: 1,
    quote: "",
    start: 0,
    end: 0,
    highlights: [],
    connected: false,
    status: "failed",
  };
  await using server = await serve(({ url }) => ({ body: url.includes("search") ? { results: [result] } : { tile: { id: "t" } } }));
  const client = createClient({ baseUrl: server.url, apiKey: KEY });
  await client.tiles.create("b", { content: "Text", origin: "answer", connectedToChat: true });
  await client.tiles.update("t", { connectedToChat: null });
  await client.inbound.create({ boardId: "b", content: "Text", origin: "generation", connectedToChat: false });
  expect(await client.search("b", "words", { scope: "all", limit: 3 })).toEqual([result]);
  expect(server.seen.map(({ method, url, body }) => [method, url, ...(body === undefined ? [] : [body])])).toEqual([
    ["POST", "/api/board/b/tiles", { content: "Text", origin: "answer", connected_to_chat: true }],
    ["PATCH", "/api/board/tiles/t", { connected_to_chat: null }],
    ["POST", "/api/inbound/tiles", { board_id: "b", content: "Text", origin: "generation", connected_to_chat: false }],
    ["GET", "/api/board/b/search?q=words&scope=all&limit=3"],
  ]);
});

test("tags and properties are sent as they are, and filters as repeated parameters", async () => {
  await using server = await serve(() => ({ body: { tile: { id: "t" }, tiles: [], matched: 0, changed: 0, tileIds: [] } }));
  const client = createClient({ baseUrl: server.url, apiKey: KEY });
  const properties = { ticketNumber: 1, "a b": ["X"] };
  await client.tiles.create("b", { content: "Text", tags: ["One"], properties });
  await client.tiles.list("b", { tag: ["a, b", "c"], property: { ticketNumber: ["1", "2"], "a b": "X" }, status: ["ready", "failed"] });
  await client.tiles.bulk("b", { filter: { tag: "One", properties }, action: { setProperties: { ticketNumber: null } } });
  await client.tiles.bulk("b", { filter: { type: ["TEXT", "PDF"] }, action: { addTags: ["Two"] } });
  expect(server.seen.map(({ method, url, body }) => [method, url, ...(body === undefined ? [] : [body])])).toEqual([
    ["POST", "/api/board/b/tiles", { content: "Text", tags: ["One"], properties }],
    [
      "GET",
      "/api/board/b/tiles?tag=a%2C+b&tag=c&property.ticketNumber=1&property.ticketNumber=2&property.a+b=X&status=ready&status=failed",
    ],
    ["POST", "/api/board/b/tiles/bulk", { filter: { tag: "One", properties }, action: { set_properties: { ticketNumber: null } } }],
    ["POST", "/api/board/b/tiles/bulk", { filter: { type: ["TEXT", "PDF"] }, action: { add_tags: ["Two"] } }],
  ]);
});

test("a tile has its ETag, which can be passed to an update", async () => {
  await using server = await serve(() => ({ headers: { etag: '"7"' }, body: { tile: { id: "t", title: "T" } } }));
  const tile = await createClient({ baseUrl: server.url, apiKey: KEY }).tiles.get("t", { wait: 25 });
  expect(tile).toEqual({ id: "t", title: "T", etag: '"7"' });
  expect(server.seen[0]?.url).toBe("/api/board/tiles/t?wait=25");
});

test("all pages are read, with the filters on each", async () => {
  const pages: Record<string, Answer> = {
    "": { body: { tiles: [{ id: "1" }, { id: "2" }], nextCursor: "two" } },
    two: { body: { tiles: [], nextCursor: "three" } },
    three: { body: { tiles: [{ id: "3" }], nextCursor: null } },
  };
  await using server = await serve(
    ({ url }) => pages[new URL(url, "http://x").searchParams.get("cursor") ?? ""] ?? { status: 400, body: {} },
  );
  const ids: string[] = [];
  const options = { zoneId: "z", limit: 2, text: false, updatedSince: new Date(0) };
  for await (const tile of createClient({ baseUrl: server.url, apiKey: KEY }).tiles.iterate("b", options)) ids.push(tile.id);
  expect(ids).toEqual(["1", "2", "3"]);
  for (const { url } of server.seen) {
    const { cursor: _, ...query } = Object.fromEntries(new URL(url, "http://x").searchParams);
    expect(query).toEqual({ limit: "2", text: "false", zone_id: "z", updated_since: "1970-01-01T00:00:00.000Z" });
  }
});

test("a listing without a cursor has no next page", async () => {
  await using server = await serve(() => ({ body: { tiles: [] } }));
  expect(await createClient({ baseUrl: server.url, apiKey: KEY }).tiles.list("b")).toEqual({ tiles: [], nextCursor: null });
});

test("a question has explain only when requested", async () => {
  await using server = await serve(() => ({ body: { answer: "A", contextTokens: 1 } }));
  const client = createClient({ baseUrl: server.url, apiKey: KEY });
  expect(await client.ask("b", "Why?")).toEqual({ answer: "A", contextTokens: 1 });
  await client.ask("b", "Why?", { explain: true });
  expect(server.seen.map(({ url, body }) => [url, body])).toEqual([
    ["/api/board/b/ask", { question: "Why?" }],
    ["/api/board/b/ask?explain=true", { question: "Why?" }],
  ]);
});

test("an error is a TesseraError with the message of the service, its id and its Retry-After", async () => {
  const headers = { "x-request-id": "req-1", "retry-after": "7" };
  await using server = await serve(() => ({ status: 429, headers, body: { error: "Too many requests." } }));
  const error: unknown = await createClient({ baseUrl: server.url, apiKey: KEY, maxRetries: 0 })
    .me()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TesseraError);
  expect(error).toMatchObject({ status: 429, message: "Too many requests.", requestId: "req-1", retryAfterSeconds: 7 });
});

test("an HTML page of a proxy is not shown as the message", async () => {
  await using server = await serve(() => ({ status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad gateway</h1>" }));
  await expect(createClient({ baseUrl: server.url, apiKey: KEY }).boards.list()).rejects.toMatchObject({
    status: 502,
    message: "The service answered 502 Bad Gateway.",
    requestId: null,
    retryAfterSeconds: null,
  });
});

test("a success response that is not JSON throws with a hint to check the address", async () => {
  await using server = await serve(() => ({ body: "<html>" }));
  await expect(createClient({ baseUrl: server.url, apiKey: KEY }).boards.list()).rejects.toThrow(/baseUrl/);
});

test("a redirect is not followed, so the key is not leaked", async () => {
  await using target = await serve(() => ({ body: { boards: [] } }));
  await using server = await serve(() => ({ status: 307, headers: { location: target.url }, body: {} }));
  await expect(createClient({ baseUrl: server.url, apiKey: KEY }).boards.list()).rejects.toMatchObject({
    status: 307,
    message: expect.stringContaining("baseUrl"),
  });
  expect(target.seen).toEqual([]);
});

test("an aborted request rejects", async () => {
  await using server = await serve(() => ({ body: { boards: [] } }));
  const call = createClient({ baseUrl: server.url, apiKey: KEY }).boards.list({ signal: AbortSignal.abort() });
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
});

test("a thumbnail can be read as bytes, and has a URL for pages of the service itself", async () => {
  await using server = await serve(() => ({ headers: { "content-type": "image/png" }, body: { pretend: "bytes" } }));
  const client = createClient({ baseUrl: server.url, apiKey: KEY });
  const thumbnail = await client.tiles.thumbnail("b/1", "t");
  expect(thumbnail.size).toBeGreaterThan(0);
  expect(server.seen[0]).toMatchObject({ method: "GET", url: "/api/board/b%2F1/tiles/t/thumbnail", headers: { "x-api-key": KEY } });
  expect(createClient({ baseUrl: "", fetch }).tiles.thumbnailUrl("b/1", "t")).toBe("/api/board/b%2F1/tiles/t/thumbnail");
  expect(client.tiles.thumbnailUrl("b", "t", "x y")).toBe(`${server.url}/api/board/b/tiles/t/thumbnail?v=x+y`);
});

test("an error has the code of the server, from the header or the body, and null from elsewhere", async () => {
  const answers: Record<string, Answer> = {
    header: { status: 404, headers: { "x-error-code": "zone_not_found" }, body: { error: "Zone not found." } },
    body: { status: 403, body: { error: "No.", code: "permission_missing" } },
    proxy: { status: 404, body: "<html>Not here</html>" },
  };
  await using server = await serve(({ url }) => answers[url.split("/").at(-1) ?? ""] ?? { body: {} });
  const client = createClient({ baseUrl: server.url, apiKey: KEY });
  const codeOf = (id: string) => client.zones.get(id).catch((error: unknown) => (error as TesseraError).code);
  expect([await codeOf("header"), await codeOf("body"), await codeOf("proxy")]).toEqual(["zone_not_found", "permission_missing", null]);
});

test("a board is read with its version", async () => {
  await using server = await serve(() => ({ headers: { etag: '"4"' }, body: { board: { id: "b", name: "Quay" } } }));
  expect(await createClient({ baseUrl: server.url, apiKey: KEY }).boards.get("b")).toEqual({ id: "b", name: "Quay", etag: '"4"' });
  expect(server.seen[0]).toMatchObject({ method: "GET", url: "/api/board/boards/b" });
});
