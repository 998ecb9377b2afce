import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readWebPage } from "#http/public/web-page.ts";
import { buildWeb } from "../../scripts/build-web.ts";
import { exchange } from "../support/clients/raw.ts";
import { bundle, INDEX, makeSources, SCRIPT, serve } from "./support/page.ts";

const sources = makeSources();
let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  await buildWeb(sources.root, bundle);
  ({ app, url } = await serve(readWebPage(sources.dist)));
});
afterAll(async () => {
  await app?.close();
  sources.remove();
});
const get = (path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  app.inject({ method, url: path, headers });

it.each(["/", "/login", "/claim", "/join", "/b/brd_1", "/settings", "/settings/keys", "/settings/webhook/deliveries", "/?a=b"])(
  "%s returns the page with no-cache",
  async (path) => {
    const answer = await get(path);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(INDEX);
    expect(answer.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-length": String(INDEX.length),
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(answer.headers["permissions-policy"]).toContain("camera=()");
  },
);

it("the content security policy allows no inline code, eval or other hosts", async () => {
  const policy = String((await get("/")).headers["content-security-policy"]);
  const rules = new Map(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1).join(" ")]));
  expect(Object.fromEntries(rules)).toMatchObject({
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "connect-src": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
  });
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

it("assets are immutable, and sent in the smallest encoding that the browser accepts", async () => {
  const plain = await get("/assets/main-a1.js");
  expect(plain.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
  });
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.body).toBe(`${SCRIPT}one`);
  const read = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const [accepted, encoding] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["GZIP;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br; q=0.000, *", "gzip"],
    ["*", "br"],
  ] as const) {
    const answer = await get("/assets/main-a1.js", { "accept-encoding": accepted });
    expect(answer.headers["content-encoding"], accepted).toBe(encoding);
    expect(answer.rawPayload.length).toBeLessThan(SCRIPT.length / 10);
    expect(read[encoding](answer.rawPayload).toString()).toBe(`${SCRIPT}one`);
  }
  for (const accepted of ["", "identity", "zstd", "br;q=0, gzip;q=0", ";;,,=", "x".repeat(5_000)])
    expect((await get("/assets/main-a1.js", { "accept-encoding": accepted })).headers["content-encoding"], accepted).toBeUndefined();
});

it("incompressible assets are sent unchanged", async () => {
  const answer = await get("/assets/dot-b2.png", { "accept-encoding": "br, gzip" });
  expect(answer.headers).toMatchObject({ "content-type": "image/png", "content-length": "4" });
  expect(answer.headers["content-encoding"]).toBeUndefined();
});

it("unchanged assets return 304, with one ETag per encoding", async () => {
  const plain = String((await get("/")).headers.etag);
  const small = String((await get("/assets/main-a1.js", { "accept-encoding": "br" })).headers.etag);
  expect(plain).toMatch(/^"[\w-]+"$/);
  const again = await get("/", { "if-none-match": `"other", W/${plain}` });
  expect([again.statusCode, again.body, again.headers.etag, again.headers["cache-control"]]).toEqual([304, "", plain, "no-cache"]);
  expect((await get("/assets/main-a1.js", { "if-none-match": small, "accept-encoding": "br" })).statusCode).toBe(304);
  expect((await get("/assets/main-a1.js", { "if-none-match": small, "accept-encoding": "gzip" })).statusCode).toBe(200);
  expect((await get("/", { "if-none-match": '"other"' })).statusCode).toBe(200);
});

it("HEAD returns the same headers without a body", async () => {
  for (const path of ["/", "/settings/keys", "/icon.svg", "/assets/main-a1.js"]) {
    const whole = await get(path);
    const text = `HEAD ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const { status, head, body } = await exchange(url, text);
    expect([status, body], path).toEqual([200, ""]);
    expect(head.toLowerCase()).toContain(`content-length: ${whole.rawPayload.length}\r\n`);
    expect(head).toContain(`${whole.headers.etag}`);
  }
});

it("files outside the assets have their own path and are revalidated", async () => {
  const answer = await get("/icon.svg");
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({ "content-type": "image/svg+xml", "cache-control": "no-cache" });
  expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
});

it.each([
  "/nowhere",
  "/index.html",
  "/loginx",
  "/login/more",
  "/b",
  "/assets/",
  "/assets/none.js",
  "/assets/main-a1.js.br",
  "/assets/../index.html",
  "/assets/../../../package-lock.json",
  "/assets/..%2f..%2f..%2fpackage-lock.json",
  "/assets/%2e%2e/%2e%2e/.built",
  "/assets/..%5c..%5c.built",
  "/assets/__proto__",
  "/assets/main-a1.js%00",
  "//assets/main-a1.js",
  "/.built",
  "/api/board/nothing/here/at/all",
])("%s returns 404 as JSON that is not cached", async (path) => {
  const { status, head, body } = await exchange(url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect([status, body]).toEqual([404, '{"error":"Not found."}']);
  expect(head.toLowerCase()).toContain("cache-control: no-store");
  expect(head.toLowerCase()).toContain("content-type: application/json");
});

it.each(["/", "/login", "/settings/keys", "/b/brd_1", "/icon.svg", "/assets/main-a1.js"])("%s accepts GET and HEAD only", async (path) => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
    const answer = await app.inject({ method, url: path });
    expect([answer.statusCode, answer.headers.allow], method).toEqual([405, "GET, HEAD"]);
    expect(answer.json()).toEqual({ error: "Method not allowed. This path takes GET, HEAD." });
  }
});

it("the page is not in the OpenAPI document", async () => {
  expect((await get("/openapi.json")).json().paths).toEqual({});
});

it("without a build the start page says so, and other paths return 404", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tessera-web-"));
  const page = readWebPage(join(folder, "dist"));
  expect(page).toBeNull();
  const { app } = await serve(page);
  try {
    const answer = await app.inject({ url: "/" });
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.body).toContain("npm run build:web");
    expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    for (const path of ["/login", "/settings/keys", "/assets/main-a1.js"]) expect((await app.inject({ url: path })).statusCode).toBe(404);
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it("the page and its assets vary by origin too if other origins are allowed", async () => {
  const other = await serve(readWebPage(sources.dist), ["https://app.example"]);
  for (const path of ["/", "/assets/main-a1.js"])
    expect((await other.app.inject({ url: path })).headers["vary"], path).toBe("Origin, Accept-Encoding");
  await other.app.close();
});
