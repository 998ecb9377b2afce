import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildNodeRed } from "../../../scripts/package/node-red.ts";
import { until } from "../../e2e/support/servers.ts";
import { installIntegration } from "./install.ts";

const ROOT = join(import.meta.dirname, "../../..");
const HOST = join(import.meta.dirname, "node-red-host.ts");
const PACKAGE = "node_modules/@tessera-board/node-red-contrib-tessera";

export type NodeRed = {
  readonly url: string;
  /** What it has written so far. */
  log(): string;
  /** Replaces all flows, and starts them. Credentials are those of configuration nodes, by their id. */
  deploy(flows: readonly object[], credentials?: Readonly<Record<string, object>>): Promise<void>;
  /** Calls a node "http in", or the admin API below "/admin". */
  post(path: string, body: unknown): Promise<{ readonly status: number; readonly json: any }>;
  /** Ends the process, and starts another one with the same user folder and port. */
  restart(signal: NodeJS.Signals, whileDown?: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
};

/** Builds the package, installs it into a new user folder, and starts Node-RED in a process of its own. */
export async function startNodeRed(): Promise<NodeRed> {
  const integration = await installIntegration("node-red");
  const userDir = mkdtempSync(join(tmpdir(), "tessera-node-red-"));
  await buildNodeRed(ROOT, join(userDir, PACKAGE));
  let log = "";
  const write = (text: string): void => void (log += text);
  let current = await startProcess(integration, userDir, write);

  const post: NodeRed["post"] = async (path, body) => {
    const headers = { "content-type": "application/json", "node-red-deployment-type": "full" };
    const response = await fetch(current.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, json: text === "" || !/^[[{"]/.test(text) ? text : JSON.parse(text) };
  };
  return {
    get url() {
      return current.url;
    },
    log: () => log,
    post,
    async deploy(flows, credentials = {}) {
      const starts = countStarts(log);
      const nodes = flows.map((node) => ({ ...node, credentials: credentials[(node as { id: string }).id] }));
      const { status, json } = await post("/admin/flows", nodes);
      if (status !== 204) throw new Error(`Node-RED refused the flows: ${status} ${JSON.stringify(json)}`);
      await until("the start of the flows", () => countStarts(log) > starts);
    },
    async restart(signal, whileDown) {
      await end(current.child, signal);
      await whileDown?.();
      current = await startProcess(integration, userDir, write, new URL(current.url).port);
    },
    async stop() {
      await end(current.child, "SIGTERM");
      rmSync(userDir, { recursive: true, force: true });
    },
  };
}

/** Node-RED responds to a deployment before its nodes have started. */
const countStarts = (log: string): number => log.split("Started flows").length;

const READY = /^Node-RED is ready on (\S+)$/m;

async function startProcess(integration: string, userDir: string, write: (text: string) => void, port = "0") {
  const child = spawn(process.execPath, [HOST, integration, userDir, port], { cwd: userDir, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        write(text);
        output += text;
        const [, found] = READY.exec(output) ?? [];
        if (found !== undefined && countStarts(output) > 1) resolve(found);
      });
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`Node-RED ended with ${code}: ${output}`)));
  });
  return { child, url };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill(signal);
  await ended;
}
