import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { packServer } from "../../scripts/package/server.ts";
import { readStartCommand } from "../../scripts/start-command.ts";
import { listFences, readPage } from "../docs/support/pages.ts";
import { createPdf } from "../ingest/read/samples.ts";
import { connectClient } from "../support/clients/mcp.ts";
import { type Finished, installTarballs, installTools, runProgram } from "./support/tools.ts";

const ROOT = join(import.meta.dirname, "../..");
const MIB = 1_048_576;
const INSTALL_MS = 300_000;
const READY_MS = 120_000;
const NODE = `node-${process.platform}-${process.arch}`;
const ADDON = `${process.platform}-${process.arch}.node`;

const folder = mkdtempSync(join(tmpdir(), "tessera-installed-"));
const server = join(folder, "node_modules/@tessera-board/server");
const command = join(server, "bin/tessera-server.mjs");
let nodes: Readonly<Record<"oldest" | "old", string>>;

beforeAll(async () => {
  const { file } = await packServer(ROOT, folder);
  await installTarballs(folder, file);
  const [oldest, old] = await Promise.all(["22.19.0", "18.20.8"].map((version) => installTools({ [NODE]: version })));
  nodes = { oldest: join(oldest ?? "", "node_modules", NODE, "bin/node"), old: join(old ?? "", "node_modules", NODE, "bin/node") };
}, INSTALL_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The size of the files, which is what a copy or an image takes. */
function measureBytes(path: string): number {
  const inodes = new Map(
    readdirSync(path, { recursive: true, encoding: "utf8" })
      .map((name) => join(path, name))
      .filter((file) => existsSync(file) && statSync(file).isFile())
      .map((file) => [statSync(file).ino, statSync(file).size]),
  );
  return [...inodes.values()].reduce((sum, size) => sum + size, 0);
}

/** The variables of the tests' own process would change how the installed server runs. */
const environment = (dataDir: string, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: folder,
  DATA_DIR: join(folder, dataDir),
  ...more,
});

const run = (node: string, dataDir: string, ...args: string[]): Promise<Finished> =>
  runProgram(node, [command, ...args], {
    cwd: folder,
    env: { ...environment(dataDir, { PORT: "0" }), BASE_URL: undefined, NODE_COMPILE_CACHE: undefined },
  });

type Running = { readonly url: string; readonly pid: number; readonly output: () => string; stop(): Promise<number | null> };

