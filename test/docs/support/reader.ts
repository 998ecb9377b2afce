import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../e2e/support/servers.ts";
import { type Fence, listFences, readPage } from "./pages.ts";
import { findMismatch } from "./match.ts";
import { type Environment, type Shell, type Terminal, openShell, openTerminal } from "./terminal.ts";

/**
 * Runs the commands of a page. The words after the language of a fenced block say how:
 *
 * - `sh server`: runs in a new terminal that replaces the previous server;
 * - `sh terminal`: runs in a new terminal, in addition to the others;
 * - `sh setup` and `sh run`: run in the reader's shell; with `stop`, after all terminals were stopped;
 * - `output`: the expected output of the previous block; `…` matches anything;
 * - `terminal-output`: the expected output of the newest terminal.
 *
 * A page that links to the variables of the start guide first runs that guide's server and set-up.
 */
export type PageRun = {
  /** The output of each block that ran, in order. */
  readonly printed: readonly string[];
};

export type RunOptions = {
  /** Replacements of addresses in the page, such as that of the reader's database. */
  readonly replace?: readonly (readonly [string, string])[];
  readonly environment?: Environment;
};

const START = "docs/start.md";
const VARIABLES_LINK = "start.md#create-an-api-key";
/** Addresses in the pages, each replaced by a free port of this machine. */
const PORTS = ["8080", "8081", "3000"];

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

/** Runs the blocks of a page in order. Throws if a command fails, or if its output differs from the page. */
export async function runPage(page: string, options: RunOptions = {}): Promise<PageRun> {
  const folder = mkdtempSync(join(tmpdir(), "tessera-guide-"));
  const ports = await Promise.all(PORTS.map(async (port) => [port, await freePort()] as const));
  const replacements: (readonly [string, string])[] = [
    ...(options.replace ?? []),
    ["/tmp/", `${folder}/`],
    [" data/", ` ${folder}/data/`],
    ["sqlite:data/", `sqlite:${folder}/data/`],
    ...ports.flatMap(([shown, real]) =>
      ["127.0.0.1:", "PORT=", "listen("].map((before) => [`${before}${shown}`, `${before}${real}`] as const),
    ),
  ];
  const adapt = (text: string) => replacements.reduce((result, [from, to]) => result.replaceAll(from, to), text);
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    DATA_DIR: join(folder, "data"),
    PORT: ports[0]![1],
    EMBEDDINGS: "off",
    ...options.environment,
  };
  const run = new PageRunner(page, environment, adapt);
  try {
    for (const fence of listRunnableFences(page)) await run.step(fence);
  } finally {
    await run.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return run;
}

const ACTIONS = ["server", "terminal", "setup", "run", "output", "terminal-output"];
const getAction = ({ marks }: Fence): string => marks.find((mark) => ACTIONS.includes(mark)) ?? "";

/** Lists the blocks of a page that are run, in order. */
export function listRunnableFences(page: string): readonly Fence[] {
  const text = readPage(page);
  const own = listFences(text).filter((fence) => getAction(fence) !== "");
  if (!text.includes(VARIABLES_LINK) || page === START) return own;
  const start = listFences(readPage(START));
  const setup = start.filter((fence) => getAction(fence) === "setup");
  const [first, ...others] = own;
  return first !== undefined && getAction(first) === "server"
    ? [first, ...setup, ...others]
    : [...start.filter((fence) => getAction(fence) === "server"), ...setup, ...own];
}

class PageRunner implements PageRun {
  readonly printed: string[] = [];
  private readonly page: string;
  private readonly environment: Environment;
  private readonly adapt: (text: string) => string;
  private readonly shell: Shell;
  private readonly terminals: Terminal[] = [];

  constructor(page: string, environment: Environment, adapt: (text: string) => string) {
    this.page = page;
    this.environment = environment;
    this.adapt = adapt;
    this.shell = openShell(environment);
  }

  async step(fence: Fence): Promise<void> {
    const code = this.adapt(fence.code);
    const mark = getAction(fence);
    if (mark === "output") return this.compare(fence, code);
    if (mark === "terminal-output") return this.awaitOutput(fence, code);
    if (mark === "server" || fence.marks.includes("stop")) await this.stopTerminals();
    if (mark === "server" || mark === "terminal") this.terminals.push(await openTerminal(code, this.environment));
    else this.printed.push(await this.shell.run(code));
  }

  private compare({ language, line }: Fence, shown: string): void {
    const mismatch = findMismatch(language, shown, this.printed.at(-1) ?? "");
    if (mismatch !== null) throw new Error(`${this.page}, line ${line}: ${mismatch}`);
  }

  private async awaitOutput({ line }: Fence, shown: string): Promise<void> {
    const terminal = this.terminals.at(-1);
    const fits = () => findMismatch("text", `…${shown.trim()}…`, terminal?.output() ?? "") === null;
    await until(`the output on line ${line} of ${this.page}`, fits).catch((error: unknown) => {
      throw new Error(`Only this was printed:\n${terminal?.output()}`, { cause: error });
    });
  }

  private async stopTerminals(): Promise<void> {
    for (const terminal of this.terminals.splice(0).toReversed()) await terminal.stop();
  }

  async close(): Promise<void> {
    await this.shell.close();
    await this.stopTerminals();
  }
}
