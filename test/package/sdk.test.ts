import { createHmac } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { SourceMap } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { packSdk } from "../../scripts/package/sdk.ts";
import { openBrowser } from "../browser/support/chromium.ts";
import { type TestService, startTestService } from "../support/service.ts";
import { installTarballs, installTools, runOrThrow } from "./support/tools.ts";

const ROOT = join(import.meta.dirname, "../..");
const MAX_PACKED_BYTES = 60_000;
const INSTALL_MS = 300_000;
/** The runtimes beside Node 24, which runs the tests. */
const RUNTIMES = { [`node-${process.platform}-${process.arch}`]: "20.20.2", deno: "2.9.6", bun: "1.4.5", miniflare: "4.20260730.0" };

const folder = mkdtempSync(join(tmpdir(), "tessera-consumer-"));
const installed = join(folder, "node_modules/@tessera-board/sdk");
let service: TestService;
let site: Server;
let tarball: string;
let tools: string;

beforeAll(async () => {
  tools = await installTools(RUNTIMES);
  tarball = packSdk(ROOT, folder);
  await installTarballs(folder, tarball);
  for (const name of ["main.mjs", "use-sdk.mjs"]) copyFileSync(join(import.meta.dirname, "support", name), join(folder, name));
  site = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    if (path === "/") return void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Page</title>");
    // Browsers also ask for an icon.
    if (path !== "/use-sdk.mjs" && !path.startsWith("/sdk/")) return void response.writeHead(404).end();
    const file = path === "/use-sdk.mjs" ? join(folder, path) : join(installed, "dist", path.replace("/sdk/", ""));
    response.writeHead(200, { "content-type": "text/javascript" }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  service = await startTestService({ CORS_ORIGINS: siteUrl() });
}, INSTALL_MS);

afterAll(async () => {
  site?.close();
  site?.closeAllConnections();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const siteUrl = (): string => `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

/** What `useSdk` is called with: the service, and an event that it signed. */
function sdkOptions() {
  const secret = "whsec_dGhlIGxpZ2h0aG91c2Ugb2YgTm9yZGhvbG0=";
  const body = JSON.stringify({ event: "tile.ready", payload: { title: "Built in 1887" }, sentAt: new Date().toISOString() });
  return {
    baseUrl: service.url,
    apiKey: service.key,
    event: { body, secret, headers: { "x-service-signature": createHmac("sha256", secret).update(body).digest("hex") } },
  };
}

const EXPECTED = {
  titles: expect.arrayContaining(["Lighthouse"]),
  answered: true,
  quote: expect.stringContaining("1887"),
  hasStreamed: true,
  isNotFound: true,
  message: "Tile not found.",
  event: "tile.ready",
  forged: "signature",
};

it.each([
  ["Node 20", () => [join(tools, `node_modules/node-${process.platform}-${process.arch}/bin/node`), "main.mjs"]],
  ["Node 24", () => [process.execPath, "main.mjs"]],
  ["Deno", () => [join(tools, "node_modules/.bin/deno"), "run", "--allow-all", "--no-prompt", "main.mjs"]],
  ["Bun", () => [join(tools, "node_modules/.bin/bun"), "run", "main.mjs"]],
])("the packed SDK works in %s", async (_name, command) => {
  const [program = "", ...args] = command();
  const output = await runOrThrow(program, args, { cwd: folder, env: { SDK_OPTIONS: JSON.stringify(sdkOptions()) } });
  expect(JSON.parse(output)).toMatchObject(EXPECTED);
});

it("the packed SDK works in a browser, from another origin", async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(siteUrl());
    const used = await page.evaluate(async (options) => {
      const load = (path: string) => import(path);
      const [sdk, { useSdk }] = await Promise.all([load("/sdk/index.js"), load("/use-sdk.mjs")]);
      return useSdk(sdk, options);
    }, sdkOptions());
    expect(used).toMatchObject(EXPECTED);
  } finally {
    await browser.close();
  }
});

it("the packed SDK works in a worker runtime", async () => {
  const { Miniflare } = await import(join(tools, "node_modules/miniflare/dist/src/index.js"));
  const module = (path: string, file: string) => ({ type: "ESModule", path, contents: readFileSync(file, "utf8") });
  const support = join(import.meta.dirname, "support");
  const worker = new Miniflare({
    compatibilityDate: "2026-07-01",
    modules: [
      module("worker.mjs", join(support, "worker.mjs")),
      module("use-sdk.mjs", join(support, "use-sdk.mjs")),
      ...listFiles(join(installed, "dist"), ".js").map((file) => module(`sdk/${relative(join(installed, "dist"), file)}`, file)),
    ],
  });
  try {
    const response = await worker.dispatchFetch("http://worker.test/", { method: "POST", body: JSON.stringify(sdkOptions()) });
    expect(await response.json()).toMatchObject(EXPECTED);
  } finally {
    await worker.dispose();
  }
});

it("the packed SDK works with require in CommonJS", async () => {
  const script =
    'const { createClient, TesseraError } = require("@tessera-board/sdk"); console.log(typeof createClient, TesseraError.name)';
  writeFileSync(join(folder, "common.cjs"), script);
  expect(await runOrThrow(process.execPath, ["common.cjs"], { cwd: folder })).toBe("function TesseraError\n");
});

it.each([
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
])("the packed SDK works with its types in a program of module %s and resolution %s", async (module, moduleResolution) => {
  const source = join(folder, `types-${module}`);
  mkdirSync(source, { recursive: true });
  writeFileSync(
    join(source, "consumer.ts"),
    `import { type Tile, createClient, verifyWebhook } from "@tessera-board/sdk";
const tessera = createClient({ baseUrl: "http://localhost", apiKey: "k", maxRetries: 1 });
export const tile: Promise<Tile> = tessera.tiles.create("brd_1", { content: "Text", languageHint: "de" });
// @ts-expect-error -- a tile has either content or url
void tessera.tiles.create("brd_1", { content: "Text", url: "https://example.com" });
export const event = await verifyWebhook({ body: "", headers: {}, secret: "" });
`,
  );
  const options = {
    module,
    moduleResolution,
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    strict: true,
    noEmit: true,
  };
  writeFileSync(join(source, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...options, skipLibCheck: false }, include: ["."] }));
  await runOrThrow(process.execPath, [join(ROOT, "node_modules/.bin/tsc"), "-p", source], { cwd: folder });
});

test(`the packed SDK has at most ${MAX_PACKED_BYTES / 1_000} kB, no dependencies, and only what it needs`, () => {
  expect(statSync(tarball).size).toBeLessThanOrEqual(MAX_PACKED_BYTES);
  const { dependencies, exports, name } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect({ dependencies, name }).toEqual({ dependencies: undefined, name: "@tessera-board/sdk" });
  expect(exports["."]).toEqual({ types: "./dist/index.d.ts", default: "./dist/index.js" });
  expect(readdirSync(installed).toSorted()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  for (const file of listFiles(join(installed, "dist"), ".js"))
    expect(readFileSync(file, "utf8"), file).not.toMatch(/from "node:|require\(|process\./);
});

test("source maps lead to the sources, line by line, without paths of the machine that packed them", () => {
  const dist = join(installed, "dist");
  for (const file of listFiles(dist, ".js.map")) {
    const { sources, sourcesContent } = JSON.parse(readFileSync(file, "utf8"));
    const name = relative(dist, file).replace(/\.js\.map$/, ".ts");
    expect(sources.map((source: string) => relative(installed, join(file, "..", source)))).toEqual([join("src", name)]);
    const lines = readFileSync(join(ROOT, "sdk/src", name), "utf8").split("\n");
    const kept: readonly string[] = sourcesContent[0].split("\n");
    expect(kept).toHaveLength(lines.length);
    expect(kept.filter((line, index) => line.trim() !== "" && line !== lines[index])).toEqual([]);
    for (const code of lines.filter((line) => /^export (?:async )?(?:function|class|const) /.test(line))) expect(kept).toContain(code);
    const statements = readMappedLines(file).filter(([code]) => /^\s*(?:throw|return|const|export|if|for)\b/.test(code));
    expect(statements.filter(([code, index]) => !kept[index ?? -1]?.includes(code.match(/\w+/)?.[0] ?? ""))).toEqual([]);
  }
});

test("with source maps, the stack of an error names the lines of the sources", async () => {
  const script =
    'import("@tessera-board/sdk").then(({ createClient }) => createClient({ baseUrl: "nowhere" })).catch(({ stack }) => console.log(stack))';
  writeFileSync(join(folder, "stack.cjs"), script);
  const stack = await runOrThrow(process.execPath, ["--enable-source-maps", "stack.cjs"], { cwd: folder });
  const places = [...stack.matchAll(/sdk\/src\/(\S+\.ts):(\d+):\d+/g)].map(([, name = "", line]) => {
    const lines = readFileSync(join(ROOT, "sdk/src", name), "utf8").split("\n");
    return lines[Number(line) - 1]?.trim();
  });
  expect(places).toEqual([
    expect.stringMatching(/throw new RangeError/),
    expect.stringContaining("requireBaseUrl("),
    expect.stringContaining("createTransport("),
  ]);
});

/** Returns the lines of a compiled module, each with the index of the line of the source that it comes from. */
function readMappedLines(map: string): (readonly [string, number | undefined])[] {
  const sourceMap = new SourceMap(JSON.parse(readFileSync(map, "utf8")));
  const code = readFileSync(map.replace(/\.map$/, ""), "utf8").split("\n");
  return code.map((line, index) => {
    const entry = sourceMap.findEntry(index, line.search(/\S|$/));
    return [line, "originalLine" in entry ? entry.originalLine : undefined];
  });
}

function listFiles(root: string, ending: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name));
}
