import { parentPort } from "node:worker_threads";

/** A message to the thread, which processes one batch at a time. */
export type Batch<Item> = { readonly items: readonly Item[] };

/** A message from the thread: `ready` once, then one for each batch. */
export type BatchAnswer<Result> =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly results: readonly Result[] }
  | { readonly kind: "failed"; readonly message: string };

/** The thread's side of a batch thread: call it once everything is loaded. `run` returns one result for each item, in order. */
export function serveBatches<Item, Result>(run: (items: readonly Item[]) => Promise<readonly Result[]> | readonly Result[]): void {
  const answer = async (items: readonly Item[]): Promise<BatchAnswer<Result>> => {
    try {
      return { kind: "done", results: await run(items) };
    } catch (error) {
      return { kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  parentPort?.on("message", ({ items }: Batch<Item>) => {
    void answer(items).then((message) => parentPort?.postMessage(message));
  });
  parentPort?.postMessage({ kind: "ready" } satisfies BatchAnswer<Result>);
}
