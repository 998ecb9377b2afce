import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send } from "../../support/clients/raw.ts";
import { type TestService, startTestService } from "../../support/service.ts";
import { NOBODY } from "../../support/world.ts";

const PAGE = `<!doctype html><html><head><title>Tides of the harbour</title></head><body><article><h1>Tides of the harbour</h1>
<p>${"The tide turns at noon and the ferries wait for it, as they have always done. ".repeat(12)}</p></article></body></html>`;

const pages = createServer((request, response) => {
  const isPage = request.url?.startsWith("/page") === true;
  response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8" }).end(isPage ? PAGE : "nothing");
});

/** `quiet` works on nothing in the background; `busy` fetches the pages above. */
let quiet: TestService;
let busy: TestService;
let origin: string;
let zoneId: string;
let otherZoneId: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(pages.address() as AddressInfo).port}`;
  origin = `http://${host}`;
  quiet = await startTestService({ ROLE: "api" });
  busy = await startTestService({ FETCH_ALLOW: host, INGEST_ATTEMPTS: "1" });
  zoneId = (await quiet.call("POST", `/api/board/${quiet.boardId}/zones`, { body: { name: "Zone" } })).json.zone.id;
  const { id } = (await quiet.call("POST", "/api/board/boards", { body: { name: "Other" } })).json.board;
  otherZoneId = (await quiet.call("POST", `/api/board/${id}/zones`, { body: { name: "Foreign" } })).json.zone.id;
});
afterAll(async () => {
  await Promise.all([quiet.stop(), busy.stop()]);
  pages.closeAllConnections();
  pages.close();
});

const ELSEWHERE = "The zone does not belong to this board.";
const post = (body: unknown, more: { key?: string; headers?: Record<string, string> } = {}) =>
  quiet.call("POST", "/api/inbound/tiles", { body, ...more });
const read = async (id: string): Promise<any> => (await quiet.call("GET", `/api/board/tiles/${id}`)).json.tile;

