import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../e2e/support/servers.ts";
import { send } from "./requests.ts";
import { findProgram } from "./programs.ts";

const DEPLOY = join(import.meta.dirname, "../../../deploy");

export type Proxy = {
  readonly url: string;
  stop(): Promise<void>;
};

/** Starts a proxy in front of the nodes (`host:port`), with its file of `deploy/`. */
export type StartProxy = (nodes: readonly string[]) => Promise<Proxy>;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), "tessera-proxy-"));

type Run = {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly url: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stopSignal: NodeJS.Signals;
};

/** Starts the program, and waits until a node answers through it. */
async function run({ program, args, folder, url, env, stopSignal }: Run): Promise<Proxy> {
  const child: ChildProcess = spawn(program, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env }, stdio: "pipe" });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill(stopSignal);
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const answers = async () => (await send(`${url}/health/ready`).catch(() => null))?.status === 200;
  try {
    await until(`an answer through ${program}`, () => child.exitCode !== null || answers());
    if (child.exitCode !== null) throw new Error("It ended.");
    return { url, stop };
  } catch (error) {
    await stop();
    throw new Error(`${program} failed:\n${output}`, { cause: error });
  }
}

/** The file is imported as it is; only the addresses that Caddy listens on are kept to loopback. */
export const startCaddy: StartProxy = async (nodes) => {
  const folder = newFolder();
  const url = `http://127.0.0.1:${await freePort()}`;
  const config = join(folder, "Caddyfile");
  writeFileSync(config, `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\nimport ${join(DEPLOY, "Caddyfile")}\n`);
  const args = ["run", "--config", config, "--adapter", "caddyfile"];
  const env = { SITE_ADDRESS: url, NODES: nodes.join(" ") };
  // On SIGTERM, Caddy waits for open connections.
  return run({ program: findProgram("caddy"), args, folder, url, env, stopSignal: "SIGKILL" });
};

/** The file with other nodes, ports of loopback, and a certificate of its own. */
export const startNginx: StartProxy = async (nodes) => {
  const folder = newFolder();
  const [plain, secure] = [await freePort(), await freePort()];
  const certificate = makeCertificate(folder);
  const site = readFileSync(join(DEPLOY, "nginx.conf"), "utf8")
    .replace(/^\tserver 127\.0\.0\.1:8080(.*)$/m, (_, options: string) => nodes.map((node) => `\tserver ${node}${options}`).join("\n"))
    .replaceAll(/^\tlisten \[::\].*\n/gm, "")
    .replaceAll(/^\tlisten 80;/gm, `\tlisten 127.0.0.1:${plain};`)
    .replaceAll(/^\tlisten 443 /gm, `\tlisten 127.0.0.1:${secure} `)
    .replaceAll(/\S+\/fullchain\.pem/g, certificate.chain)
    .replaceAll(/\S+\/privkey\.pem/g, certificate.key);
  writeFileSync(join(folder, "site.conf"), site);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `\t${name}_temp_path ${join(folder, name)};\n`).join("");
  const isRoot = process.getuid?.() === 0;
  const main = `${isRoot ? "user root;\n" : ""}daemon off;\npid ${join(folder, "nginx.pid")};\nerror_log stderr;\nevents {}\nhttp {\n${paths}\taccess_log off;\n\tinclude ${join(folder, "site.conf")};\n}\n`;
  const config = join(folder, "nginx.conf");
  writeFileSync(config, main);
  const program = findProgram("nginx", "nginx-light");
  // A killed nginx leaves its workers behind.
  return run({ program, args: ["-p", folder, "-c", config], folder, url: `https://127.0.0.1:${secure}`, stopSignal: "SIGTERM" });
};

function makeCertificate(folder: string): { readonly chain: string; readonly key: string } {
  const [chain, key] = [join(folder, "chain.pem"), join(folder, "key.pem")];
  const options = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const { status, stderr } = spawnSync(findProgram("openssl"), [...options, "-subj", "/CN=127.0.0.1", "-keyout", key, "-out", chain], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The certificate could not be made: ${stderr}`);
  return { chain, key };
}
