import { LRUCache } from "lru-cache";
import type { Embedder } from "#domain/answers/vectors.ts";

/** Remembers the vectors of the last urgent texts, since questions come again and their callers wait. */
export function rememberUrgent(embedder: Embedder, most: number): Embedder {
  const known = new LRUCache<string, Float32Array>({ max: most });
  return {
    model: embedder.model,
    accepts: (text) => embedder.accepts(text),
    prepare: () => embedder.prepare(),
    async embed(texts, options) {
      if (!options.isUrgent) return embedder.embed(texts, options);
      const found = new Map(texts.flatMap((text) => [[text, known.get(text)] as const]));
      const missing = [...found].flatMap(([text, vector]) => (vector === undefined ? [text] : []));
      const made = missing.length === 0 ? [] : await embedder.embed(missing, options);
      missing.forEach((text, i) => found.set(text, made[i]));
      return texts.map((text) => {
        const vector = found.get(text);
        if (vector === undefined) throw new Error("The model of sentences left a text out.");
        known.set(text, vector);
        return vector;
      });
    },
    close: () => embedder.close(),
  };
}
