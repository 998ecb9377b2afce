import { type ChildProcess, fork } from "node:child_process";
import { ROOT, RUNNER, type Scene } from "../context.ts";

/** What runs in a process of its own, so that its CPU is nobody else's. */
const CHILDREN = {
  load: async () => (await import("../load/worker.ts")).serve,
  plain: async () => (await import("../servers/baseline-worker.ts")).serve,
  seed: async () => (await import("../servers/seed-worker.ts")).serve,
  ask: async () => (await import("../ask/worker.ts")).serve,
} as const;

export type ChildName = keyof typeof CHILDREN;

/** The child's side: answers each message of the parent with one of its own, and ends with the parent. */
export async function runChild(name: string): Promise<void> {
  if (!(name in CHILDREN)) throw new Error(`There is no child "${name}".`);
  const serve = (await CHILDREN[name as ChildName]()) as (order: never) => Promise<unknown>;
  process.on("disconnect", () => process.exit(0));
  process.on("message", (order) => {
    serve(order as never).then(
      (value) => process.send?.({ value }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}

export type Helper<Order, Answer> = {
  readonly pid: number;
  readonly child: ChildProcess;
  /** One order at a time. */
  ask(order: Order): Promise<Answer>;
};

/** The parent's side. */
export function startChild<Order extends object, Answer>(scene: Scene, name: ChildName): Helper<Order, Answer> {
  const child = scene.keep(fork(RUNNER, ["bench/main.ts", "child", name], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit", "ipc"] }));
  return {
    pid: child.pid ?? 0,
    child,
    ask(order) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const onExit = (): void => reject(new Error(`The ${name} process ended early.`));
      child.once("exit", onExit);
      child.once("message", (answer: { value?: Answer; error?: string }) => {
        child.off("exit", onExit);
        if (answer.error === undefined) resolve(answer.value as Answer);
        else reject(new Error(`${name}: ${answer.error}`));
      });
      child.send(order);
      return promise;
    },
  };
}