async function start(node: string, dataDir: string): Promise<Running> {
  const child = spawn(node, [command, "start"], { cwd: folder, env: environment(dataDir, { PORT: "0" }) });
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The server was not ready in time: ${output}`)), READY_MS);
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const [, found] = /^Tessera is ready on (\S+)$/m.exec(output) ?? [];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void ended.then(() => reject(new Error(`The server ended: ${output}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    output: () => output,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

/** Uses what loads files of the package at run time: the page, the reference, threads, the model, migrations, backups. */
async function useServer(node: string, dataDir: string): Promise<void> {
  const running = await start(node, dataDir);
  try {
    const created = await run(node, dataDir, "key", "create", "--name", "Test", "--json");
    expect(created).toMatchObject({ code: 0, stderr: "" });
    const { key } = JSON.parse(created.stdout) as { key: string };
    const call = async (path: string, init: RequestInit = {}): Promise<any> => {
      const response = await fetch(running.url + path, { ...init, headers: { "x-api-key": key, ...init.headers } });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (response.headers.get("content-type") ?? "").includes("json") ? response.json() : response.text();
    };
    const page = (await call("/")) as string;
    expect(page).toContain("<title>Tessera");
    expect(await call(/src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? "/missing")).toContain("function");
    expect(await call("/docs/")).toContain("swagger");
    expect((await call("/openapi.json")).openapi).toBe("3.1.0");
    const boardId = (await call("/api/board/boards")).boards[0].id as string;
    const json = (body: object): RequestInit => ({
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { zone } = await call(`/api/board/${boardId}/zones`, json({ name: "Lighthouses", connected_to_chat: true }));
    const form = new FormData();
    form.set("zone_id", zone.id);
    form.set("file", new Blob([createPdf([LINES])]), "document.pdf");
    const { tile } = await call(`/api/board/${boardId}/files`, { method: "POST", body: form });
    expect((await call(`/api/board/tiles/${tile.id}?wait=25`)).tile.status).toBe("ready");
    const note = { board_id: boardId, zone_id: zone.id, content: "The cat sat quietly on the windowsill and watched the birds." };
    const { tile: cat } = await call("/api/inbound/tiles", json(note));
    // No word in common: only the model finds it.
    await expect
      .poll(async () => (await call(`/api/board/${boardId}/search?q=kitten`)).results[0]?.tileId, { timeout: 300_000, interval: 500 })
      .toBe(cat.id);
    const question = json({ question: "When was the lighthouse built?" });
    expect((await call(`/api/board/${boardId}/ask`, question)).citations[0].quote).toContain("1887");
    expect(running.output()).not.toContain("tokens could not be counted");
    const backup = await run(node, dataDir, "backup", join(folder, `${dataDir}.sqlite`));
    expect(backup).toMatchObject({ code: 0 });
  } finally {
    expect(await running.stop()).toBe(0);
  }
}

const LINES = [
  "The lighthouse of Nordholm was built in 1887 on the northern cape, of granite.",
  "Its lamp stands 41 metres above the sea, and is seen from eighteen miles away.",
].map((text, place) => ({ text, y: 700 - place * 40 }));

it("the installed package takes at most 300 MiB with Node, and 180 without", () => {
  const all = measureBytes(join(folder, "node_modules"));
  const node = measureBytes(join(folder, "node_modules/node"));
  expect(all / MIB).toBeLessThan(300);
  expect((all - node) / MIB).toBeLessThan(180);
});

it.each([
  ["Node 24", () => process.execPath],
  ["Node 22.19, the oldest that runs it", () => nodes.oldest],
  ["Node 18, by the Node 24 that it brings", () => nodes.old],
])(
  "the installed package serves the page, reads, searches, answers and backs up with %s",
  async (name, node) => {
    await useServer(node(), `data ${name}`);
  },
  120_000,
);

it("the installed package runs the server as one process with the flags of npm start", async () => {
  const running = await start(process.execPath, "data flags");
  const [line, variables] = await Promise.all(
    ["cmdline", "environ"].map(async (file) => (await runProgram("cat", [`/proc/${running.pid}/${file}`], { cwd: folder })).stdout),
  );
  expect(await running.stop()).toBe(0);
  const { flags, environment } = readStartCommand(ROOT);
  for (const flag of flags) expect(line).toContain(flag);
  for (const [name, value] of Object.entries(environment)) expect(variables).toContain(`${name}=${value}`);
});

test("the installed package serves an agent as docs/reference/mcp.md configures it", async () => {
  expect(await run(process.execPath, "data agent", "init")).toMatchObject({ code: 0 });
  const { key } = JSON.parse((await run(process.execPath, "data agent", "key", "create", "--name", "Agent", "--json")).stdout);
  const examples = listFences(readPage("docs/reference/mcp.md")).filter(({ language }) => language === "json");
  const servers = examples.map(({ code }) => JSON.parse(code)).map(({ mcpServers, servers }) => (mcpServers ?? servers).tessera);
  expect(servers.map(({ command, url, httpUrl }) => command ?? url ?? httpUrl)).toEqual([
    "https://tessera.example.com/mcp",
    "https://tessera.example.com/mcp",
    "https://tessera.example.com/mcp",
    "npx",
  ]);
  const { command: program, args, env } = servers.at(-1);
  expect(Object.keys(env).toSorted()).toEqual(["DATA_DIR", "TESSERA_API_KEY"]);
  const options = { command: program, args, cwd: folder, env: { ...environment("data agent"), TESSERA_API_KEY: key } };
  const agent = await connectClient(new StdioClientTransport({ ...options, stderr: "ignore" }) as Transport);
  const { boards } = (await agent.call("list_boards")).data;
  expect((await agent.call("add_tile", { board_id: boards[0].id, text: "By an agent" })).data.created).toBe(true);
  await agent.close();
});

test("the installed package says in one sentence that Node is too old if no other was installed", async () => {
  const brought = join(folder, "node_modules/node");
  chmodSync(join(brought, "bin/node"), 0o644);
  const { code, stdout, stderr } = await run(nodes.old, "data", "key", "list");
  chmodSync(join(brought, "bin/node"), 0o755);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^Tessera needs Node 22\.19 or newer, and this is Node 18\.20\.8: [^\n]+\n$/);
  // The package is there, so the optional dependencies were not left out: its script was.
  expect(stderr).toContain("npm rebuild node --ignore-scripts=false");
  expect(stderr).toContain("pnpm approve-builds");
  expect(stderr).not.toContain("optional");
});

test("the installed package says in one sentence that Node is too old if the optional dependencies were left out", async () => {
  const brought = join(folder, "node_modules/node");
  renameSync(brought, `${brought}-aside`);
  const { code, stderr } = await run(nodes.old, "data", "key", "list");
  renameSync(`${brought}-aside`, brought);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^Tessera needs Node 22\.19 or newer[^\n]+ install @tessera-board\/server with its optional dependencies[^\n]+\n$/,
  );
});

test("the installed package says in one sentence that a dependency is missing, also one that is loaded late", async () => {
  for (const name of ["better-sqlite3", "@fastify/swagger-ui"]) {
    const dependency = join(folder, "node_modules", name);
    renameSync(dependency, `${dependency}-aside`);
    const { code, stderr } = await run(process.execPath, "data missing", "start");
    renameSync(`${dependency}-aside`, dependency);
    expect(code, name).toBe(1);
    expect(stderr).toMatch(new RegExp(`^[^\\n]+: install it again\\. [^\\n]*'${name}'[^\\n]*\\n$`));
  }
});

// Only root can run a program as a user that does not exist.
test.runIf(process.getuid?.() === 0)("the installed package runs as a user without a home folder", async () => {
  chmodSync(folder, 0o755);
  const as = ["--reuid=54321", "--regid=54321", "--clear-groups", process.execPath, command];
  const start = (...args: string[]) =>
    runProgram("setpriv", [...as, ...args], {
      cwd: folder,
      env: { HOME: undefined, NODE_COMPILE_CACHE: undefined, LOG_FORMAT: undefined, DATA_DIR: "/dev/null/data" },
    });
  expect(await start("--version")).toMatchObject({ code: 0, stderr: "" });
  const { code, stderr } = await start("start");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^This user has no home folder, [^\n]+ Set HOME or NODE_COMPILE_CACHE to a folder that this user may write\.\n/);
});

