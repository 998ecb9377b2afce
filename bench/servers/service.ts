import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readStartCommand } from "../../scripts/start-command.ts";
import { ROOT, RUNNER, type BenchContext, stopChild, sleep } from "../context.ts";

/** A rate limit that no load reaches, so that requests are counted but never rejected. */
const UNLIMITED = "100000000";
const START_MS = 20_000;
const START = readStartCommand(ROOT);

export type Service = { readonly pid: number; readonly port: number; readonly dataDir: string; stop(): Promise<void> };

export type Board = { readonly id: string; readonly key: string };

/** The environment of a service under test: all features on; only PATH and HOME are inherited. */
export function buildEnvironment(dataDir: string, extraEnvironment: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return {
    PATH,
    HOME,
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: dataDir,
    LOG_LEVEL: "info",
    RATE_LIMIT_PER_MINUTE: UNLIMITED,
    RATE_LIMIT_ASK_PER_MINUTE: UNLIMITED,
    ...extraEnvironment,
  };
}

/** Starts the service as users do, with its log in a file. */
export async function startService(
  context: BenchContext,
  dataDir: string,
  extraEnvironment: Readonly<Record<string, string>> = {},
): Promise<Service> {
  mkdirSync(dataDir, { recursive: true });
  const log = join(dataDir, "bench.log");
  const output = openSync(log, "w");
  const child = context.track(
    spawn(process.execPath, [...START.flags, ...listProfileFlags(), RUNNER, "scripts/start.ts"], {
      cwd: ROOT,
      env: { ...START.environment, ...buildEnvironment(dataDir, extraEnvironment) },
      stdio: ["ignore", output, output],
    }),
  );
  closeSync(output);
  const until = performance.now() + START_MS;
  for (;;) {
    const ready = /Tessera is ready on http:\/\/[^\s:]+:(\d+)/.exec(readFileSync(log, "utf8"));
    if (ready !== null) return { pid: child.pid ?? 0, port: Number(ready[1]), dataDir, stop: () => stopChild(child) };
    if (child.exitCode !== null || performance.now() > until) throw new Error(`The service did not start:\n${readFileSync(log, "utf8")}`);
    await sleep(10);
  }
}

/** BENCH_PROFILE=folder writes a CPU profile of each service there. */
function listProfileFlags(): string[] {
  const folder = process.env["BENCH_PROFILE"];
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

async function runCli(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, [RUNNER, "src/cli/main.ts", ...args, "--json"], {
    cwd: ROOT,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`tessera ${args.join(" ")} exited with code ${String(code)}.`);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}

/** Creates a board, and an API key for this board only, through the command line. `keyOptions` are further options of the key. */
export async function createBoard(
  dataDir: string,
  name: string,
  extraEnvironment: Readonly<Record<string, string>> = {},
  keyOptions: readonly string[] = [],
): Promise<Board> {
  const environment = buildEnvironment(dataDir, extraEnvironment);
  const { board } = (await runCli(environment, "board", "create", name)) as { board: { id: string } };
  const { key } = (await runCli(environment, "key", "create", "--name", name, "--board", board.id, ...keyOptions)) as { key: string };
  return { id: board.id, key };
}

/** Sends a request that is not measured; throws unless its status is 200. */
export async function callApi<T>(service: Service, key: string, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method,
    headers: { "x-api-key": key, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status !== 200) throw new Error(`${method} ${path} returned status ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Number of tiles that are not indexed yet. */
export async function countPendingTiles(service: Service): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text();
  return Number(/^tessera_index_pending (\d+)$/m.exec(metrics)?.[1]);
}

/** Waits until all tiles are indexed, for at most `seconds`. */
export async function waitForIndex(service: Service, seconds = 10): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  while ((await countPendingTiles(service)) > 0 && performance.now() < until) await sleep(100);
}
