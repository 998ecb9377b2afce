import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { catchIngestError, closeServers, get, serve, text } from "./support.ts";

closeServers();

/** The real limits of a body, shortened: 10 bytes in 100 ms. */
const LIMITS = { graceMs: 50, windowMs: 100, minBytes: 10 };
const HEADERS = { headersMs: 400 };

/** Sends `bytes` in pieces of `size`, every 20 ms. */
function drip(response: ServerResponse, bytes: Uint8Array, size: number): void {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + size));
    sent += size;
    if (sent >= bytes.length) response.end();
  }, 20);
  response.on("close", () => clearInterval(timer));
}

it.each([
  ["a plain body", {}, Buffer.alloc(10_000, "x")],
  ["a compressed body", { "content-encoding": "gzip" }, gzipSync(Buffer.from(Array.from({ length: 10_000 }, (_, n) => (n * n) % 251)))],
])("a transfer of %s that arrives more slowly than the minimum ends, and says so", async (_what, headers, bytes) => {
  const server = await serve((_request, response) => drip(response.writeHead(200, headers), bytes, 1));
  const error = await catchIngestError(get(server, "/", {}, { limits: LIMITS }));
  expect(error).toMatchObject({ code: "too_slow", stage: "fetch", retryable: true });
  expect(error.message).toBe("127.0.0.1 sends less than 1 KiB a second. Try again later, or paste the text you need.");
});

it("a transfer that stops in the middle ends", async () => {
  const server = await serve((_request, response) => void response.write("x".repeat(1_000)));
  expect(await catchIngestError(get(server, "/", {}, { limits: LIMITS }))).toMatchObject({ code: "too_slow" });
});

it("a transfer that is slow but faster than the minimum is complete", async () => {
  const server = await serve((_request, response) => drip(response, Buffer.alloc(1_000, "x"), 10));
  expect(text((await get(server, "/", {}, { limits: { ...LIMITS, windowMs: 800 } })).body)).toBe("x".repeat(1_000));
});

it("a transfer of a small page that ends in time is complete, however slow", async () => {
  const server = await serve((_request, response) => drip(response, Buffer.from("Hello"), 1));
  expect(text((await get(server, "/", {}, { limits: { ...LIMITS, windowMs: 5_000, minBytes: 1_000 } })).body)).toBe("Hello");
});

it("a transfer whose headers do not arrive ends, and says so", async () => {
  const server = await serve(() => {});
  const error = await catchIngestError(get(server, "/", {}, { limits: HEADERS }));
  expect(error).toMatchObject({ code: "timeout", stage: "fetch", retryable: true });
  expect(error.message).toBe("127.0.0.1 did not begin to answer in time. Try again later, or paste the text you need.");
});

it("a transfer has one time limit for the headers of all its redirects", async () => {
  let requests = 0;
  const server = await serve((request, response) => {
    requests++;
    const next = Number(request.url?.slice(1)) + 1;
    setTimeout(() => response.writeHead(302, { location: `/${next}` }).end(), 150);
  });
  expect(await catchIngestError(get(server, "/0", {}, { limits: HEADERS }))).toMatchObject({ code: "timeout" });
  expect(requests).toBeLessThan(6);
});
