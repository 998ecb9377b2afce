import { request } from "node:http";
import { expect, test } from "vitest";
import { createClient } from "@tessera-board/sdk";
import { exchange, pour } from "../../../support/clients/raw.ts";
import { service, files, type Part, encodeForm, send, file, readStoredFile, countTiles, useFileService } from "./file-service.ts";

useFileService();

test("an upload becomes a processing tile, with its bytes unchanged", async () => {
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
  expect(Buffer.compare(Buffer.from((await readStoredFile(json.tile.id))!), bytes)).toBe(0);
});

test("an upload accepts zone and title before and after the file", async () => {
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
])("an upload of %j named %s is recognised by its bytes", async (start, name, type, expected) => {
  expect((await send([file(Buffer.from(start, "latin1"), name, type)])).json.tile.type).toBe(expected);
});

test("an upload is created once per idempotency key, whatever the form's boundary", async () => {
  const headers = { "idempotency-key": "upload-1" };
  const first = await send([file("The same")], { headers });
  const before = await countTiles();
  const again = await send([file("The same")], { headers, boundary: "another" });
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.json).toEqual(first.json);
  expect((await send([file("Another")], { headers })).status).toBe(409);
  expect(await countTiles()).toBe(before);
});

test("an upload is deleted with its tile, and can be retried like a link", async () => {
  const { id } = (await send([file("Text")])).json.tile;
  expect((await service.call("POST", `/api/board/tiles/${id}/retry`)).status).toBe(409);
  await service.call("DELETE", `/api/board/tiles/${id}`);
  const { store } = service.appContext.deps;
  const later = Date.now() + 40 * 24 * 3_600_000;
  expect(await readStoredFile(id)).not.toBeNull();
  await store.purge(Date.now() + 1, later);
  expect(await readStoredFile(id)).toBeNull();
});

const twoFiles = [file("One"), file("Two", "two.txt")];
test.each<readonly [string, readonly Part[], number, RegExp]>([
  ["without a file", [{ name: "title", body: "No file" }], 400, /^file is required\.$/],
  ["with an empty file", [file("")], 400, /^file must not be empty\.$/],
  ["with two files", twoFiles, 400, /one file/],
  [
    "with more fields than tags are allowed",
    [file("x"), ...Array.from({ length: 101 }, (_, i) => ({ name: `f${i}`, body: "x" }))],
    400,
    /few other fields/,
  ],
  ["with an endless field", [{ name: "title", body: "x".repeat(10_000) }, file("x")], 400, /^title is too long/],
  ["with a zone of another board", [{ name: "zone_id", body: "zon_none" }, file("x")], 400, /^The zone does not belong to this board\.$/],
  ["with too large a file", [file("x".repeat(3 * 1_048_576 + 1))], 413, /The maximum is 3 MiB\./],
])("an upload %s is rejected, and nothing is stored", async (_, parts, status, message) => {
  const before = await countTiles();
  const answer = await send(parts);
  expect({ status: answer.status, error: answer.json.error }).toEqual({ status, error: expect.stringMatching(message) });
  expect(await countTiles()).toBe(before);
});

test.each([
  ["JSON", { body: { content: "x" } }, 415],
  ["no body", {}, 415],
  ["a form without a boundary", { body: "x", headers: { "content-type": "multipart/form-data" } }, 415],
  [
    "a form that ends in the middle",
    { body: "--x1\r\nContent-Disposition: form-data; na", headers: { "content-type": "multipart/form-data; boundary=x1" } },
    400,
  ],
  ["garbage", { body: "garbage", headers: { "content-type": "multipart/form-data; boundary=x1" } }, 400],
])("%s is rejected as an upload", async (_, sent, status) => {
  const answer = await service.call("POST", files, sent);
  expect({ status: answer.status, error: typeof answer.json?.error }).toEqual({ status, error: "string" });
});

test("an upload declared as huge is rejected before it is read, and an endless one is cut off", async () => {
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
  endless.write(encodeForm([file("start")]).body.subarray(0, -10));
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

test("an upload declared as too large ends the connection, however much is still sent", async () => {
  const announced = 60 * 1_048_576;
  const head = `POST ${files} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.key}\r\nContent-Type: multipart/form-data; boundary=x1\r\n`;
  // The streamed data is framed as chunks, which count towards the declared body.
  const answer = await pour(service.url, `${head}Content-Length: ${announced}\r\n\r\n`, Buffer.alloc(65_536, 0x61), announced);
  expect([answer.isClosedByServer, answer.sent < 16 * 1_048_576]).toEqual([true, true]);
  // A client that is still sending may lose the response to a reset; a client that sends only the head reads all of it.
  const refused = await exchange(service.url, `${head}Content-Length: ${announced}\r\n\r\n`);
  expect(refused.status).toBe(413);
  expect(refused.head.toLowerCase()).toContain("\r\nconnection: close");
  expect(refused.body).toBe('{"error":"The file is too large. The maximum is 3 MiB."}');
});

test("the client uploads a file and retries failed tiles", async () => {
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
