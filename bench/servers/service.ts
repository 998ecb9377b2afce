import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readStartCommand } from "../../scripts/start-command.ts";
import { ROOT, RUNNER, type Scene, endChild, sleep } from "../context.ts";

/** So high that no load is refused, while the limiter counts every request. */
const NO_REFUSAL = "100000000";
const START_MS = 20_000;
const START = readStartCommand(ROOT);

export type Service = { readonly pid: number; readonly port: number; readonly dataDir: string; stop(): Promise<void> };

export type Board = { readonly id: string; readonly key: string };

/** The environment of a service under test: everything on, nothing inherited that would change it. */
export function environmentOf(dataDir: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return {
    PATH,
    HOME,
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: dataDir,
    LOG_LEVEL: "info",
    RATE_LIMIT_PER_MINUTE: NO_REFUSAL,
    RATE_LIMIT_ASK_PER_MINUTE: NO_REFUSAL,
    ...more,
  };
}

/** Starts the service as its users do, with its log going to a file. */
export async function startService(scene: Scene, dataDir: string, more: Readonly<Record<string, string>> = {}): Promise<Service> {
  mkdirSync(dataDir, { recursive: true });
  const log = join(dataDir, "bench.log");
  const output = openSync(log, "w");
  const child = scene.keep(
    spawn(process.execPath, [...START.flags, ...profileFlags(), RUNNER, "scripts/start.ts"], {
      cwd: ROOT,
      env: { ...START.environment, ...environmentOf(dataDir, more) },
      stdio: ["ignore", output, output],
    }),
  );
  closeSync(output);
  const until = performance.now() + START_MS;
  for (;;) {
    const ready = /Tessera is ready on http:\/\/[^\s:]+:(\d+)/.exec(readFileSync(log, "utf8"));
    if (ready !== null) return { pid: child.pid ?? 0, port: Number(ready[1]), dataDir, stop: () => endChild(child) };
    if (child.exitCode !== null || performance.now() > until) throw new Error(`The service did not start:\n${readFileSync(log, "utf8")}`);
    await sleep(10);
  }
}

/** BENCH_PROFILE=folder writes a CPU profile of each service there. */
function profileFlags(): string[] {
  const folder = process.env["BENCH_PROFILE"];
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

async function tessera(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, [RUNNER, "src/cli/main.ts", ...args, "--json"], {
    cwd: ROOT,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`tessera ${args.join(" ")} ended with ${String(code)}.`);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}

/** Makes a board and a key that is good for it alone, through the command line. */
export async function makeBoard(dataDir: string, name: string, more: Readonly<Record<string, string>> = {}): Promise<Board> {
  const environment = environmentOf(dataDir, more);
  const { board } = (await tessera(environment, "board", "create", name)) as { board: { id: string } };
  const { key } = (await tessera(environment, "key", "create", "--name", name, "--board", board.id)) as { key: string };
  return { id: board.id, key };
}

/** Calls a service outside any measurement. */
export async function call<T>(service: Service, key: string, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method,
    headers: { "x-api-key": key, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status !== 200) throw new Error(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** How many tiles wait for the search index. */
export async function pendingOf(service: Service): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text();
  return Number(/^tessera_index_pending (\d+)$/m.exec(metrics)?.[1]);
}

/** Waits until every tile is in the search index, or for that many seconds. */
export async function awaitIndex(service: Service, seconds = 10): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  while ((await pendingOf(service)) > 0 && performance.now() < until) await sleep(100);
}