describe("one tile", () => {
  test("Content makes a text tile that is ready, answered in exactly three fields.", async () => {
    const { status, json } = await post({ board_id: quiet.boardId, content: "Hello", zone_id: zoneId });
    expect([status, json]).toEqual([200, { tile: { id: expect.stringMatching(/^til_/), status: "ready", type: "TEXT" } }]);
    expect(await read(json.tile.id)).toMatchObject({
      zoneId,
      title: "Untitled note",
      rawContent: "Hello",
      extractedText: "Hello",
      sourceUrl: null,
    });
  });

  test.each([
    ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", "YOUTUBE"],
    ["https://www.tiktok.com/@someone/video/7123456789012345678", "TIKTOK"],
    ["https://x.com/someone/status/1234567890", "X"],
    ["https://example.com/a/page", "WEBSITE"],
    ["example.com/no-scheme", "WEBSITE"],
  ])("The link %s is a processing tile of type %s at once.", async (url, type) => {
    const { status, json } = await post({ board_id: quiet.boardId, url });
    expect([status, json]).toEqual([200, { tile: { id: expect.stringMatching(/^til_/), status: "processing", type } }]);
    const full = url.startsWith("http") ? url : `https://${url}`;
    expect(await read(json.tile.id)).toMatchObject({ title: full, rawContent: full, sourceUrl: full, extractedText: "" });
  });

  test("An empty string means absent, and camelCase aliases are taken.", async () => {
    const { json } = await post({ boardId: quiet.boardId, zoneId: "", url: "", content: "c", title: "", externalId: "" });
    expect(await read(json.tile.id)).toMatchObject({ zoneId: null, title: "Untitled note", externalId: null, rawContent: "c" });
    const titled = await post({ board_id: quiet.boardId, url: "https://example.com/", content: null, title: "Mine" });
    expect(await read(titled.json.tile.id)).toMatchObject({ title: "Mine", sourceUrl: "https://example.com/" });
  });

  test.each([
    [{ content: "c" }, "board_id is required."],
    [{}, "board_id is required."],
    [{ board_id: "" }, "board_id is required."],
    [{ board_id: "  ", content: "c" }, "board_id is required."],
    [{ board_id: null, content: "c" }, "board_id is required."],
    [{ board_id: 5, content: "c" }, "board_id must be a string."],
    [{ board_id: "HERE" }, "Either content or url must be provided."],
    [{ board_id: "HERE", content: "", url: " " }, "Either content or url must be provided."],
    [{ board_id: "HERE", content: null, url: null }, "Either content or url must be provided."],
    [{ board_id: "HERE", content: "c", url: "https://example.com" }, "Provide either content or url, not both."],
    [{ board_id: "HERE", url: "ftp://example.com/x" }, "url must be an http or https address."],
    [{ board_id: "HERE", url: "javascript:alert(1)" }, "url must be an http or https address."],
    [{ board_id: "HERE", url: "http://" }, "url must be an http or https address."],
    [{ board_id: "HERE", url: "https://user:pass@example.com/" }, "url must not carry credentials."],
    [{ board_id: "HERE", url: `https://example.com/${"x".repeat(2_048)}` }, "url is too long."],
    [{ board_id: "HERE", url: "http://127.0.0.1/" }, "url points inside the network."],
    [{ board_id: "HERE", url: "http://[::1]:8080/" }, "url points inside the network."],
    [{ board_id: "HERE", url: "http://2130706433/" }, "url points inside the network."],
    [{ board_id: "HERE", url: "http://169.254.169.254/latest" }, "url points inside the network."],
    [{ board_id: "HERE", url: 5 }, "url must be a string."],
    [{ board_id: "HERE", content: "\ud800" }, "content must be valid Unicode without NUL."],
    [{ board_id: "HERE", content: "c", zone_id: NOBODY.zoneId }, ELSEWHERE],
    [{ board_id: "HERE", url: "https://example.com", zone_id: NOBODY.zoneId }, ELSEWHERE],
  ])("%j is refused: %s", async (body, message) => {
    const { status, json } = await post({
      ...body,
      ...("board_id" in body && body.board_id === "HERE" ? { board_id: quiet.boardId } : {}),
    });
    expect([status, json]).toEqual([400, { error: message }]);
  });

  test("The body is judged before scope, scope before existence, existence before the zone.", async () => {
    const { key } = await quiet.newKey({ boardId: quiet.boardId, permission: "inbound" });
    const board = NOBODY.boardId;
    const answers = [
      await post({ board_id: board }, { key }),
      await post({ board_id: board, url: "ftp://x" }, { key }),
      await post({ board_id: board, content: "c", zone_id: NOBODY.zoneId }, { key }),
      await post({ board_id: board, content: "c", zone_id: NOBODY.zoneId }),
      await post({ board_id: quiet.boardId, content: "c", zone_id: otherZoneId }, { key }),
    ];
    expect(answers.map(({ status, json }) => [status, json.error])).toEqual([
      [400, "Either content or url must be provided."],
      [400, "url must be an http or https address."],
      [403, "This API key is not authorized for this board."],
      [404, "Board not found."],
      [400, ELSEWHERE],
    ]);
  });

  test("The same external_id updates the same tile, from text to link and back.", async () => {
    const feed = async (fields: object): Promise<string> =>
      (await post({ board_id: quiet.boardId, external_id: "feed-1", ...fields })).json.tile.id;
    const id = await feed({ content: "one" });
    expect(await feed({ content: "two", title: "Mine" })).toBe(id);
    expect(await read(id)).toMatchObject({ extractedText: "two", title: "Mine", status: "ready" });
    expect(await feed({ url: "https://example.com/x" })).toBe(id);
    expect(await read(id)).toMatchObject({ type: "WEBSITE", status: "processing", title: "Mine", sourceUrl: "https://example.com/x" });
    expect(await feed({ content: "three" })).toBe(id);
    expect(await read(id)).toMatchObject({ type: "TEXT", status: "ready", extractedText: "three", sourceUrl: null });
  });
});

