import { parentPort } from "node:worker_threads";
import type { Analysis } from "#domain/search.ts";
import { cleanPage } from "./clean/page.ts";
import type { ThreadAnswer, ThreadTask } from "./threads/tasks.ts";

/** The pool's other end: one task at a time, each answered once. */
async function perform(task: ThreadTask): Promise<unknown> {
  if (task.kind === "clean") return cleanPage(task.page);
  // The tables of the analyser are only paid for by threads that analyse.
  const { analyse } = await import("#retrieval/analyse.ts");
  return task.items.map((item): Analysis => analyse(item.title, item.text));
}

async function answer(task: ThreadTask): Promise<ThreadAnswer> {
  try {
    return { kind: "done", value: await perform(task) };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on("message", (task: ThreadTask) => {
  void answer(task).then((message) => parentPort?.postMessage(message));
});
parentPort?.postMessage({ kind: "ready" } satisfies ThreadAnswer);
