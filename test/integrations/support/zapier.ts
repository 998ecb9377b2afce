import { fork } from "node:child_process";
import { join } from "node:path";
import { installIntegration } from "./install.ts";

export type ZapierApp = {
  /** Runs a function of the app, named by its path, such as "triggers.tile_ready.operation.performList", or "validate". */
  run(path: string, bundle?: object): Promise<any>;
  stop(): void;
};

type Reply = { readonly id: number; readonly result?: unknown; readonly error?: string };

export async function startZapierApp(): Promise<ZapierApp> {
  const folder = await installIntegration("zapier");
  const child = fork(join(import.meta.dirname, "zapier-host.ts"), [folder], { stdio: "inherit" });
  const waiting = new Map<number, (reply: Reply) => void>();
  child.on("message", (reply: Reply) => waiting.get(reply.id)?.(reply));
  child.once("close", () => {
    for (const [id, answer] of waiting) answer({ id, error: "The process of the app has ended." });
  });
  let count = 0;
  return {
    async run(path, bundle = {}) {
      const id = count++;
      const { result, error } = await new Promise<Reply>((resolve) => {
        waiting.set(id, resolve);
        child.send({ id, path, bundle });
      });
      waiting.delete(id);
      if (error !== undefined) throw new Error(error);
      return result;
    },
    stop: () => void child.kill(),
  };
}
