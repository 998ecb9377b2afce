import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type NamespaceOptions = {
  /** The lines of /etc/hosts for the script. */
  readonly hosts: readonly string[];
  /** Whether the loopback interface of the namespace is up; it has no other interface. */
  readonly loopback: "up" | "down";
};

export type ScriptEnd = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

const LIMIT_MS = 60_000;

/**
 * Runs a TypeScript file in its own network namespace, without IPv6, a route or a name server, and with its own hosts
 * file. Root creates the namespace directly, other users through a user namespace. Throws if neither is possible, because
 * a test without its namespace must not pass.
 */
export async function runInNamespace(script: URL, { hosts, loopback }: NamespaceOptions): Promise<ScriptEnd> {
  const folder = mkdtempSync(join(tmpdir(), "tessera-namespace-"));
  const hostsFile = join(folder, "hosts");
  writeFileSync(hostsFile, ["127.0.0.1 localhost", ...hosts, ""].join("\n"));
  const raise = loopback === "up" ? "ip link set lo up &&" : "";
  const command = `mount --bind "$1" /etc/hosts && ${raise} echo namespace-ready && exec "$2" "$3"`;
  const asUser = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  try {
    const end = await run([...asUser, "-n", "-m", "sh", "-c", command, "sh", hostsFile, process.execPath, fileURLToPath(script)]);
    if (!end.stdout.startsWith("namespace-ready\n"))
      throw new Error(`No network namespace could be made, which this test needs (unshare -n -m, mount, ip): ${end.stderr}`);
    return { ...end, stdout: end.stdout.slice("namespace-ready\n".length) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(args: readonly string[]): Promise<ScriptEnd> {
  const child = spawn("unshare", args, { stdio: ["ignore", "pipe", "pipe"] });
  const out = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (out.stderr += text));
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  return new Promise((resolve, reject) => {
    child.once("error", (cause) => reject(new Error("The program unshare, which this test needs, can't be run.", { cause })));
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, ...out });
    });
  });
}
