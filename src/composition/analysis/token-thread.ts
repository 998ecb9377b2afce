import { loadTokenCounter } from "#retrieval/answer/count-tokens.ts";
import { serveBatches } from "#runtime/batches/serve-batches.ts";

/** The thread that counts tokens: loading the vocabulary takes half a second and tens of megabytes. */
const count = await loadTokenCounter();
// The first text takes much longer than later ones, so a first one is counted before any request.
count("first");

serveBatches<string, number>((texts) => texts.map(count));
