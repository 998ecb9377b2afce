import { LRUCache } from "lru-cache";
import type { Embedder } from "#domain/answers/vectors.ts";

/** Caches the vectors of the last `maxTexts` urgent texts: questions, which are often repeated and whose callers wait. */
export function cacheUrgent(embedder: Embedder, maxTexts: number): Embedder {
  const vectors = new LRUCache<string, Float32Array>({ max: maxTexts });
  return {
    model: embedder.model,
    accepts: (text) => embedder.accepts(text),
    prepare: () => embedder.prepare(),
    async embed(texts, options) {
      if (!options.isUrgent) return embedder.embed(texts, options);
      const found = new Map(texts.flatMap((text) => [[text, vectors.get(text)] as const]));
      const missing = [...found].flatMap(([text, vector]) => (vector === undefined ? [text] : []));
      const embedded = missing.length === 0 ? [] : await embedder.embed(missing, options);
      missing.forEach((text, i) => found.set(text, embedded[i]));
      return texts.map((text) => {
        const vector = found.get(text);
        if (vector === undefined) throw new Error("The sentence model left a text out.");
        vectors.set(text, vector);
        return vector;
      });
    },
    close: () => embedder.close(),
  };
}
