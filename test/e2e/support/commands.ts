import { randomUUID } from "node:crypto";
import type { CommandRequest, CommandReport } from "./command-host.ts";
import { type EntryProcess, type Environment, type Finished, startEntry } from "./start-entry.ts";

/** A process that runs commands one after another. */
type Host = { readonly child: EntryProcess; readonly out: { stdout: string; stderr: string } };

let host: Host | undefined;
let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs one command in a process that runs all commands of this test process, since starting a process takes longer than most commands.
 * Use `tessera` of process.ts where the process itself matters, such as its standard input or its signals.
 */
export function runCommand(environment: Environment, ...args: string[]): Promise<Finished> {
  const finished = previous.then(() => runInHost((host ??= startHost()), environment, args));
  previous = finished.catch(() => undefined);
  return finished;
}

function startHost(): Host {
  const child = startEntry("test/e2e/support/command-host.ts", [], {}, { isWithIpc: true });
  const out = { stdout: "", stderr: "" };
  child.stdout.on("data", (text: string) => (out.stdout += text));
  child.stderr.on("data", (text: string) => (out.stderr += text));
  child.once("close", () => (host = undefined));
  // The host ends with this process and does not keep it running.
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref();
  return { child, out };
}

async function runInHost({ child, out }: Host, environment: Environment, args: string[]): Promise<Finished> {
  const end = `\0${randomUUID()}\0`;
  Object.assign(out, { stdout: "", stderr: "" });
  return new Promise((resolve, reject) => {
    let report: CommandReport | undefined;
    const settle = (): void => {
      if (report === undefined || !out.stdout.endsWith(end) || !out.stderr.endsWith(end)) return;
      stopListening();
      resolve({ code: report.code, signal: null, stdout: out.stdout.slice(0, -end.length), stderr: out.stderr.slice(0, -end.length) });
    };
    const onMessage = (message: CommandReport): void => {
      report = message;
      settle();
    };
    const onClose = (code: number | null, signal: NodeJS.Signals | null): void => {
      stopListening();
      resolve({ code, signal, ...out });
    };
    const stopListening = (): void => {
      child.off("message", onMessage).off("close", onClose).off("error", reject);
      for (const stream of [child.stdout, child.stderr]) stream.off("data", settle);
    };
    child.on("message", onMessage).on("close", onClose).on("error", reject);
    for (const stream of [child.stdout, child.stderr]) stream.on("data", settle);
    child.send({ args, environment, end } satisfies CommandRequest);
  });
}