test.each([
  ["without start-options.json", "bin/start-options.json", null],
  ["with a start-options.json that is no JSON", "bin/start-options.json", "{"],
  ["with a start-options.json without flags", "bin/start-options.json", "{}"],
  ["without launch.mjs", "bin/launch.mjs", null],
  ["with an empty main.js", "lib/cli/main.js", ""],
  ["with a package.json that is no JSON", "package.json", "{"],
  ["without package.json", "package.json", null],
  ["without the native addon of SQLite", `../../better-sqlite3/prebuilds/${ADDON}`, null],
  ["with a damaged native addon of SQLite", `../../better-sqlite3/prebuilds/${ADDON}`, "damaged"],
])("the installed package says in one sentence to install it again %s", async (_, name, content) => {
  expect(await run(process.execPath, "data damaged", "init")).toMatchObject({ code: 0 });
  const file = join(server, name);
  renameSync(file, `${file}-aside`);
  if (content !== null) writeFileSync(file, content);
  const ended = [await run(process.execPath, "data damaged", "key", "list"), await run(process.execPath, "data damaged", "start")];
  renameSync(`${file}-aside`, file);
  for (const { code, stdout, stderr } of ended) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^[^\n]+: install it again\. [^\n]+\n$/);
  }
});

test("the command says in one sentence that the package is incomplete", async () => {
  const copy = join(folder, "incomplete");
  cpSync(server, copy, { recursive: true });
  rmSync(join(copy, "lib/chunks"), { recursive: true });
  const { code, stderr } = await runProgram(process.execPath, [join(copy, "bin/tessera-server.mjs"), "key", "list"], { cwd: folder });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The package @tessera-board\/server in \S+ is incomplete or unreadable: install it again\. [^\n]+\n$/);
});
