import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { eventually } from "../servers.ts";
import { serve, get, catchIngestError, text, closeServers } from "./support.ts";

closeServers();

const page = "Seite über Käse. ".repeat(500);

it.each([
  ["gzip", gzipSync(page)],
  ["x-gzip", gzipSync(page)],
  ["deflate", deflateSync(page)],
  ["deflate", deflateRawSync(page)],
  ["br", brotliCompressSync(page)],
  ["zstd", zstdCompressSync(page)],
  ["GZIP, br", brotliCompressSync(gzipSync(page))],
  ["identity", Buffer.from(page)],
])("a response body in %s is decoded", async (coding, bytes) => {
  const server = await serve((_request, response) => response.setHeader("content-encoding", coding).end(bytes));
  const answer = await get(server);
  expect([text(answer.body), answer.truncated]).toEqual([page, false]);
});

it.each([
  ["gzip", gzipSync(Buffer.alloc(100_000_000))],
  ["br", brotliCompressSync(Buffer.alloc(100_000_000))],
  ["zstd", zstdCompressSync(Buffer.alloc(100_000_000))],
  ["gzip, gzip", gzipSync(gzipSync(Buffer.alloc(100_000_000)))],
])("a response body that is a %s bomb is truncated at the limit", async (coding, bytes) => {
  const server = await serve((_request, response) => response.setHeader("content-encoding", coding).end(bytes));
  const answer = await get(server, "/", { maxBytes: 50_000 });
  expect([answer.body.length, answer.truncated]).toEqual([50_000, true]);
});

it("a response body that decodes slowly into nothing is aborted by the signal", async () => {
  const member = gzipSync("");
  const bytes = brotliCompressSync(Buffer.alloc(member.length * 10_000_000, member), { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
  const server = await serve((_request, response) => response.setHeader("content-encoding", "gzip, br").end(bytes));
  const startedAt = performance.now();
  const error = await catchIngestError(get(server, "/", { signal: AbortSignal.timeout(100) }));
  expect(error).toMatchObject({ code: "timeout" });
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

it("a response body of exactly the limit is complete, one byte more is truncated", async () => {
  const server = await serve((request, response) => response.end("x".repeat(Number(request.url?.slice(1)))));
  expect(await get(server, "/1000", { maxBytes: 1000 })).toMatchObject({ truncated: false });
  const cut = await get(server, "/1001", { maxBytes: 1000 });
  expect([cut.body.length, cut.truncated]).toEqual([1000, true]);
});

it.each(["", "gzip"])("a response body without end (%j) is truncated, and its connection closed at once", async (coding) => {
  const server = await serve((_request, response) => {
    if (coding !== "") response.setHeader("content-encoding", coding);
    // Empty gzip members decode to nothing, so only the number of encoded bytes can limit them.
    const chunk = coding === "" ? Buffer.alloc(65_536, "x") : Buffer.concat(Array.from({ length: 1000 }, () => gzipSync("")));
    const write = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", write);
    write();
  });
  const answer = await get(server, "/", { maxBytes: 100_000 });
  expect([answer.body.length, answer.truncated]).toEqual([coding === "" ? 100_000 : 0, true]);
  expect(await eventually(() => server.sockets.size === 0)).toBe(true);
});

it("a response body that arrives slowly is aborted by the signal, with its connection", async () => {
  const timers: NodeJS.Timeout[] = [];
  const server = await serve((_request, response) => {
    response.writeHead(200);
    timers.push(setInterval(() => response.write("x"), 20));
  });
  const error = await catchIngestError(get(server, "/", { signal: AbortSignal.timeout(300) }));
  expect(error).toMatchObject({ code: "timeout", stage: "fetch", retryable: true });
  expect(await eventually(() => server.sockets.size === 0)).toBe(true);
  for (const timer of timers) clearInterval(timer);
});

it("a response body that breaks off is a retryable error", async () => {
  const server = await serve((_request, response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("half", () => response.destroy());
  });
  expect(await catchIngestError(get(server))).toMatchObject({ code: "connection_failed", retryable: true });
});

it("a response body whose encoding breaks off is returned truncated", async () => {
  const bytes = gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, index) => index * 7919).join(" ")));
  const server = await serve((_request, response) =>
    response.setHeader("content-encoding", "gzip").end(bytes.subarray(0, bytes.length / 2)),
  );
  const answer = await get(server);
  expect(answer.truncated).toBe(true);
  expect(text(answer.body)).toMatch(/^0 7919 15838 /);
});

it.each([
  ["gzip", "plain text"],
  ["br", "plain text, and more of it"],
  ["zstd", "plain text"],
  ["compress", "x"],
  ["gzip, gzip, gzip", "x"],
])("a response body that is not in the declared encoding %s is rejected", async (coding, bytes) => {
  const server = await serve((_request, response) => response.setHeader("content-encoding", coding).end(bytes));
  expect(await catchIngestError(get(server))).toMatchObject({ code: "bad_encoding", retryable: false });
});

it("a response body may be empty in any encoding", async () => {
  const server = await serve((_request, response) => response.setHeader("content-encoding", "gzip").end());
  expect(await get(server)).toMatchObject({ truncated: false, body: new Uint8Array(0) });
});
