import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/*
 * The folder has the data directory of a server of version 0.1.0, which was filled through its API and stopped while it read a link, and
 * what it returned: ids, and keys and secrets in plain text.
 */
const FIXTURE = join(import.meta.dirname, "../fixtures/0.1.0");
export const OLD = JSON.parse(readFileSync(join(FIXTURE, "expected.json"), "utf8"));
/** Where the link that was being read and the webhook were. */
const OLD_SITE = "127.0.0.1:18098";
const OLD_RECEIVER = "127.0.0.1:18099";
const READY_MS = 120_000;
const DAY_MS = 86_400_000;

/** A server on a free port that answers each request by its body and headers. */
export async function listen(answer: (body: string, headers: Record<string, unknown>) => string): Promise<Server> {
  const listening = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => response.writeHead(200, { "content-type": "text/html" }).end(answer(body, request.headers)));
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return listening;
}

export const getAddress = (one: Server): string => `127.0.0.1:${(one.address() as AddressInfo).port}`;

/** The data directory as 0.1.0 left it today: with the ports of this test, and with a session that has not expired. */
export function writeOldData(dataDir: string, site: string, receiver: string): void {
  mkdirSync(dataDir, { mode: 0o700 });
  copyFileSync(join(FIXTURE, "secret.key"), join(dataDir, "secret.key"));
  const database = join(dataDir, "tessera.sqlite");
  writeFileSync(database, gunzipSync(readFileSync(join(FIXTURE, "tessera.sqlite.gz"))));
  const db = new DatabaseSync(database);
  db.prepare("UPDATE webhook SET url = replace(url, ?, ?)").run(OLD_RECEIVER, receiver);
  db.prepare("UPDATE job SET host = replace(host, ?, ?)").run(OLD_SITE, site);
  db.prepare("UPDATE tile SET raw_content = replace(raw_content, ?, ?), source_url = replace(source_url, ?, ?) WHERE id = ?").run(
    OLD_SITE,
    site,
    OLD_SITE,
    site,
    OLD.waitingId,
  );
  db.prepare("UPDATE session SET expires_at = ?").run(Date.now() + 7 * DAY_MS);
  db.close();
}

export type Started = { readonly url: string; readonly child: ChildProcess };

/** Starts an installed server, and waits until it is ready. */
export async function start(command: string, environment: NodeJS.ProcessEnv): Promise<Started> {
  const child = spawn(process.execPath, [command, "start"], { cwd: environment.HOME, env: environment });
  let output = "";
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
    child.once("exit", () => {
      clearTimeout(timer);
      reject(new Error(`The server ended: ${output}`));
    });
  });
  return { url, child };
}
