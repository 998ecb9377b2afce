import { statSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, makeFolder, startServer } from "./support/process.ts";
import { exchange } from "../support/clients/raw.ts";

/** Every operation that the specification documents, except the generation calls, whose requests it does not show. */
const SPECIFIED = {
  "/api/board/boards": ["get"],
  "/api/board/{boardId}/zones": ["get", "post"],
  "/api/board/zones/{zoneId}": ["patch", "delete"],
  "/api/board/{boardId}/tiles": ["get", "post"],
  "/api/board/tiles/{tileId}": ["patch", "delete"],
  "/api/board/{boardId}/ask": ["get", "post"],
  "/api/inbound/tiles": ["post"],
};

const FORWARDING_HEADERS = [
  "Forwarded",
  "Via",
  "X-Real-IP",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-Forwarded-Proto",
  "X-Forwarded-Port",
  "X-Original-Host",
  "X-Client-IP",
  "True-Client-IP",
  "CF-Connecting-IP",
  "CF-Ray",
  "CDN-Loop",
  "Fastly-Client-IP",
  "Fly-Client-IP",
  "X-Envoy-External-Address",
  "X-Azure-ClientIP",
];

const folder = makeFolder();
let server: ServerProcess;

beforeAll(async () => {
  server = await startServer({ DATA_DIR: folder.dataDir, METRICS_TOKEN: "m3trics-token" });
});
afterAll(async () => {
  await server?.kill("SIGTERM");
  folder.remove();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers });

test("the health endpoints return ok", async () => {
  for (const path of ["/health/live", "/health/ready"]) {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "ok" });
  }
});

test("metrics are readable on loopback or with the token, and count tiles that are processing or not indexed", async () => {
  const response = await get("/metrics");
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(text).toMatch(/^tessera_tiles_processing 0$/m);
  expect(text).toMatch(/^tessera_index_pending 0$/m);
  for (const header of FORWARDING_HEADERS) expect((await get("/metrics", { [header]: "203.0.113.5" })).status, header).toBe(403);
  const { hostname, port } = new URL(server.url);
  const statusFor = async (host: string, version = "1.1"): Promise<number> =>
    (await exchange(server.url, `GET /metrics HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status;
  for (const host of [`${hostname}:${port}`, "localhost", "[::1]:1"]) expect(await statusFor(host), host).toBe(200);
  for (const host of ["boards.example", "127.0.0.1.nip.example", "localhost.", ""]) expect(await statusFor(host), host).toBe(403);
  expect(await statusFor("localhost", "1.0")).toBe(403);
  expect((await get("/metrics", { "x-forwarded-for": "127.0.0.1" })).status).toBe(403);
  expect((await get("/metrics", { "x-forwarded-for": "203.0.113.5", authorization: "Bearer m3trics-token" })).status).toBe(200);
  expect((await get("/metrics", { "x-forwarded-for": "203.0.113.5", authorization: "Bearer wrong" })).status).toBe(403);
});

test("the OpenAPI document lists every specified path with its responses", async () => {
  const response = await get("/openapi.json");
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  const document = (await response.json()) as any;
  expect(document.openapi).toMatch(/^3\.1/);
  for (const [path, methods] of Object.entries(SPECIFIED)) {
    for (const method of methods)
      expect(document.paths[path]?.[method], `${method} ${path}`).toMatchObject({
        summary: expect.any(String),
        responses: { 200: expect.anything(), 401: expect.anything() },
      });
  }
  const ids = new Set<string>();
  for (const [path, operations] of Object.entries<Record<string, any>>(document.paths)) {
    expect(path).not.toMatch(/:|\/$/);
    for (const [name] of path.matchAll(/\{\w+\}/g)) {
      for (const operation of Object.values(operations))
        expect(operation.parameters.some((parameter: any) => `{${parameter.name}}` === name && parameter.in === "path")).toBe(true);
    }
    for (const { operationId } of Object.values(operations)) {
      if (operationId !== undefined) expect(ids.has(operationId)).toBe(false);
      ids.add(operationId);
    }
  }
});

test("the API reference loads nothing from other hosts, and its content security policy enforces that", async () => {
  const response = await get("/docs/");
  expect(response.status).toBe(200);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/default-src|script-src/);
  expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe-inline/);
  const html = await response.text();
  expect(html).not.toMatch(/(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i);
  const assets = [...html.matchAll(/(?:src|href)\s*=\s*"([^"]+)"/g)].map(([, path = ""]) => new URL(path, `${server.url}/docs/`));
  expect(assets.length).toBeGreaterThan(2);
  for (const asset of assets) {
    expect(asset.origin).toBe(server.url);
    const answer = await fetch(asset);
    expect(answer.status, asset.pathname).toBe(200);
    const text = await answer.text();
    if (asset.pathname.endsWith(".css")) expect(text).not.toMatch(/url\(\s*["']?(?:https?:)?\/\/|@import/i);
  }
  expect((await get("/docs")).status).toBe(200);
});

test("the start page is served", async () => {
  const response = await get("/");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});

test("the files of the data directory are readable by their owner only", () => {
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(mode(folder.dataDir)).toBe("700");
  const files = readdirSync(folder.dataDir).filter((name) => /sqlite|secret/.test(name));
  expect(files).toContain("tessera.sqlite");
  expect(files).toContain("secret.key");
  for (const name of files) expect(mode(join(folder.dataDir, name)), name).toBe("600");
});
