import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Environment, call, makeFolder, tessera, tesseraJson } from "./support/process.ts";
import { pause, until } from "./support/servers.ts";

const root = join(import.meta.dirname, "../..");
const children: ChildProcess[] = [];
let folder: ReturnType<typeof makeFolder>;

beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  folder.remove();
});

/** Starts a command of the project with the given standard output and standard error. */
function start(args: readonly string[], more: Environment, stdout: number | "pipe", stderr: number | "pipe"): ChildProcess {
  const child = spawn(process.execPath, [join(root, "scripts/run.mjs"), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", EMBEDDINGS: "off", DATA_DIR: folder.dataDir, ...more },
    stdio: ["ignore", stdout, stderr],
  });
  child.on("error", () => {});
  children.push(child);
  return child;
}

const waitForExit = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once("close", resolve));

async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Sends a few requests, so that the server logs lines, and returns its counter of lost lines. */
async function callAndCount(url: string): Promise<number> {
  const { key } = await tesseraJson({ DATA_DIR: folder.dataDir }, "key", "create", "--name", "test");
  for (let n = 0; n < 20; n++) expect((await call(url, key, "GET", "/api/board/boards")).status).toBe(200);
  return until("the counter", async () => {
    const { text } = await call(url, null, "GET", "/metrics");
    return Number(/^tessera_log_lines_dropped_total (\d+)$/m.exec(text)?.[1] ?? "0");
  });
}

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  );

test(
  "a server whose output can't be written continues on a full disk, counts the lost lines, and shuts down normally",
  { timeout: 300_000 },
  async () => {
    const port = await freePort();
    const full = openSync("/dev/full", "w");
    const child = start(["src/main.ts"], { PORT: String(port) }, full, full);
    const url = `http://127.0.0.1:${port}`;
    await until("the server", () => isUp(url));
    expect(await callAndCount(url)).toBeGreaterThan(0);
    const ended = waitForExit(child);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  },
);

test("a server whose output can't be written continues when the readers of its output have closed it", { timeout: 300_000 }, async () => {
  const port = await freePort();
  const child = start(["src/main.ts"], { PORT: String(port) }, "pipe", "pipe");
  const url = `http://127.0.0.1:${port}`;
  await until("the server", () => isUp(url));
  child.stdout?.destroy();
  child.stderr?.destroy();
  expect(await callAndCount(url)).toBeGreaterThan(0);
  await pause(300);
  expect(child.exitCode).toBeNull();
  const ended = waitForExit(child);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test(
  "a command whose output can't be written reports the error and exits with 1 on a full disk, and with 141 when its reader has closed the pipe",
  { timeout: 300_000 },
  async () => {
    await tessera({ DATA_DIR: folder.dataDir }, "init");
    const full = openSync("/dev/full", "w");
    const listing = start(["src/cli/main.ts", "board", "list"], {}, full, "pipe");
    let printed = "";
    listing.stderr?.setEncoding("utf8").on("data", (text: string) => (printed += text));
    expect(await waitForExit(listing)).toBe(1);
    expect(printed).toMatch(/^The result could not be written to standard output: .*ENOSPC.*\n$/);
    const piped = start(["src/cli/main.ts", "board", "list"], {}, "pipe", "pipe");
    piped.stdout?.destroy();
    expect(await waitForExit(piped)).toBe(141);
  },
);
