import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./commands.ts";
import { type Environment, type Finished, startEntry } from "./start-entry.ts";

export type { Environment, Finished };

const READY = /^Tessera is ready on (http:\/\/\S+)$/m;
const START_MS = 100_000;

export type ServerProcess = {
  readonly url: string;
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Settles when the process has ended. */
  readonly ended: Promise<Finished>;
  /** Sends the signal to this process only. Resolves when it has ended. */
  kill(signal: NodeJS.Signals): Promise<Finished>;
};

/** Returns the path of a data directory that does not exist yet. `remove` deletes it with everything around it. */
export function makeFolder(): { readonly dataDir: string; readonly path: (name: string) => string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "tessera-e2e-"));
  return {
    dataDir: join(folder, "data"),
    path: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function start(entry: string, args: readonly string[], environment: Environment, input = "", launcher: readonly string[] = []) {
  const child = startEntry(entry, args, environment, { launcher });
  // A command that does not read its input may end before the input is written.
  child.stdin.on("error", () => {}).end(input);
  const out = { stdout: "", stderr: "" };
  child.stdout.on("data", (text: string) => (out.stdout += text));
  child.stderr.on("data", (text: string) => (out.stderr += text));
  const ended = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...out }));
  });
  return { child, out, ended };
}

/** Runs one command in its own process, as `npm run -s tessera -- …` does. */
export const tessera = (environment: Environment, ...args: string[]): Promise<Finished> =>
  start("src/cli/main.ts", args, environment).ended;

/** Runs one command with `input` on its standard input. */
export const tesseraWith = (environment: Environment, input: string, ...args: string[]): Promise<Finished> =>
  start("src/cli/main.ts", args, environment, input).ended;

/** Runs one command under a launcher, such as nsenter, and returns the JSON value that it prints. */
export async function tesseraJsonUnder(launcher: readonly string[], environment: Environment, ...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await start("src/cli/main.ts", [...args, "--json"], environment, "", launcher).ended;
  if (code !== 0) throw new Error(`"${args.join(" ")}" ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/** What a command prints on standard error when it creates the installation. */
export const CREATED = /^Created a new Tessera installation in .+\.\n$/;

/** Runs one command and returns the JSON value that it prints. Throws if it fails or prints anything but that and `CREATED`. */
export async function tesseraJson(environment: Environment, ...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await runCommand(environment, ...args, "--json");
  if (code !== 0 || stderr.replace(CREATED, "") !== "") throw new Error(`"${args.join(" ")}" ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Runs the server until it ends, for starts that must fail. */
export async function runServer(environment: Environment, launcher: readonly string[] = []): Promise<Finished> {
  const { child, ended } = start("src/main.ts", [], { PORT: "0", ...environment }, "", launcher);
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const finished = await ended;
  clearTimeout(timer);
  return finished;
}

/** Starts the server, or another entry point, and waits for its ready line. `launcher` is a program that becomes it, such as prlimit. */
export async function startServer(
  environment: Environment,
  entry = "src/main.ts",
  launcher: readonly string[] = [],
): Promise<ServerProcess> {
  const settings = { PORT: "0", RATE_LIMIT_PER_MINUTE: "0", RATE_LIMIT_ASK_PER_MINUTE: "0", ...environment };
  const { child, out, ended } = start(entry, [], settings, "", launcher);
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`The server was not ready in time: ${out.stdout}${out.stderr}`));
    }, START_MS);
    child.stdout.on("data", () => {
      const found = READY.exec(out.stdout)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
    ended.then(({ code, stderr }) => {
      clearTimeout(timer);
      reject(new Error(`The server ended with ${code}: ${stderr}`));
    }, reject);
  });
  return {
    url,
    pid: child.pid ?? 0,
    stdout: () => out.stdout,
    stderr: () => out.stderr,
    ended,
    kill(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}

/** Sends a request with a key. Returns the body as text, and parsed if it is JSON. */
export async function call(
  url: string,
  key: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key === null ? {} : { "x-api-key": key }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, headers: response.headers, text, json: (isJson ? JSON.parse(text) : undefined) as any };
}
