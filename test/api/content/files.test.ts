import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { checkBusinessAccess } from "#domain/core/access.ts";
import { exportBoard } from "#service/content/transfer/export.ts";
import { importBoard } from "#service/content/transfer/import.ts";
import { createClient } from "@tessera/sdk";
import { startRefreshing } from "#service/background/refresh.ts";
import { authorizeOn } from "../../support/boards.ts";
import { type TestService, startTestService } from "../../support/service.ts";
import { exchange, pour } from "../../support/clients/raw.ts";
import { sampleBytes } from "../../wire/support/wire.ts";

let service: TestService;
let files: string;

beforeAll(async () => {
  service = await startTestService({ ROLE: "api", MAX_FILE_BYTES: String(3 * 1_048_576) });
  files = `/api/board/${service.boardId}/files`;
});
afterAll(() => service.stop());

type Part = { readonly name: string; readonly filename?: string; readonly type?: string; readonly body: string | Uint8Array };

/** A form as a client writes it (RFC 7578). */
function formOf(parts: readonly Part[], boundary = "x1"): { readonly body: Buffer; readonly headers: Record<string, string> } {
  const pieces = parts.flatMap(({ name, filename, type, body }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}\r\n${
        type === undefined ? "" : `Content-Type: ${type}\r\n`
      }\r\n`,
    ),
    Buffer.from(body as string),
    Buffer.from("\r\n"),
  ]);
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  };
}

const send = (parts: readonly Part[], more: { key?: string; headers?: Record<string, string>; boundary?: string } = {}) => {
  const { body, headers } = formOf(parts, more.boundary);
  return service.call("POST", files, {
    ...(more.key === undefined ? {} : { key: more.key }),
    body,
    headers: { ...headers, ...more.headers },
  });
};
const file = (body: string | Uint8Array, filename = "notes.txt", type = "text/plain"): Part => ({ name: "file", filename, type, body });
const keptOf = (tileId: string) => service.appContext.deps.store.files.read(service.businessId, tileId);
const countTiles = async (): Promise<number> => (await service.call("GET", `/api/board/${service.boardId}/tiles`)).json.tiles.length;

describe("an upload", () => {
  test("becomes a processing tile, with its bytes kept as they came", async () => {
    const bytes = Buffer.from(Array.from({ length: 2_500_000 }, (_, i) => (i * 31) % 251));
    const { status, json } = await send([file(bytes, "C:\\\\plans\\\\harbour plan.bin", "application/octet-stream")]);
    expect(status).toBe(200);
    expect(json.tile).toMatchObject({
      type: "DOCUMENT",
      status: "processing",
      title: "harbour plan.bin",
      rawContent: "harbour plan.bin",
      sourceUrl: null,
      extractedText: "",
    });
    expect(Buffer.compare(Buffer.from((await keptOf(json.tile.id))!), bytes)).toBe(0);
  });

  test("takes zone and title, before the file or after it", async () => {
    const zone = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Plans" } })).json.zone.id;
    for (const parts of [
      [{ name: "zone_id", body: zone }, { name: "title", body: "By hand" }, file("Text")],
      [file("Text"), { name: "zoneId", body: zone }, { name: "title", body: "By hand" }],
    ])
      expect((await send(parts)).json.tile).toMatchObject({ zoneId: zone, title: "By hand" });
  });

  test.each([
    ["%PDF-1.7\n", "page.html", "text/html", "PDF"],
    ["\u0089PNG\r\n\u001a\n", "a.txt", "text/plain", "IMAGE"],
    ["<!doctype html><title>x</title>", "a.bin", "application/octet-stream", "WEBSITE"],
    ["Plain words.", "words", "", "DOCUMENT"],
    ["a,b\n1,2\n", "table.csv", "text/csv", "DOCUMENT"],
  ])("of %j called %s is told by its bytes", async (start, name, type, expected) => {
    expect((await send([file(Buffer.from(start, "latin1"), name, type)])).json.tile.type).toBe(expected);
  });

  test("is made once under an idempotency key, whatever the form's boundary", async () => {
    const headers = { "idempotency-key": "upload-1" };
    const first = await send([file("The same")], { headers });
    const before = await countTiles();
    const again = await send([file("The same")], { headers, boundary: "another" });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.json).toEqual(first.json);
    expect((await send([file("Another")], { headers })).status).toBe(409);
    expect(await countTiles()).toBe(before);
  });

  test("goes with its tile, and can be retried like a link", async () => {
    const { id } = (await send([file("Text")])).json.tile;
    expect((await service.call("POST", `/api/board/tiles/${id}/retry`)).status).toBe(409);
    await service.call("DELETE", `/api/board/tiles/${id}`);
    const { store } = service.appContext.deps;
    const later = Date.now() + 40 * 24 * 3_600_000;
    expect(await keptOf(id)).not.toBeNull();
    await store.purge(Date.now() + 1, later);
    expect(await keptOf(id)).toBeNull();
  });
});

describe("a form that can't be taken", () => {
  const twoFiles = [file("One"), file("Two", "two.txt")];
  test.each<readonly [string, readonly Part[], number, RegExp]>([
    ["without a file", [{ name: "title", body: "No file" }], 400, /^file is required\.$/],
    ["with an empty file", [file("")], 400, /^file must not be empty\.$/],
    ["with two files", twoFiles, 400, /one file/],
    ["with many fields", [file("x"), ...Array.from({ length: 20 }, (_, i) => ({ name: `f${i}`, body: "x" }))], 400, /few other fields/],
    ["with an endless field", [{ name: "title", body: "x".repeat(10_000) }, file("x")], 400, /^title is too long/],
    ["with a zone of another board", [{ name: "zone_id", body: "zon_none" }, file("x")], 400, /^The zone does not belong to this board\.$/],
    ["with too large a file", [file("x".repeat(3 * 1_048_576 + 1))], 413, /The maximum is 3 MiB\./],
  ])("%s is refused, and nothing of it is left", async (_, parts, status, message) => {
    const before = await countTiles();
    const answer = await send(parts);
    expect({ status: answer.status, error: answer.json.error }).toEqual({ status, error: expect.stringMatching(message) });
    expect(await countTiles()).toBe(before);
  });

  test.each([
    ["JSON", { body: { content: "x" } }, 415],
    ["no body at all", {}, 415],
    ["a form without a boundary", { body: "x", headers: { "content-type": "multipart/form-data" } }, 415],
    [
      "a form that ends in the middle",
      { body: "--x1\r\nContent-Disposition: form-data; na", headers: { "content-type": "multipart/form-data; boundary=x1" } },
      400,
    ],
    ["garbage", { body: "garbage", headers: { "content-type": "multipart/form-data; boundary=x1" } }, 400],
  ])("%s is refused", async (_, sent, status) => {
    const answer = await service.call("POST", files, sent);
    expect({ status: answer.status, error: typeof answer.json?.error }).toEqual({ status, error: "string" });
  });

  test("a body announced as huge is refused before it is read, and an endless one is cut", async () => {
    const { port } = new URL(service.url);
    const open = (headers: Record<string, string>) =>
      request({
        port,
        path: files,
        method: "POST",
        headers: { "x-api-key": service.key, "content-type": "multipart/form-data; boundary=x1", ...headers },
      });
    const announced = open({ "content-length": String(10 ** 9) });
    const status = await new Promise((resolve) => {
      announced.on("response", (response) => resolve(response.statusCode)).on("error", () => {});
      announced.write("--x1\r\n");
    });
    announced.destroy();
    expect(status).toBe(413);
    const endless = open({});
    endless.write(formOf([file("start")]).body.subarray(0, -10));
    let written = 0;
    const cut = await new Promise<number>((resolve) => {
      endless.on("response", (response) => resolve(response.statusCode ?? 0)).on("error", () => resolve(0));
      const pump = (): void => {
        if (written > 40 * 1_048_576 || endless.destroyed) return;
        written += 65_536;
        endless.write(Buffer.alloc(65_536, 0x61), pump);
      };
      pump();
    });
    endless.destroy();
    expect(cut).toBe(413);
    expect(written).toBeLessThan(20 * 1_048_576);
  });

  test("the connection ends with the refusal of a body announced as too large, however much is still sent", async () => {
    const announced = 60 * 1_048_576;
    const head = `POST ${files} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.key}\r\nContent-Type: multipart/form-data; boundary=x1\r\n`;
    // What is poured is framed as chunks, which counts as bytes of the announced body.
    const answer = await pour(service.url, `${head}Content-Length: ${announced}\r\n\r\n`, Buffer.alloc(65_536, 0x61), announced);
    expect([answer.isCut, answer.sent < 16 * 1_048_576]).toEqual([true, true]);
    // A client that is still sending may lose the answer to the reset; one that sends only the head reads all of it.
    const refused = await exchange(service.url, `${head}Content-Length: ${announced}\r\n\r\n`);
    expect(refused.status).toBe(413);
    expect(refused.head.toLowerCase()).toContain("\r\nconnection: close");
    expect(refused.body).toBe('{"error":"The file is too large. The maximum is 3 MiB."}');
  });
});

test("The client uploads a file, and retries what failed.", async () => {
  const client = createClient({ baseUrl: service.url, apiKey: service.key });
  const upload = () =>
    client.tiles.upload(
      service.boardId,
      { file: new Blob(["Some words"]), name: "words.txt", title: "By hand" },
      { idempotencyKey: "client" },
    );
  const tile = await upload();
  expect(tile).toMatchObject({ status: "processing", type: "DOCUMENT", title: "By hand", rawContent: "words.txt" });
  expect((await upload()).id).toBe(tile.id);
  expect(await client.tiles.retryFailed(service.boardId)).toBe(0);
});

describe("an upload that is read", () => {
  let whole: TestService;
  beforeAll(async () => {
    whole = await startTestService();
  });
  afterAll(() => whole.stop());

  const upload = async (parts: readonly Part[]): Promise<any> => {
    const { body, headers } = formOf(parts);
    const { json } = await whole.call("POST", `/api/board/${whole.boardId}/files`, { body, headers });
    return (await whole.call("GET", `/api/board/tiles/${json.tile.id}?wait=25`)).json.tile;
  };

  test("is ready with its words, and again after a retry", async () => {
    const words = "The harbour gate opens at six.\n\nIt closes at nine.";
    const tile = await upload([file(words, "gate.txt")]);
    expect(tile).toMatchObject({
      status: "ready",
      type: "DOCUMENT",
      title: "gate.txt",
      rawContent: "gate.txt",
      extractedText: words,
      error: null,
    });
    expect((await whole.call("POST", `/api/board/tiles/${tile.id}/retry`)).status).toBe(200);
    expect((await whole.call("GET", `/api/board/tiles/${tile.id}?wait=25`)).json.tile).toMatchObject({
      status: "ready",
      extractedText: words,
    });
  });

  test("goes through the same extractors as a link to such a file", async () => {
    expect(await upload([file(sampleBytes("doc.pdf"), "a.bin", "application/octet-stream")])).toMatchObject({
      status: "ready",
      type: "PDF",
    });
    expect(await upload([file(sampleBytes("doc.docx"), "a.docx", "")])).toMatchObject({ status: "ready", type: "DOCUMENT" });
    const page = `<html><title>Harbour</title><body><article><h1>Harbour</h1><p>${"The gate opens at six. ".repeat(30)}</p></article></body></html>`;
    expect(await upload([file(page, "page.html", "text/html")])).toMatchObject({ status: "ready", type: "WEBSITE", title: "Harbour" });
    const feed = '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>One</title></item></channel></rss>';
    expect(await upload([file(feed, "news.xml", "application/xml")])).toMatchObject({ status: "ready", type: "FEED", title: "News" });
  });

  test("is exported without its bytes: what was read stands, what was not is told to be uploaded again", async () => {
    await upload([file("Words of a note that was read.", "read.txt")]);
    const { deps } = whole.appContext;
    const actor = { kind: "operator", businessId: whole.businessId } as const;
    const boards = await deps.store.boards.list(whole.businessId);
    const business = (await deps.store.boards.business(whole.businessId))!;
    const lines: string[] = [];
    for await (const text of exportBoard(deps, authorizeOn(boards[0]!))) lines.push(text);
    const failed = lines.map((text) => (text.includes("read.txt") ? text.replace('"status":"ready"', '"status":"failed"') : text));
    const timed = [
      ...failed,
      lines.find((text) => text.includes("read.txt"))!.replace('"segments":[]', '"segments":[{"start":0,"end":5,"seconds":7}]'),
    ];
    const made = await importBoard(deps, checkBusinessAccess(actor, business, "manage"), {
      name: "Copy",
      lines: (async function* () {
        yield* timed;
      })(),
      authorize: async (board) => authorizeOn(board),
    });
    const { tiles } = await deps.store.tiles.list(authorizeOn(made.board), { order: "asc", withText: true }, null, 100, 1_000_000);
    const copies = await Promise.all(
      tiles.filter(({ title }) => title === "read.txt").map(({ id }) => deps.store.tiles.find(whole.businessId, id)),
    );
    expect(copies).toMatchObject([
      { status: "failed", error: { code: "file_missing" }, extractedText: "" },
      { status: "ready", extractedText: "Words of a note that was read.", segments: [{ start: 0, end: 5, seconds: 7 }] },
    ]);
  });

  test("that holds nothing readable fails with a sentence", async () => {
    const tile = await upload([
      file(
        Uint8Array.from({ length: 500 }, (_, i) => (i * 37) % 256),
        "odd.bin",
        "application/octet-stream",
      ),
    ]);
    expect(tile).toMatchObject({
      type: "DOCUMENT",
      status: "failed",
      error: {
        code: "unsupported_content",
        message: "This is a binary file; its text can't be read. Paste the part you need as a text tile.",
      },
    });
  });
});

describe("reading links again", () => {
  const PATH = (): string => `/api/board/tiles/${linkId}`;
  let linkId: string;
  beforeAll(async () => {
    const made = await service.call("POST", "/api/inbound/tiles", {
      body: { board_id: service.boardId, url: "https://feeds.example/feed.xml" },
    });
    linkId = made.json.tile.id;
  });

  test("is set on a link and taken back, and refused for text and for odd times", async () => {
    expect((await service.call("PATCH", PATH(), { body: { refresh_minutes: 60 } })).json.tile.refreshMinutes).toBe(60);
    expect((await service.call("GET", PATH())).json.tile.refreshMinutes).toBe(60);
    for (const refresh_minutes of [0, 14, 1.5, "soon", 43_201]) {
      const answer = await service.call("PATCH", PATH(), { body: { refresh_minutes } });
      expect({ status: answer.status, error: answer.json.error }).toEqual({
        status: 400,
        error: expect.stringMatching(/^refresh_minutes /),
      });
    }
    expect((await service.call("PATCH", PATH(), { body: { refresh_minutes: null } })).json.tile.refreshMinutes).toBeUndefined();
    const text = (await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "Text" } })).json.tile.id;
    const refused = await service.call("PATCH", `/api/board/tiles/${text}`, { body: { refresh_minutes: 60 } });
    expect({ status: refused.status, error: refused.json.error }).toEqual({
      status: 400,
      error: "refresh_minutes needs a link; this tile has none.",
    });
  });

  test("happens when it is due, and at no other time", async () => {
    const { store } = service.appContext.deps;
    const { json } = await service.call("POST", "/api/inbound/tiles", { body: { board_id: service.boardId, url: "https://due.example/" } });
    const tileId = json.tile.id;
    const finish = async (): Promise<void> => {
      const jobs = await store.queue.claim(100, 100, Date.now());
      for (const job of jobs) {
        if (job.tileId !== tileId) continue;
        await store.queue.complete(job, { type: "FEED", title: "Feed", text: "Words", metadata: {}, warnings: [] }, Date.now());
      }
      await store.queue.release(
        jobs.filter((job) => job.tileId !== tileId),
        Date.now(),
      );
    };
    await finish();
    const errors: unknown[] = [];
    const looks = vi.spyOn(store.tiles, "takeDueRefreshes");
    /** Waits for a look at the due tiles that both began and ended after this call: the second one begins when the first has ended. */
    const waitForLook = async (): Promise<void> => {
      const before = looks.mock.calls.length;
      await expect.poll(() => looks.mock.calls.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(before + 2);
    };
    const refreshing = startRefreshing(service.appContext.deps, { error: (fields) => void errors.push(fields) }, 20);
    try {
      await service.call("PATCH", `/api/board/tiles/${tileId}`, { body: { refresh_minutes: 15 } });
      await waitForLook();
      expect((await service.call("GET", `/api/board/tiles/${tileId}`)).json.tile.status).toBe("ready");
      const board = (await store.boards.find(service.businessId, service.boardId))!;
      await store.tiles.update(authorizeOn(board), tileId, { refreshMinutes: null }, Date.now());
      await store.tiles.update(authorizeOn(board), tileId, { refreshMinutes: 15 }, Date.now() - 15 * 60_000);
      await expect
        .poll(async () => (await service.call("GET", `/api/board/tiles/${tileId}`)).json.tile.status, { timeout: 20_000 })
        .toBe("processing");
      await finish();
      await waitForLook();
      expect((await service.call("GET", `/api/board/tiles/${tileId}`)).json.tile.status).toBe("ready");
      expect(errors).toEqual([]);
    } finally {
      await refreshing.stop();
      looks.mockRestore();
    }
  });

  test("starts every failed tile of the board anew, and no other", async () => {
    const { store } = service.appContext.deps;
    const failedIds: string[] = [];
    for (let i = 0; i < 3; i++)
      failedIds.push(
        (await service.call("POST", "/api/inbound/tiles", { body: { board_id: service.boardId, url: `https://gone${i}.example/` } })).json
          .tile.id,
      );
    const jobs = await store.queue.claim(100, 100, Date.now());
    for (const job of jobs)
      if (failedIds.includes(job.tileId))
        await store.queue.fail(job, { code: "not_found", message: "Gone.", stage: "fetch", retryable: false, attempts: 1 }, Date.now());
    expect((await service.call("POST", `/api/board/${service.boardId}/tiles/retry`)).json).toEqual({ retried: 3 });
    expect((await service.call("POST", `/api/board/${service.boardId}/tiles/retry`)).json).toEqual({ retried: 0 });
    for (const id of failedIds)
      expect((await service.call("GET", `/api/board/tiles/${id}`)).json.tile).toMatchObject({ id, status: "processing", error: null });
  });
});