describe("ways to send a body", () => {
  const fields = (): Record<string, string> => ({ board_id: quiet.boardId, content: "a & b = c", title: "Grüße 😀", url: "" });
  const expectTile = async (answer: Awaited<ReturnType<typeof post>>): Promise<void> => {
    expect([answer.status, answer.json?.tile?.type]).toEqual([200, "TEXT"]);
    expect(await read(answer.json.tile.id)).toMatchObject({ rawContent: "a & b = c", title: "Grüße 😀" });
  };

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "text/plain",
    "text/plain;charset=UTF-8",
    "application/octet-stream",
    "application/x-www-form-urlencoded",
    "application/vnd.api+json",
    "application/xml",
  ])("JSON is read under %s.", async (type) => expectTile(await post(JSON.stringify(fields()), { headers: { "content-type": type } })));

  test("JSON is read without a media type, under a header that is none, and with a byte order mark.", async () => {
    const bare = await send(quiet.url, "POST", "/api/inbound/tiles", { "x-api-key": quiet.key }, JSON.stringify(fields()));
    expect(bare.status).toBe(200);
    for (const type of ["", "json", "/", "application/json, application/json"]) {
      await expectTile(await post(JSON.stringify(fields()), { headers: { "content-type": type } }));
    }
    await expectTile(await post(`\ufeff${JSON.stringify(fields())}`));
  });

  test("Form fields are read, URL-encoded and multipart.", async () => {
    await expectTile(
      await post(new URLSearchParams(fields()).toString(), { headers: { "content-type": "application/x-www-form-urlencoded" } }),
    );
    const form = new FormData();
    for (const [name, value] of Object.entries(fields())) form.append(name, value);
    const multipart = new Response(form);
    const type = multipart.headers.get("content-type") ?? "";
    await expectTile(await post(new Uint8Array(await multipart.arrayBuffer()), { headers: { "content-type": type } }));
  });

  test("What can't be read is 400, and a form with very many fields is refused before it is read.", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const parts = { "content-type": "multipart/form-data; boundary=b" };
    expect((await post("not json", { headers: { "content-type": "text/plain" } })).json).toEqual({
      error: "The request body is not valid JSON.",
    });
    expect((await post("nonsense", { headers: parts })).json).toEqual({ error: "The form could not be read." });
    expect((await post("nonsense", { headers: { "content-type": "multipart/form-data" } })).status).toBe(400);
    expect((await post("a=1", { headers: form })).json).toEqual({ error: "board_id is required." });
    const many = { error: "The form has too many fields. The maximum is 1,000." };
    expect((await post("a&".repeat(4_000_000), { headers: form })).json).toEqual(many);
    expect((await post('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(200_000), { headers: parts })).json).toEqual(
      many,
    );
  });

  test("The other calls read JSON alone.", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"]) {
      const { status, json } = await quiet.call("POST", `/api/board/${quiet.boardId}/tiles`, {
        body: '{"content":"c"}',
        headers: { "content-type": type },
      });
      expect([status, json]).toEqual([415, { error: "Send the request body as application/json." }]);
    }
  });
});

