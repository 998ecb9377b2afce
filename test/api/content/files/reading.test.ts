import { afterAll, beforeAll, expect, test } from "vitest";
import { checkBusinessAccess } from "#domain/core/access.ts";
import { exportBoard } from "#service/content/transfer/export.ts";
import { importBoard } from "#service/content/transfer/import.ts";
import { authorizeOn } from "../../../support/boards.ts";
import { type TestService, startTestService } from "../../../support/service.ts";
import { sampleBytes } from "../../../wire/support/wire.ts";
import { type Part, encodeForm, file, useFileService } from "./file-service.ts";

useFileService();

let whole: TestService;
beforeAll(async () => {
  whole = await startTestService();
});
afterAll(() => whole.stop());

const upload = async (parts: readonly Part[]): Promise<any> => {
  const { body, headers } = encodeForm(parts);
  const { json } = await whole.call("POST", `/api/board/${whole.boardId}/files`, { body, headers });
  return (await whole.call("GET", `/api/board/tiles/${json.tile.id}?wait=25`)).json.tile;
};

test("reading an upload makes it ready with its text, and again after a retry", async () => {
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

test("reading an upload uses the same extractors as a link to such a file", async () => {
  expect(await upload([file(sampleBytes("documents/doc.pdf"), "a.bin", "application/octet-stream")])).toMatchObject({
    status: "ready",
    type: "PDF",
  });
  expect(await upload([file(sampleBytes("documents/doc.docx"), "a.docx", "")])).toMatchObject({ status: "ready", type: "DOCUMENT" });
  const page = `<html><title>Harbour</title><body><article><h1>Harbour</h1><p>${"The gate opens at six. ".repeat(30)}</p></article></body></html>`;
  expect(await upload([file(page, "page.html", "text/html")])).toMatchObject({ status: "ready", type: "WEBSITE", title: "Harbour" });
  const feed = '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>One</title></item></channel></rss>';
  expect(await upload([file(feed, "news.xml", "application/xml")])).toMatchObject({ status: "ready", type: "FEED", title: "News" });
});

test("reading an upload is not repeated on import: exports have the extracted text, and unread files are reported for upload", async () => {
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
    lines
      .find((text) => text.includes("read.txt"))!
      .replace('"status":"ready"', '"status":"ready","segments":[{"start":0,"end":5,"seconds":7}]'),
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

test("reading an upload without readable content fails with a message", async () => {
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
