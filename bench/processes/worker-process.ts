import { type ChildProcess, fork } from "node:child_process";
import { ROOT, RUNNER, type BenchContext } from "../context.ts";

/** Modules that run in a separate process, so that their CPU time is not counted as that of another. */
const WORKERS = {
  load: async () => (await import("../load/worker.ts")).serve,
  baseline: async () => (await import("../servers/baseline-worker.ts")).serve,
  seed: async () => (await import("../servers/seed-worker.ts")).serve,
  attack: async () => (await import("../shares/attack-worker.ts")).serve,
  ask: async () => (await import("../ask/worker.ts")).serve,
} as const;

export type WorkerName = keyof typeof WORKERS;

/** Runs in the child process: replies to each message of the parent, and exits with it. */
export async function runWorker(name: string): Promise<void> {
  if (!(name in WORKERS)) throw new Error(`Unknown worker "${name}".`);
  const serve = (await WORKERS[name as WorkerName]()) as (request: never) => Promise<unknown>;
  process.on("disconnect", () => process.exit(0));
  process.on("message", (request) => {
    serve(request as never).then(
      (value) => process.send?.({ value }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}

export type WorkerProcess<Request, Response> = {
  readonly pid: number;
  readonly child: ChildProcess;
  /** One request at a time. */
  request(request: Request): Promise<Response>;
};

/** Starts a worker process; it is stopped with the context. */
export function startWorker<Request extends object, Response>(context: BenchContext, name: WorkerName): WorkerProcess<Request, Response> {
  const child = context.track(
    fork(RUNNER, ["bench/main.ts", "worker", name], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit", "ipc"] }),
  );
  return {
    pid: child.pid ?? 0,
    child,
    request(message) {
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      const onExit = (): void => reject(new Error(`The ${name} process exited early.`));
      child.once("exit", onExit);
      child.once("message", (reply: { value?: Response; error?: string }) => {
        child.off("exit", onExit);
        if (reply.error === undefined) resolve(reply.value as Response);
        else reject(new Error(`${name}: ${reply.error}`));
      });
      child.send(message);
      return promise;
    },
  };
}
