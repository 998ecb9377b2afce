import { describe, expect, test } from "vitest";
import { send } from "../../support/clients/raw.ts";
import { UNKNOWN_TARGET } from "../../support/test-data.ts";
import { quiet, zoneId, otherZoneId, FOREIGN_ZONE, post, read, useInboundService } from "./support/inbound-service.ts";

useInboundService();

describe("one tile", () => {
  test("with content is a ready text tile, and the tile of the response has exactly three fields", async () => {
    const { status, json } = await post({ board_id: quiet.boardId, content: "Hello", zone_id: zoneId });
    expect([status, json]).toEqual([200, { tile: { id: expect.stringMatching(/^til_/), status: "ready", type: "TEXT" }, created: true }]);
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
  ])("with the link %s is a processing tile of type %s", async (url, type) => {
    const { status, json } = await post({ board_id: quiet.boardId, url });
    expect([status, json]).toEqual([200, { tile: { id: expect.stringMatching(/^til_/), status: "processing", type }, created: true }]);
    const full = url.startsWith("http") ? url : `https://${url}`;
    expect(await read(json.tile.id)).toMatchObject({ title: full, rawContent: full, sourceUrl: full, extractedText: "" });
  });

  test("treats empty strings as absent and accepts camelCase aliases", async () => {
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
    [{ board_id: "HERE", content: "c", zone_id: UNKNOWN_TARGET.zoneId }, FOREIGN_ZONE],
    [{ board_id: "HERE", url: "https://example.com", zone_id: UNKNOWN_TARGET.zoneId }, FOREIGN_ZONE],
  ])("is rejected with %j: %s", async (body, message) => {
    const { status, json } = await post({
      ...body,
      ...("board_id" in body && body.board_id === "HERE" ? { board_id: quiet.boardId } : {}),
    });
    expect([status, json]).toEqual([400, { error: message }]);
  });

  test("validates the body before scope, scope before existence, existence before the zone", async () => {
    const { key } = await quiet.newKey({ boardId: quiet.boardId, permission: "inbound" });
    const board = UNKNOWN_TARGET.boardId;
    const answers = [
      await post({ board_id: board }, { key }),
      await post({ board_id: board, url: "ftp://x" }, { key }),
      await post({ board_id: board, content: "c", zone_id: UNKNOWN_TARGET.zoneId }, { key }),
      await post({ board_id: board, content: "c", zone_id: UNKNOWN_TARGET.zoneId }),
      await post({ board_id: quiet.boardId, content: "c", zone_id: otherZoneId }, { key }),
    ];
    expect(answers.map(({ status, json }) => [status, json.error])).toEqual([
      [400, "Either content or url must be provided."],
      [400, "url must be an http or https address."],
      [403, "This API key is not authorized for this board."],
      [404, "Board not found."],
      [400, FOREIGN_ZONE],
    ]);
  });

  test("is updated by its external_id, from text to link and back", async () => {
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

describe("body formats", () => {
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
  ])("include JSON with %s", async (type) => expectTile(await post(JSON.stringify(fields()), { headers: { "content-type": type } })));

  test("include JSON without a media type, with an invalid one, and with a byte order mark", async () => {
    const bare = await send(quiet.url, "POST", "/api/inbound/tiles", { "x-api-key": quiet.key }, JSON.stringify(fields()));
    expect(bare.status).toBe(200);
    for (const type of ["", "json", "/", "application/json, application/json"]) {
      await expectTile(await post(JSON.stringify(fields()), { headers: { "content-type": type } }));
    }
    await expectTile(await post(`\ufeff${JSON.stringify(fields())}`));
  });

  test("include form fields, URL-encoded and multipart", async () => {
    await expectTile(
      await post(new URLSearchParams(fields()).toString(), { headers: { "content-type": "application/x-www-form-urlencoded" } }),
    );
    const form = new FormData();
    for (const [name, value] of Object.entries(fields())) form.append(name, value);
    const multipart = new Response(form);
    const type = multipart.headers.get("content-type") ?? "";
    await expectTile(await post(new Uint8Array(await multipart.arrayBuffer()), { headers: { "content-type": type } }));
  });

  test("that cannot be parsed return 400, and forms with too many fields are rejected early", async () => {
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

  test("of other endpoints are JSON only", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"]) {
      const { status, json } = await quiet.call("POST", `/api/board/${quiet.boardId}/tiles`, {
        body: '{"content":"c"}',
        headers: { "content-type": type },
      });
      expect([status, json]).toEqual([415, { error: "Send the request body as application/json." }]);
    }
  });
});