describe("batch", () => {
  const batch = (tiles: unknown, key = quiet.key) => quiet.call("POST", "/api/inbound/tiles/batch", { body: { tiles }, key });

  test("Each item is answered in its place, and a refused one does not hold up the others.", async () => {
    const here = { board_id: quiet.boardId };
    const other = await quiet.newBusiness("Elsewhere");
    const { json, status } = await batch([
      { ...here, content: "first" },
      { content: "no board" },
      { ...here },
      { ...here, content: "c", url: "https://example.com" },
      { ...here, url: "https://example.com/second" },
      { ...here, url: "http://10.0.0.1/" },
      { ...here, content: "c", zone_id: otherZoneId },
      { board_id: NOBODY.boardId, content: "c" },
      { board_id: other.boardId, content: "c" },
      "text",
      null,
      { boardId: quiet.boardId, content: "last", zoneId },
    ]);
    expect(status).toBe(200);
    expect(json.results).toEqual([
      { tile: { id: expect.any(String), status: "ready", type: "TEXT" } },
      { error: "board_id is required." },
      { error: "Either content or url must be provided." },
      { error: "Provide either content or url, not both." },
      { tile: { id: expect.any(String), status: "processing", type: "WEBSITE" } },
      { error: "url points inside the network." },
      { error: ELSEWHERE },
      { error: "Board not found." },
      { error: "Board not found." },
      { error: "The request body must be a JSON object." },
      { error: "The request body must be a JSON object." },
      { tile: { id: expect.any(String), status: "ready", type: "TEXT" } },
    ]);
    expect((await read(json.results[0].tile.id)).extractedText).toBe("first");
    expect(await read(json.results[11].tile.id)).toMatchObject({ extractedText: "last", zoneId });
  });

  test("A key of one board feeds that board alone.", async () => {
    const { id } = (await quiet.call("POST", "/api/board/boards", { body: { name: "Fed" } })).json.board;
    const { key } = await quiet.newKey({ boardId: id, permission: "inbound" });
    const { json } = await batch(
      [
        { board_id: id, content: "c" },
        { board_id: quiet.boardId, content: "c" },
        { board_id: NOBODY.boardId, content: "c" },
      ],
      key,
    );
    const refusal = { error: "This API key is not authorized for this board." };
    expect(json.results).toEqual([{ tile: expect.anything() }, refusal, refusal]);
  });

  test("The same external_id twice in one batch is one tile.", async () => {
    const item = { board_id: quiet.boardId, external_id: "twice" };
    const { results } = (
      await batch([
        { ...item, content: "a" },
        { ...item, content: "b" },
      ])
    ).json;
    expect(results[0].tile.id).toBe(results[1].tile.id);
    expect((await read(results[0].tile.id)).extractedText).toBe("b");
  });

  test.each([
    [undefined, "tiles is required."],
    [null, "tiles is required."],
    [[], "tiles must not be empty."],
    ["x", "tiles must be an array."],
    [{}, "tiles must be an array."],
    [Array.from({ length: 501 }, () => ({})), "tiles has too many items. The maximum is 500."],
  ])("A batch of %j is refused: %s", async (tiles, message) => {
    const { status, json } = await batch(tiles);
    expect([status, json]).toEqual([400, { error: message }]);
  });

  test("Five hundred items are taken.", async () => {
    const { results } = (await batch(Array.from({ length: 500 }, (_, i) => ({ board_id: quiet.boardId, content: `n${i}` })))).json;
    expect(new Set(results.map(({ tile }: any) => tile.id)).size).toBe(500);
  });
});

describe("links, with the worker running", () => {
  const add = async (path: string, fields: object = {}): Promise<string> =>
    (await busy.call("POST", "/api/inbound/tiles", { body: { board_id: busy.boardId, url: origin + path, ...fields } })).json.tile.id;
  const settled = async (id: string): Promise<any> => (await busy.call("GET", `/api/board/tiles/${id}?wait=25`)).json.tile;

  test("A page becomes ready with its own title and text; a caller's title stays.", async () => {
    const [page, titled] = [await add("/page"), await add("/page-2", { title: "Mine" })];
    const tile = await settled(page);
    expect(tile, JSON.stringify(tile.error)).toMatchObject({
      status: "ready",
      title: "Tides of the harbour",
      rawContent: `${origin}/page`,
      error: null,
    });
    expect(tile.extractedText).toContain("The tide turns at noon");
    expect(await settled(titled)).toMatchObject({ status: "ready", title: "Mine" });
    const again = await busy.call("POST", `/api/board/tiles/${page}/retry`);
    expect([again.status, again.json.tile.status]).toEqual([200, "processing"]);
    expect((await settled(page)).status).toBe("ready");
  });

  test("A page that is not there ends as failed, in words, and can be retried.", async () => {
    const id = await add("/missing");
    expect(await settled(id)).toMatchObject({
      status: "failed",
      error: {
        code: expect.any(String),
        message: expect.any(String),
        stage: expect.any(String),
        retryable: expect.any(Boolean),
        attempts: 1,
      },
    });
    const again = await busy.call("POST", `/api/board/tiles/${id}/retry`);
    expect([again.status, again.json.tile.status, again.json.tile.error]).toEqual([200, "processing", null]);
    expect((await settled(id)).status).toBe("failed");
    expect((await busy.call("PATCH", `/api/board/tiles/${id}`, { body: { content: "By hand" } })).json.tile).toMatchObject({
      status: "ready",
      error: null,
      extractedText: "By hand",
    });
  });
});
